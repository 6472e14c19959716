// The formulas of a page, those on lines of their own and those within lines, and the words they are made of.
//
//   const { inline, displayed } = findFormulas(drawn, words);
//
// A page without fonts or signs of formulas is left at once. Nothing is taken for a formula that has no letter or sign
// of formulas in it; what cannot be read for sure stays what it was, or is shown as it is.
import type { DrawnPage, Glyphs, Rule } from '../../contract/page-items.ts';
import { boxAround } from '../box-geometry.ts';
import { readLines } from '../lines/text-lines.ts';
import type { Box } from '../model.ts';
import { mayBeAccent } from '../words/accents.ts';
import { isSpace } from '../words/visible-glyphs.ts';
import type { Word } from '../words/word.ts';
import { findDisplayed } from './displayed-formulas.ts';
import { type Formula, type MathNode, Unclear } from './formula.ts';
import { formulaText } from './formula-text.ts';
import { findInline } from './inline-formulas.ts';
import { hasMath, levelWords, readMathWords } from './math-words.ts';
import { type ParsedRow, parseFormula } from './parse-formula.ts';
import type { FormulaRegion, FormulaSource } from './regions.ts';
import { around, type Element, type Extent, readBar, readElement } from './signs.ts';

export interface PlacedFormula {
  /** Undefined where its layout cannot be told: it is to be shown as it is then. */
  formula: Formula | undefined;
  text: string;
  box: Box;
  baseline: number;
  words: Word[];
  /** The bars of fractions and roots in it. */
  rules: readonly Rule[];
  /** Punctuation that stood in one word with its last letter. */
  tail?: string;
}

export interface PageFormulas {
  inline: PlacedFormula[];
  displayed: PlacedFormula[];
}

export const NO_FORMULAS: PageFormulas = { inline: [], displayed: [] };

/** More words than a page of writing has are a map or a drawing. */
const MAX_WORDS = 20_000;

/** Most pages have neither a font nor a sign of formulas. */
export const mayHaveFormulas = (drawn: DrawnPage): boolean => !drawn.truncated && hasMath(drawn.glyphs);

export function findFormulas(drawn: DrawnPage, words: readonly Word[]): PageFormulas {
  if (words.length > MAX_WORDS || !mayHaveFormulas(drawn)) return NO_FORMULAS;
  const originals = levelWords(drawn.glyphs, words);
  const upright = [...originals.keys()];
  const math = readMathWords(drawn.glyphs, upright);
  if (math.sure.size === 0) return NO_FORMULAS;
  const lines = readLines(upright);
  const rules = drawn.rules.filter(({ axis, thickness }) => axis === 'horizontal' && thickness < THICKEST);
  const source: FormulaSource = { drawn, rules, math };
  const displayed = findDisplayed(lines, source)
    .slice(0, MAX_DISPLAYED)
    .flatMap((region) => readDisplayed(region, source));
  const used = new Set(displayed.flatMap((formula) => formula.words));
  const inline = findInline(
    lines.filter(({ words: own }) => !own.some((word) => used.has(word))),
    source,
  ).flatMap((region) => readInline(region, source));
  for (const found of [...displayed, ...inline])
    found.words = found.words.map((word) => originals.get(word) ?? word);
  return { inline, displayed };
}

/** More than a page has room for. */
const MAX_DISPLAYED = 300;
/** Thicker lines are no bars of fractions, in points. */
const THICKEST = 2;

function parse({ words, rules }: FormulaRegion, { drawn, math }: FormulaSource): ParsedRow[] {
  const elements: Element[] = [];
  const used = new Set<number>();
  for (const word of words)
    for (const i of math.glyphsOf(word)) {
      used.add(i);
      const element = readElement(drawn.glyphs, i);
      if (element) elements.push(element);
    }
  checkComplete(drawn.glyphs, around(elements), used);
  return parseFormula(elements, rules.map(readBar));
}

/** Nothing that is drawn among its letters may be left out. */
function checkComplete(
  { ink, codes, sizes, count }: Glyphs,
  extent: Extent,
  used: ReadonlySet<number>,
): void {
  for (let i = 0; i < count; i += 1) {
    const y = ((ink[i * 4 + 1] as number) + (ink[i * 4 + 3] as number)) / 2;
    // Most glyphs of a page stand above or below.
    if (y > extent.bottom || y < extent.top - (sizes[i] as number)) continue;
    const [left, right] = [ink[i * 4] as number, ink[i * 4 + 2] as number];
    const x = (left + right) / 2;
    if (x < extent.left || x > extent.right || used.has(i)) continue;
    const code = codes[i] as number;
    // Accents stand above everything else.
    if (y < extent.top - (mayBeAccent(code) ? (sizes[i] as number) * 0.4 : 0)) continue;
    if (right - left > 0.1 && !isSpace(code)) throw new Unclear('a glyph that is not part of it');
  }
}

function readDisplayed(region: FormulaRegion, source: FormulaSource): PlacedFormula[] {
  const number = region.number?.map(({ text }) => text).join('');
  const words = [...region.words, ...(region.number ?? [])];
  try {
    const rows = parse(region, source);
    const lowest = rows.length - 1;
    const wordsOf = wordsByRow(region.words, rows);
    return rows.map(({ node, extent, level }, i): PlacedFormula => {
      // A number belongs to the last row.
      const own = i === lowest ? number : undefined;
      const { left, top, right, bottom } = extent;
      return {
        formula: { node, display: true, ...(own ? { number: own } : {}) },
        text: formulaText(node) + (own ? ` ${own}` : ''),
        box: { x: left, y: top, width: right - left, height: bottom - top },
        baseline: level,
        rules: region.rules,
        words: [...(wordsOf[i] ?? []), ...((i === lowest && region.number) || [])],
      };
    });
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    const box = boxAround([
      ...region.words.map((word) => word.box),
      ...region.rules.map(({ from, to, at }) => ({ x: from, y: at, width: to - from, height: 0 })),
      ...inkBoxes(region, source),
    ]);
    const text = region.words
      .map((word) => (word.glued ? '' : ' ') + word.text)
      .join('')
      .trim();
    return [{ formula: undefined, text, box, baseline: box.y + box.height / 2, words, rules: region.rules }];
  }
}

/** Each word belongs to the row it is nearest to. */
function wordsByRow(words: readonly Word[], rows: readonly ParsedRow[]): Word[][] {
  const byRow: Word[][] = rows.map(() => []);
  for (const word of words) {
    const level = word.box.y + word.box.height / 2;
    const distances = rows.map(({ extent: { top, bottom } }) => Math.max(top - level, level - bottom));
    byRow[distances.indexOf(Math.min(...distances))]?.push(word);
  }
  return byRow;
}

function inkBoxes({ words }: FormulaRegion, { drawn, math }: FormulaSource): Box[] {
  const { ink } = drawn.glyphs;
  return words.flatMap((word) =>
    math.glyphsOf(word).map((i) => {
      const [left = 0, top = 0, right = 0, bottom = 0] = ink.subarray(i * 4, i * 4 + 4);
      return { x: left, y: top, width: right - left, height: bottom - top };
    }),
  );
}

function readInline(region: FormulaRegion, source: FormulaSource): PlacedFormula[] {
  try {
    const [row, ...more] = parse(region, source);
    if (!row || more.length > 0 || !saysMore(row.node)) return [];
    const { extent, level } = row;
    const { left, top, right, bottom } = extent;
    const { node, tail } = withoutPunctuation(row.node);
    return [
      {
        formula: { node, display: false },
        text: formulaText(node),
        ...(tail === '' ? {} : { tail }),
        box: { x: left, y: top, width: right - left, height: bottom - top },
        baseline: level,
        rules: region.rules,
        words: region.words,
      },
    ];
  } catch (error) {
    if (error instanceof Unclear) return [];
    throw error;
  }
}

/** What ends a sentence is no part of a formula within it. */
function withoutPunctuation(node: MathNode): { node: MathNode; tail: string } {
  const last = node.kind === 'row' ? node.items.at(-1) : undefined;
  if (node.kind !== 'row' || last?.kind !== 'sign' || !/^[.,;:]$/.test(last.text)) return { node, tail: '' };
  const items = node.items.slice(0, -1);
  const inner = withoutPunctuation(items.length === 1 ? (items[0] as MathNode) : { kind: 'row', items });
  return { node: inner.node, tail: inner.tail + last.text };
}

/** Signs alone are as good in text. */
function saysMore(node: MathNode): boolean {
  if (node.kind === 'sign') return /\p{L}/u.test(node.text);
  return true;
}
