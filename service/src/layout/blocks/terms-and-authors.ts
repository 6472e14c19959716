// What looks like headings but is not, seen by what follows: terms over what they mean, authors over where they are
// reached. Both answer with the places of such candidates.
import { runsText } from '../lines/runs.ts';
import type { Block, Paragraph } from '../model.ts';
import type { Candidate } from './heading-labels.ts';
import type { BlockWithMarker } from './lists.ts';
import { isContactOrDate } from './no-headings.ts';

/** So many are a list of terms; fewer are headings of a text that stands in. */
const TERMS = 3;
/** What a term means stands in by so much, in parts of the size, and other text by no more. */
const STANDS_IN = 1.2;
const SAME_EDGE = 0.4;
/** Paragraphs this long tell where the text of their page begins. */
const RUNNING = 80;

/** Unnumbered names as large as the text, where text begins too, each over a paragraph that stands in. */
export function terms(
  found: readonly (Candidate | undefined)[],
  blocks: readonly BlockWithMarker[],
): number[] {
  const edges = textEdges(blocks);
  const likely = found.flatMap((candidate, i) => {
    const below = blocks[i + 1]?.block;
    if (!candidate || candidate.depth > 0 || below?.kind !== 'paragraph') return [];
    const { size, paragraph } = candidate;
    if (below.page !== paragraph.page || size > sizeOf(below) * LARGER) return [];
    if (below.box.x < paragraph.box.x + size * STANDS_IN || below.box.y < paragraph.box.y) return [];
    const lefts = edges.get(paragraph.page) ?? [];
    return lefts.some((left) => Math.abs(left - paragraph.box.x) < size * SAME_EDGE) ? [i] : [];
  });
  return likely.length >= TERMS ? likely : [];
}

const LARGER = 1.1;

const sizeOf = ({ runs }: Paragraph): number => runs[0]?.style.size ?? 0;

/** Where running text begins, page by page. */
function textEdges(blocks: readonly BlockWithMarker[]): Map<number, number[]> {
  const edges = new Map<number, number[]>();
  for (const { block, marker } of blocks) {
    if (block.kind !== 'paragraph' || marker || block.lines.length < 2) continue;
    if (runsText(block.runs).length < RUNNING) continue;
    const known = edges.get(block.page);
    const { x } = block.box;
    if (!known) edges.set(block.page, [x]);
    else if (known.length < MOST_EDGES && !known.includes(x)) known.push(x);
  }
  return edges;
}

const MOST_EDGES = 20;

/** Between a title and how its author is reached, or when it was written. */
export function authors(
  found: readonly (Candidate | undefined)[],
  blocks: readonly BlockWithMarker[],
): number[] {
  return found.flatMap((candidate, i) => {
    const above = found[i - 1];
    const below = blocks[i + 1]?.block;
    if (!candidate || !above || candidate.depth > 0 || !below) return [];
    if (above.size <= candidate.size || above.paragraph.page !== candidate.paragraph.page) return [];
    return isContactOrDate(textOf(below)) ? [i] : [];
  });
}

const textOf = (block: Block): string =>
  block.kind === 'paragraph' ? runsText(block.runs).trim() : block.kind === 'code' ? block.text.trim() : '';
