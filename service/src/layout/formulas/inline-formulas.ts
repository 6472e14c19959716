// Formulas within lines of text: from a letter in a font of formulas as far as what is beside it can belong to it.
import type { TextLine } from '../lines/text-lines.ts';
import type { Word } from '../words/word.ts';
import type { FormulaRegion, FormulaSource } from './regions.ts';
import { AXIS } from './signs.ts';

/** Wider gaps end a formula, in sizes. */
const WIDEST_GAP = 0.55;
/** Beside an operator of a line that is set loosely. */
const OPERATOR_GAP = 0.8;
const OPERATOR = /^[-=<>≤≥⩽⩾≠≈≡∼+−×·±∈→∪∩/|∥]+$/;
const NUMBER = /^\d+(?:[.,]\d+)*$/;
const PUNCTUATION = /^[.,:;!?]+$/;

export function findInline(lines: readonly TextLine[], source: FormulaSource): FormulaRegion[] {
  const stacked = new Set<Word>();
  return withFractions(lines, source, stacked).flatMap((line) => inLine(line, source, stacked));
}

/** How far from its line the bar of a fraction is, and how far its parts from the bar, in sizes. */
const BAR_LEVEL = 0.14;
const BAR_REACH = 1.25;
const LONGEST_BAR = 15;

/** Lines with the words of their fractions, which stand above and below them. */
function withFractions(
  lines: readonly TextLine[],
  { rules }: FormulaSource,
  stacked: Set<Word>,
): readonly TextLine[] {
  const added = new Map<TextLine, Word[]>();
  const words = lines.flatMap((line) => line.words);
  for (const { from, to, at } of rules) {
    const host = lines.find(
      ({ baseline, size, box }) =>
        Math.abs(at - baseline + size * AXIS) < size * BAR_LEVEL &&
        from > box.x - size &&
        to < box.x + box.width + size * LONGEST_BAR &&
        to - from < size * LONGEST_BAR,
    );
    if (!host) continue;
    const { size } = host;
    const near = words.filter(
      ({ box, baseline }) =>
        box.x > from - size * 0.2 &&
        box.x + box.width < to + size * 0.2 &&
        Math.abs(baseline - size * AXIS - at) < size * BAR_REACH,
    );
    const [over, under] = [
      near.filter((word) => word.baseline < at + 0.5),
      near.filter((word) => word.baseline > at + size * 0.3),
    ];
    if (over.length === 0 || under.length === 0 || near.some((word) => word.style.size > size * 0.9))
      continue;
    for (const word of near) stacked.add(word);
    added.set(host, [...(added.get(host) ?? []), ...near]);
  }
  if (stacked.size === 0) return lines;
  return lines.map((line) => {
    const own = line.words.filter((word) => !stacked.has(word));
    const all = [...own, ...(added.get(line) ?? [])].sort((a, b) => a.box.x - b.box.x);
    return { ...line, words: all };
  });
}

function inLine(line: TextLine, source: FormulaSource, stacked: ReadonlySet<Word>): FormulaRegion[] {
  const { math } = source;
  const { words } = line;
  if (line.direction === 'rtl' || !words.some((word) => math.letters.has(word))) return [];
  const found: FormulaRegion[] = [];
  let done = 0;
  for (let i = 0; i < words.length; ) {
    if (!math.letters.has(words[i] as Word)) {
      i += 1;
      continue;
    }
    let [from, to] = [i, i];
    while (from > done && goesOn(words, from - 1, from, line, source, stacked)) from -= 1;
    while (to + 1 < words.length && goesOn(words, to, to + 1, line, source, stacked)) to += 1;
    const run = words.slice(from, to + 1);
    // A bracket that is opened or closed elsewhere is one of the text.
    const odd = oddBracket(run);
    const kept = trimmed(odd < 0 ? run : run.slice(0, odd), line.size, source);
    if (kept.some((word) => math.letters.has(word))) found.push(withBars(kept, line, source));
    i = odd < 0 ? to + 1 : Math.max(i, from + odd) + 1;
    done = i;
  }
  return found;
}

/** Whether two words that stand beside each other may be of one formula. */
function goesOn(
  words: readonly Word[],
  left: number,
  right: number,
  line: TextLine,
  { math }: FormulaSource,
  stacked: ReadonlySet<Word>,
): boolean {
  const [before, after] = [words[left] as Word, words[right] as Word];
  const gap = after.box.x - before.box.x - before.box.width;
  // A sentence ends, and the next begins with a formula.
  if (/[.;:!?]$/.test(before.text) && gap > line.size * 0.2) return false;
  const widest = OPERATOR.test(before.text) || OPERATOR.test(after.text) ? OPERATOR_GAP : WIDEST_GAP;
  return gap < line.size * widest && [before, after].every((word) => stacked.has(word) || math.mayBe(word));
}

/** What stands at the ends without need is text: punctuation, brackets that are not closed, numbers of their own. */
function trimmed(words: readonly Word[], size: number, { math }: FormulaSource): Word[] {
  const kept = [...words];
  for (let more = true; more && kept.length > 0; ) {
    more = false;
    const [first, second] = kept as [Word, Word?];
    const last = kept.at(-1) as Word;
    if (!math.letters.has(first) && !mayBegin(first, second, kept)) {
      kept.shift();
      more = true;
    } else if (!math.letters.has(last) && !mayEnd(last, kept, size)) {
      kept.pop();
      more = true;
    }
  }
  return kept;
}

function mayBegin(word: Word, next: Word | undefined, all: readonly Word[]): boolean {
  if (PUNCTUATION.test(word.text)) return false;
  if (/^[([{|⟨⌊⌈∥]+$/.test(word.text)) return isBalanced(all) && isClosedBeforeEnd(all) !== 'whole';
  if (NUMBER.test(word.text)) return next !== undefined && (next.glued || OPERATOR.test(next.text));
  if (/^[)\]}]/.test(word.text)) return false;
  return (
    /^[−\-+¬∀∃∂∇∑∫∏√±]/.test(word.text) ||
    /\p{L}/u.test(word.text) ||
    (next?.glued === true && isBalanced(all))
  );
}

function mayEnd(word: Word, all: readonly Word[], size: number): boolean {
  if (PUNCTUATION.test(word.text) || OPERATOR.test(word.text) || /^[([{]/.test(word.text)) return false;
  if (word.style.size < size * 0.87) return true;
  // Punctuation behind it is parted from it when its letters are read.
  if (/^[)\]}|⟩⌋⌉∥]+[.,:;]*$/.test(word.text)) return isBalanced(all);
  return true;
}

/** The first word with a bracket that has no other half; -1 without. */
function oddBracket(words: readonly Word[]): number {
  const open: number[] = [];
  for (const [at, { text }] of words.entries()) {
    for (const letter of text) {
      if (/[([{]/.test(letter)) open.push(at);
      else if (/[)\]}]/.test(letter) && open.pop() === undefined) return at;
    }
  }
  return open[0] ?? -1;
}

function isBalanced(words: readonly Word[]): boolean {
  let depth = 0;
  for (const letter of words.map(({ text }) => text).join('')) {
    if (/[([{⟨⌊⌈]/.test(letter)) depth += 1;
    if (/[)\]}⟩⌋⌉]/.test(letter)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Brackets around the whole are those of the text. */
function isClosedBeforeEnd(words: readonly Word[]): 'whole' | 'part' {
  const text = words.map((word) => word.text).join('');
  let depth = 0;
  for (const [i, letter] of [...text].entries()) {
    if (/[([{]/.test(letter)) depth += 1;
    if (/[)\]}]/.test(letter)) depth -= 1;
    if (depth === 0 && i < text.length - 1) return 'part';
  }
  // A pair or an interval, (a, b), is one thing.
  return /[,;]/.test(text) ? 'part' : 'whole';
}

/** Roots and fractions within a line. */
function withBars(words: readonly Word[], line: TextLine, { rules }: FormulaSource): FormulaRegion {
  const [left, right] = [
    Math.min(...words.map(({ box }) => box.x)),
    Math.max(...words.map(({ box }) => box.x + box.width)),
  ];
  const { size, baseline } = line;
  const within = rules.filter(
    ({ from, to, at }) =>
      from > left - size * 0.3 &&
      to < right + size * 0.3 &&
      at > baseline - size * 1.6 &&
      at < baseline + size * 0.6,
  );
  return { words: [...words], rules: within };
}
