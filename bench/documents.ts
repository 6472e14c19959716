// The documents every size of work is measured on. The clone holds small files only, so the large ones are written
// here: dense pages of text, each with a picture, a link and a place in the outline of its own, so that nothing can be
// read once and used for all. The same bytes in every run.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deflateSync } from 'node:zlib';

export const SIZES = {
  '2 pages': { pages: 2, pictureSide: 0 },
  '100 pages': { pages: 100, pictureSide: 90 },
  '1,000 pages': { pages: 1000, pictureSide: 90 },
  '5,000 pages': { pages: 5000, pictureSide: 90 },
  '50 MB': { pages: 100, pictureSide: 720 },
} as const;
export type Size = keyof typeof SIZES;

const SMALL = 'fixtures/text-two-pages.pdf';
const LINES = 56;
const LINE_LENGTH = 88;
const PAGES_PER_BOOKMARK = 5;

let folder: string | undefined;
const made = new Map<Size, string>();

/** A path; the file is made when it is first asked for, and goes with this process. */
export function documentOf(size: Size): string {
  if (size === '2 pages') return SMALL;
  let path = made.get(size);
  if (path === undefined) {
    folder ??= temporaryFolder();
    path = join(folder, `${size.replace(/\W/g, '')}.pdf`);
    writeFileSync(path, writeDocument(SIZES[size].pages, SIZES[size].pictureSide));
    made.set(size, path);
  }
  return path;
}

/** Pages as those of the sizes above, their pictures small: what is asked is how work grows with their number. */
export function documentOfPages(pages: number): string {
  folder ??= temporaryFolder();
  const path = join(folder, `${pages}-pages.pdf`);
  if (!existsSync(path)) writeFileSync(path, writeDocument(pages, SMALL_PICTURE));
  return path;
}

const SMALL_PICTURE = 12;

/** The document and copies of it: a program that meets a file twice may read it once. */
export function withCopies(path: string, times: number): string[] {
  folder ??= temporaryFolder();
  const copies = Array.from({ length: times - 1 }, (_, index) =>
    join(folder as string, `again-${index + 1}-${basename(path)}`),
  );
  for (const copy of copies) if (!existsSync(copy)) copyFileSync(path, copy);
  return [path, ...copies];
}

/** So many files of two pages, each of its own. */
export function copiesOf(count: number): string[] {
  folder ??= temporaryFolder();
  return Array.from({ length: count }, (_, index) => {
    const path = join(folder as string, `copy-${index + 1}.pdf`);
    copyFileSync(SMALL, path);
    return path;
  });
}

function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bindery-bench-documents-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Numbers that look random, the same in every run (xorshift). */
function numbers(): () => number {
  let state = 0x2545f491;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

function writeDocument(pages: number, pictureSide: number): Buffer {
  const random = numbers();
  const words = readFileSync('ARCHITECTURE.md', 'utf8').match(/[A-Za-z]{2,}/g) ?? ['text'];
  const bookmarks = Math.ceil(pages / PAGES_PER_BOOKMARK);
  const pageOf = (index: number): number => 7 + bookmarks + 4 * index;
  const bookmarkOf = (index: number): number => 7 + index;
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R/Outlines 3 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${list(pages, (index) => `${pageOf(index)} 0 R`)}]>>`,
    `<</Type/Outlines/Count ${bookmarks}/First ${bookmarkOf(0)} 0 R/Last ${bookmarkOf(bookmarks - 1)} 0 R>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>',
    '<</Producer(Bindery bench)>>',
  ];
  for (let index = 0; index < bookmarks; index += 1) {
    const previous = index > 0 ? `/Prev ${bookmarkOf(index - 1)} 0 R` : '';
    const next = index + 1 < bookmarks ? `/Next ${bookmarkOf(index + 1)} 0 R` : '';
    objects.push(
      `<</Title(Chapter ${index + 1})/Parent 3 0 R${previous}${next}/Dest[${pageOf(index * PAGES_PER_BOOKMARK)} 0 R/Fit]>>`,
    );
  }
  for (let index = 0; index < pages; index += 1) {
    const page = pageOf(index);
    const picture = Buffer.alloc(pictureSide * pictureSide);
    for (let at = 0; at < picture.length; at += 4) picture.writeUInt32LE(random(), at);
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${page + 1} 0 R/Annots[${page + 3} 0 R]` +
        `/Resources<</Font<</F 4 0 R/B 5 0 R>>/XObject<</P ${page + 2} 0 R>>>>>>`,
      stream('/Filter/FlateDecode', deflateSync(pageContent(words, random, index))),
      stream(
        `/Type/XObject/Subtype/Image/Width ${pictureSide}/Height ${pictureSide}/ColorSpace/DeviceGray` +
          '/BitsPerComponent 8/Filter/FlateDecode',
        deflateSync(picture, { level: 1 }),
      ),
      `<</Type/Annot/Subtype/Link/Rect[60 40 200 52]/Border[0 0 0]/A<</S/URI/URI(https://example.com/${index})>>>>`,
    );
  }
  return assemble(objects);
}

const list = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(' ');

function pageContent(words: readonly string[], random: () => number, index: number): string {
  const lines = Array.from({ length: LINES }, () => {
    let line = '';
    while (line.length < LINE_LENGTH) line += `${words[random() % words.length]} `;
    return `(${line.slice(0, LINE_LENGTH).trimEnd()}) ' `;
  });
  return (
    `q 60 0 0 60 475 760 cm /P Do Q BT /B 16 Tf 60 790 Td (Section ${index + 1}) Tj ` +
    `/F 10 Tf 12.5 TL 0 -12 Td ${lines.join('')}ET`
  );
}

const stream = (entries: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${entries}/Length ${data.length}>>stream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);

function assemble(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    at += part.length;
  };
  const places = objects.map((object, index) => {
    const place = at;
    add(Buffer.from(`${index + 1} 0 obj\n`));
    add(Buffer.from(object));
    add(Buffer.from('\nendobj\n'));
    return place;
  });
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}` +
        `trailer\n<</Size ${objects.length + 1}/Root 1 0 R/Info 6 0 R>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
