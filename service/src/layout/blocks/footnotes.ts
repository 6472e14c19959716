// Footnotes: small text at the foot of a page that begins with the mark by which the text above calls it.

import { joinRuns } from '../lines/runs.ts';
import type { Flow, Paragraph, Run } from '../model.ts';
import type { BodyStyle } from './headings.ts';
import { mainStyle } from './headings.ts';
import type { BlockWithMarker } from './lists.ts';
import type { PageBlocks } from './page-blocks.ts';

const SMALLER = 0.95;
const MARK = /^(\d{1,3}|[*†‡§¶#]{1,3}|[a-z])$/;

/** Takes the notes of pages out of their blocks and marks where they are called. */
export function takeNotes(
  pages: readonly PageBlocks[],
  body: BodyStyle,
  notes: Flow[],
  compounds: ReadonlySet<string>,
): void {
  // Where a page has no room for a note, the next one has it.
  for (const [index, page] of pages.entries())
    takeNotesOf(page, [page, ...pages.slice(Math.max(0, index - 1), index)], body, notes, compounds);
}

function takeNotesOf(
  page: PageBlocks,
  callers: readonly PageBlocks[],
  body: BodyStyle,
  notes: Flow[],
  compounds: ReadonlySet<string>,
): void {
  const kept: BlockWithMarker[] = [];
  let last: Flow | undefined;
  for (const marked of page.blocks) {
    const { block } = marked;
    if (block.kind !== 'paragraph' || !isAtFoot(block, page) || !isSmall(block, body)) {
      last = undefined;
      kept.push(marked);
      continue;
    }
    const parts = partsOf(marked, block, callers, compounds);
    for (const { flow, call } of parts) {
      if (call) {
        last = flow;
        call.note = notes.push(flow) - 1;
      } else if (last) {
        // A note of several paragraphs, or one whose lines were taken apart.
        last.runs.push({ ...(last.runs.at(-1) as Run), text: ' ' }, ...flow.runs);
        last.lines.push(...flow.lines);
      } else if (flow.lines.length === block.lines.length) kept.push(marked);
      else kept.push({ ...marked, block: { ...block, ...flow } });
    }
  }
  page.blocks = kept;
}

interface Part {
  flow: Flow;
  /** The mark in the text that calls it. */
  call?: Run;
}

/** Notes stand closely below one another: each line that begins with a mark the text calls begins a note. */
function partsOf(
  marked: BlockWithMarker,
  paragraph: Paragraph,
  callers: readonly PageBlocks[],
  compounds: ReadonlySet<string>,
): Part[] {
  const { align, direction } = paragraph;
  const starts: { at: number; call: Run; marker: boolean }[] = [];
  for (const [at, line] of paragraph.lines.entries()) {
    const marker = at === 0 ? marked.marker : undefined;
    const mark = marker ? MARK.exec(marker.text.replace(/[.()]/g, ''))?.[1] : noteMark(line.runs);
    const taken = starts.map(({ call }) => call);
    const call = mark === undefined ? undefined : findCall(callers, paragraph, mark, taken);
    if (call) starts.push({ at, call, marker: marker !== undefined });
  }
  const [first] = starts;
  if (!first) return [{ flow: flowOf(paragraph) }];
  const made = (from: number, to: number | undefined, hasMark: boolean): Flow => {
    const lines = paragraph.lines.slice(from, to);
    const whole = from === 0 && to === undefined;
    // Runs of lines are put together anew: what is changed in them stays apart from the lines.
    const runs = whole
      ? paragraph.runs
      : joinRuns(
          lines.map((line) => line.runs.map((run) => ({ ...run }))),
          compounds,
        );
    return { lines, runs: hasMark ? withoutMark(runs) : [...runs], align, direction };
  };
  const parts: Part[] = first.at > 0 ? [{ flow: made(0, first.at, false) }] : [];
  for (const [index, { at, call, marker }] of starts.entries())
    parts.push({ flow: made(at, starts[index + 1]?.at, !marker), call });
  return parts;
}

const flowOf = ({ runs, lines, align, direction }: Paragraph): Flow => ({
  runs: [...runs],
  lines: [...lines],
  align,
  direction,
});

const isAtFoot = ({ box }: Paragraph, { height }: PageBlocks): boolean => box.y > height * 0.4;

const isSmall = (paragraph: Paragraph, body: BodyStyle): boolean =>
  (mainStyle(paragraph)?.size ?? body.size) <= body.size * SMALLER;

/** The mark a line begins with, as notes do. */
function noteMark([first]: readonly Run[]): string | undefined {
  if (!first) return undefined;
  if (first.style.position === 'superscript' && MARK.test(first.text.trim())) return first.text.trim();
  return WRITTEN_MARK.exec(first.text)?.[1];
}

/** Some writers leave no space behind the mark. */
const WRITTEN_MARK = /^(\d{1,3}|[*†‡§¶]{1,3})(?=\s|\p{Lu}|["“„«(])/u;

/** The raised mark in the text above. */
function findCall(
  callers: readonly PageBlocks[],
  note: Paragraph,
  mark: string,
  taken: readonly Run[],
): Run | undefined {
  for (const { block } of callers.flatMap(({ blocks }) => blocks)) {
    if (block === note || (block.kind !== 'paragraph' && block.kind !== 'heading')) continue;
    const call = block.runs.find(
      (run) =>
        run.note === undefined &&
        !taken.includes(run) &&
        run.style.position === 'superscript' &&
        run.text.trim() === mark,
    );
    if (call) return call;
  }
  return undefined;
}

function withoutMark(runs: readonly Run[]): Run[] {
  const [first, ...rest] = runs as [Run, ...Run[]];
  if (first.style.position === 'superscript') return trimStart(rest);
  return [{ ...first, text: first.text.replace(WRITTEN_MARK, '').trimStart() }, ...rest];
}

function trimStart([first, ...rest]: Run[]): Run[] {
  return first ? [{ ...first, text: first.text.trimStart() }, ...rest] : [];
}
