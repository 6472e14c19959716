// The words of a cell as paragraphs of the model.

import { buildModelLine, joinRuns, lineRuns } from '../lines/runs.ts';
import type { TextLine as PageLine } from '../lines/text-lines.ts';
import type { Paragraph, Run, TableCell } from '../model.ts';
import type { Word as PageWord } from '../words/word.ts';
import { areaAround, boxOf, type Word } from './areas.ts';
import type { Frame } from './frame.ts';
import { readLines, type TextLine } from './text-lines.ts';

/** Lines that stand apart by so much more than others begin a paragraph. */
const PARAGRAPH_GAP = 1.5;

interface Where {
  page: number;
  /** Words whose hyphen is their own; where nobody has gathered them, hyphens at line ends stay. */
  compounds: ReadonlySet<string> | undefined;
}

export function cellParagraphs(
  words: readonly Word[],
  align: TableCell['align'],
  frame: Frame,
  { page, compounds }: Where,
): Paragraph[] {
  return paragraphs(readLines(words)).map((group) => {
    const lines = group.map(asPageLine);
    const context = { links: frame.links, turn: frame.turn, back: frame.back };
    return {
      kind: 'paragraph',
      page,
      box: frame.onPage(areaAround(group)),
      runs: flow(
        lines.map((line) => lineRuns(line, context)),
        compounds,
      ),
      lines: lines.map((line) => buildModelLine(line, context)),
      align,
      direction: lines[0]?.direction ?? 'ltr',
      firstLineIndent: 0,
      indent: 0,
      spaceBefore: 0,
    };
  });
}

function paragraphs(lines: readonly TextLine[]): TextLine[][] {
  const steps = lines.slice(1).map((line, i) => line.baseline - (lines[i]?.baseline ?? 0));
  const usual = Math.min(...steps);
  const groups: TextLine[][] = [];
  lines.forEach((line, i) => {
    if (i === 0 || (steps[i - 1] ?? 0) > usual * PARAGRAPH_GAP) groups.push([]);
    groups.at(-1)?.push(line);
  });
  return groups;
}

/** As lines elsewhere in layout are, with places in the frame the table stands upright in. */
function asPageLine(line: TextLine): PageLine {
  const words = line.chunks.flatMap((chunk) => chunk.words).map(inFrame);
  let count = 0;
  const parts = line.chunks.slice(0, -1).map((chunk) => {
    count += chunk.words.length;
    return count;
  });
  const toLeft = words.filter(({ direction }) => direction === 'rtl').length;
  return {
    words,
    box: boxOf(line),
    baseline: line.baseline,
    size: line.size,
    length: words.reduce((sum, { text }) => sum + text.length, 0),
    direction: toLeft > words.length / 2 ? 'rtl' : 'ltr',
    order: 0,
    ...(parts.length > 0 ? { parts } : {}),
  };
}

const inFrame = (word: Word): PageWord => ({ ...word.mark, box: boxOf(word), baseline: word.baseline });

function flow(lines: readonly Run[][], compounds: ReadonlySet<string> | undefined): Run[] {
  return joinRuns(lines, compounds ?? hyphensOf(lines));
}

/** In narrow cells a hyphen at a line's end is mostly that of a compound: all such words are taken for one. */
function hyphensOf(lines: readonly Run[][]): Set<string> {
  const found = new Set<string>();
  lines.forEach((line, i) => {
    const left = /([\p{L}\p{M}'’-]*)-$/u.exec(line.at(-1)?.text ?? '')?.[1];
    const right = /^[\p{L}\p{M}'’-]*/u.exec(lines[i + 1]?.[0]?.text ?? '')?.[0];
    if (left && right) found.add(`${left}-${right}`.toLowerCase());
  });
  return found;
}
