// Paragraphs that go on in the next column or on the next page become whole.

import { isDisplayed } from '../formulas/formula.ts';
import { joinRuns, runsText } from '../lines/runs.ts';
import type { Block, Paragraph } from '../model.ts';
import { findTurnedParagraphs, mainStyle } from './headings.ts';
import type { BlockWithMarker } from './lists.ts';
import type { PageBlocks } from './page-blocks.ts';

/** So many blocks may stand between the parts of a paragraph: floats, their captions, notes at the foot. */
const MAX_BETWEEN = 6;

/** A paragraph belongs to the page it begins on. */
export function joinContinued(
  pages: readonly PageBlocks[],
  compounds: ReadonlySet<string>,
  bodySize: number,
): void {
  let open: Paragraph | undefined;
  let between = 0;
  for (const page of pages) {
    const kept: BlockWithMarker[] = [];
    const turned = new Set<Block>(findTurnedParagraphs(page.blocks));
    for (const marked of page.blocks) {
      const { block, marker } = marked;
      if (open && block.kind === 'paragraph' && !marker && goesOn(open, block)) {
        open.runs = joinRuns([open.runs, block.runs], compounds);
        open.lines = [...open.lines, ...block.lines];
        between = 0;
        continue;
      }
      kept.push(marked);
      const isBetween = turned.has(block) || isAside(block, bodySize);
      if (open && isBetween && between < MAX_BETWEEN) {
        between += 1;
        continue;
      }
      open = block.kind === 'paragraph' && !isBetween ? block : undefined;
      between = 0;
    }
    page.blocks = kept;
  }
}

/** The parts stay where they stand; only a word parted between them is made whole, in the first. */
export function joinPartedWords(
  pages: readonly PageBlocks[],
  compounds: ReadonlySet<string>,
  bodySize: number,
): void {
  let open: Paragraph | undefined;
  let between = 0;
  for (const { block, marker } of pages.flatMap(({ blocks }) => blocks)) {
    const follows = open && block.kind === 'paragraph' && !marker && goesOn(open, block);
    if (open && follows) takeParted(open, block, compounds);
    else if (open && isAside(block, bodySize) && between < MAX_BETWEEN) {
      between += 1;
      continue;
    }
    open = block.kind === 'paragraph' && (follows || !isAside(block, bodySize)) ? block : undefined;
    between = 0;
  }
}

function takeParted(first: Paragraph, second: Paragraph, compounds: ReadonlySet<string>): void {
  const [last, next] = [first.runs.at(-1), second.runs[0]];
  if (!last || !next || !/\p{L}[-\u2010\u00ad]$/u.test(last.text)) return;
  const rest = /^\S+(?=\s+\S)/u.exec(next.text)?.[0];
  if (rest === undefined) return;
  first.runs = joinRuns([first.runs, [{ ...next, text: rest }]], compounds);
  second.runs = [{ ...next, text: next.text.slice(rest.length).trimStart() }, ...second.runs.slice(1)];
}

/** What stands between the parts of a paragraph without ending it. */
function isAside(block: Block, bodySize: number): boolean {
  if (block.kind === 'figure' || block.kind === 'table' || block.kind === 'code') return true;
  if (block.kind !== 'paragraph') return false;
  if ((mainStyle(block)?.size ?? bodySize) < bodySize * 0.95) return true;
  return /^(?:fig(?:ure|\.)|table|algorithm|listing)\s*\d/i.test(runsText(block.runs));
}

function goesOn(first: Paragraph, second: Paragraph): boolean {
  if (isDisplayed(first) || isDisplayed(second)) return false;
  const [above, below] = [first.lines.at(-1), second.lines[0]];
  if (!above || !below || above.turn !== below.turn || above.turn !== 0) return false;
  // Directly below one another, the space between them was found to part them.
  const samePlace =
    first.page === second.page && below.box.y > above.box.y && Math.abs(below.box.x - above.box.x) < 50;
  if (samePlace) return false;
  const [size, nextSize] = [above.runs[0]?.style.size ?? 0, below.runs[0]?.style.size ?? 0];
  if (Math.abs(size - nextSize) > 0.4) return false;
  const end = runsText(first.runs).trimEnd();
  const start = runsText(second.runs);
  if (/\p{L}[-\u2010]$/u.test(end) && /^\p{Ll}/u.test(start)) return true;
  if (/[.!?:;。！？]["'”’»)\]]*$/.test(end)) return false;
  return /^[\p{Ll}(]/u.test(start) && above.box.width > 60;
}
