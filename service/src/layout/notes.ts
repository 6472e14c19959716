// Footnotes: small text at the foot of a page that begins with the mark by which the text above calls it.
import type { BodyStyle } from './headings.ts';
import { mainStyle } from './headings.ts';
import type { Marked } from './lists.ts';
import type { Flow, Paragraph, Run } from './model.ts';
import type { PageBlocks } from './page-blocks.ts';

const SMALLER = 0.95;
const MARK = /^(\d{1,3}|[*†‡§¶#]{1,3}|[a-z])$/;

/** Takes the notes of a page out of its blocks and marks where they are called. */
export function takeNotes(page: PageBlocks, body: BodyStyle, notes: Flow[]): void {
  const kept: Marked[] = [];
  let last: Flow | undefined;
  for (const marked of page.blocks) {
    const { block } = marked;
    const mark =
      block.kind === 'paragraph' && isAtFoot(block, page) ? noteMark(marked, block, body) : undefined;
    if (mark !== undefined && block.kind === 'paragraph') {
      const call = findCall(page, block, mark);
      if (call) {
        last = noteFlow(block, marked);
        call.note = notes.push(last) - 1;
        continue;
      }
    } else if (last && block.kind === 'paragraph' && isAtFoot(block, page) && isSmall(block, body)) {
      // A note of several paragraphs, or one whose lines were taken apart.
      last.runs.push({ ...(last.runs.at(-1) as Run), text: ' ' }, ...block.runs);
      last.lines.push(...block.lines);
      continue;
    }
    last = undefined;
    kept.push(marked);
  }
  page.blocks = kept;
}

const isAtFoot = ({ box }: Paragraph, { height }: PageBlocks): boolean => box.y > height * 0.4;

const isSmall = (paragraph: Paragraph, body: BodyStyle): boolean =>
  (mainStyle(paragraph)?.size ?? body.size) <= body.size * SMALLER;

/** The mark a note begins with; undefined where it is no note. */
function noteMark({ marker }: Marked, paragraph: Paragraph, body: BodyStyle): string | undefined {
  if (!isSmall(paragraph, body)) return undefined;
  if (marker) return MARK.exec(marker.text.replace(/[.()]/g, ''))?.[1];
  const [first] = paragraph.runs;
  if (!first || paragraph.runs.length < 1) return undefined;
  if (first.style.position === 'superscript' && MARK.test(first.text.trim())) return first.text.trim();
  const written = /^(\d{1,3}|[*†‡§¶]{1,3})\s/.exec(first.text)?.[1];
  return written;
}

/** The raised mark in the text above. */
function findCall(page: PageBlocks, note: Paragraph, mark: string): Run | undefined {
  for (const { block } of page.blocks) {
    if (block === note || (block.kind !== 'paragraph' && block.kind !== 'heading')) continue;
    const call = block.runs.find(
      (run) => run.note === undefined && run.style.position === 'superscript' && run.text.trim() === mark,
    );
    if (call) return call;
  }
  return undefined;
}

function noteFlow({ runs, lines, align, direction }: Paragraph, { marker }: Marked): Flow {
  const flow = { lines: [...lines], align, direction };
  if (marker) return { ...flow, runs: [...runs] };
  const [first, ...rest] = runs as [Run, ...Run[]];
  if (first.style.position === 'superscript') return { ...flow, runs: trimStart(rest) };
  return { ...flow, runs: [{ ...first, text: first.text.replace(/^\S+\s+/, '') }, ...rest] };
}

function trimStart([first, ...rest]: Run[]): Run[] {
  return first ? [{ ...first, text: first.text.trimStart() }, ...rest] : [];
}
