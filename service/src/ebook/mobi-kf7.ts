// The older form of Kindle's books: one HTML text, its links byte positions in it, its images numbered.
import type { Book, ContentsEntry } from './book.ts';
import type { MobiHeader } from './mobi-header.ts';
import { readIndex } from './mobi-index.ts';

const PATH = 'book.html';
const NCX = 244;
const POSITION = /\bfilepos\s*=\s*["']?(\d{1,10})["']?/gi;
const MAX_ANCHORS = 50_000;

type Part = Pick<Book, 'chapters' | 'contents' | 'resource'>;

export function readKf7(header: MobiHeader, text: Buffer): Omit<Book, 'title' | 'author' | 'language'> {
  const raw = text.toString('latin1');
  const contents = ncxContents(header);
  const wanted = new Set<number>(contents.map(({ target }) => Number(/\d+$/.exec(target)?.[0])));
  for (const [, position] of raw.matchAll(POSITION))
    if (wanted.size < MAX_ANCHORS) wanted.add(Number(position));
  const anchored = withAnchors(text, raw, wanted);
  const html = header.decoder
    .decode(anchored)
    .replace(/\u0000/g, '')
    .replace(/<mbp:pagebreak\s*\/?>(?:\s*<\/mbp:pagebreak>)?/gi, '<div style="break-after:page"></div>')
    .replace(POSITION, (_, position: string) => `href="#${anchorId(Number(position))}"`)
    .replace(
      /\b(?:hi|lo)?recindex\s*=\s*["']?0*(\d{1,6})["']?/gi,
      (_, index: string) => `src="images/${index}"`,
    );
  return { ...resources(header), chapters: [{ path: PATH, html }], contents };
}

const resources = (header: MobiHeader): Pick<Part, 'resource'> => ({
  async resource(path) {
    const index = /^images\/(\d+)$/.exec(path)?.[1];
    return index === undefined ? undefined : header.resource(Number(index));
  },
});

const anchorId = (position: number): string => `filepos${position}`;

/** Places to jump to, put in before the next tag or at the very place where none is cut in two. */
function withAnchors(text: Buffer, raw: string, wanted: ReadonlySet<number>): Buffer {
  const parts: Buffer[] = [];
  let done = 0;
  for (const position of [...wanted].filter((each) => each < text.length).sort((one, other) => one - other)) {
    const at = Math.max(done, outsideTag(raw, position));
    parts.push(text.subarray(done, at), Buffer.from(`<a id="${anchorId(position)}"></a>`));
    done = at;
  }
  parts.push(text.subarray(done));
  return Buffer.concat(parts);
}

export function outsideTag(raw: string, position: number): number {
  const open = raw.lastIndexOf('<', position - 1);
  const close = raw.indexOf('>', open);
  return open >= 0 && close >= position ? close + 1 : position;
}

/** Tags of the index of contents: where, its title, how deep. */
const TAG = { position: 1, title: 3, depth: 4 } as const;

function ncxContents(header: MobiHeader): ContentsEntry[] {
  const at = header.pointer(NCX);
  const index = at === undefined ? undefined : readIndex(header.database, at);
  if (!index) return [];
  const flat = index.entries.flatMap(({ tags }) => {
    const position = tags.get(TAG.position)?.[0];
    const title = tags.get(TAG.title)?.[0];
    if (position === undefined || title === undefined) return [];
    const target = `${PATH}#${anchorId(position)}`;
    return [
      {
        title: header.decoder.decode(index.text(title)).trim(),
        target,
        depth: tags.get(TAG.depth)?.[0] ?? 0,
      },
    ];
  });
  // Entries stand depth by depth; those of the first depth are the chapters.
  return flat
    .filter(({ depth, title }) => depth === 0 && title !== '')
    .map(({ title, target }) => ({ title, target, children: [] }));
}
