// Lines drawn under words or through them: underlined and struck out text.
import type { Rule } from '../../contract/page-items.ts';
import type { TextStyle } from '../model.ts';
import type { Word } from './word.ts';

/** Below the baseline an underline is so far at most, and through the letters a line is so far above it, by the size. */
const DEEPEST = 0.24;
const STRIKE_LOW = 0.14;
const STRIKE_HIGH = 0.42;
const THICKEST = 0.14;
/** How much longer than its words a line may be, at either end: a border of a table, or a rule, is longer. */
const OVERHANG = 0.4;
/** Pieces of one line are less apart than this, in points: letters that reach down interrupt it. */
const PIECES_APART = 8;
const SAME_HEIGHT = 0.4;
/** A page of so many lines is a figure. */
const MAX_RULES = 3_000;

/** Changes the styles of words that have such lines. */
export function markUnderlined(words: readonly Word[], rules: readonly Rule[]): void {
  const level = rules.filter(({ axis, thickness }) => axis === 'horizontal' && thickness < 4);
  if (level.length === 0 || level.length > MAX_RULES) return;
  const upright = words.filter(({ turn }) => turn === 0).toSorted((a, b) => a.baseline - b.baseline);
  const styles = new DecoratedStyles();
  for (const rule of wholeRules(level)) {
    const near = wordsNear(upright, rule);
    decorate(
      near.filter((word) => isUnder(word, rule)),
      rule,
      'underline',
      styles,
    );
    decorate(
      near.filter((word) => isThrough(word, rule)),
      rule,
      'strike',
      styles,
    );
  }
}

/** Pieces at one height as one line. */
function wholeRules(rules: readonly Rule[]): Rule[] {
  const whole: Rule[] = [];
  for (const rule of rules.toSorted(
    (a, b) => Math.round(a.at * 2) - Math.round(b.at * 2) || a.from - b.from,
  )) {
    const last = whole.at(-1);
    const isPiece =
      last &&
      Math.abs(last.at - rule.at) < SAME_HEIGHT &&
      Math.abs(last.thickness - rule.thickness) < SAME_HEIGHT &&
      last.color === rule.color &&
      rule.from - last.to < PIECES_APART;
    if (isPiece) last.to = Math.max(last.to, rule.to);
    else whole.push({ ...rule });
  }
  return whole;
}

/** Words whose baselines are near the line and that begin and end over it; words by their baselines. */
function wordsNear(words: readonly Word[], { at, from, to }: Rule): Word[] {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] as Word).baseline < at - REACH) low = middle + 1;
    else high = middle;
  }
  const near: Word[] = [];
  for (let i = low; i < words.length && (words[i] as Word).baseline <= at + REACH; i += 1) {
    const word = words[i] as Word;
    const slack = word.style.size * 0.15;
    if (word.box.x >= from - slack && word.box.x + word.box.width <= to + slack) near.push(word);
  }
  return near;
}

/** In points: no line of such writing is farther from its baseline. */
const REACH = 24;

const isUnder = ({ baseline, style }: Word, { at, thickness }: Rule): boolean =>
  at > baseline && at - baseline < style.size * DEEPEST && thickness < style.size * THICKEST;

const isThrough = ({ baseline, style }: Word, { at, thickness }: Rule): boolean =>
  baseline - at > style.size * STRIKE_LOW &&
  baseline - at < style.size * STRIKE_HIGH &&
  thickness < style.size * THICKEST;

function decorate(
  words: readonly Word[],
  rule: Rule,
  how: 'underline' | 'strike',
  styles: DecoratedStyles,
): void {
  if (words.length === 0) return;
  const left = Math.min(...words.map(({ box }) => box.x));
  const right = Math.max(...words.map(({ box }) => box.x + box.width));
  const overhang = OVERHANG * Math.max(...words.map(({ style }) => style.size));
  if (left - rule.from > overhang || rule.to - right > overhang) return;
  for (const word of words) word.style = styles.with(word.style, how);
}

/** One object for one look. */
class DecoratedStyles {
  private readonly made = new Map<TextStyle, Partial<Record<'underline' | 'strike', TextStyle>>>();

  with(style: TextStyle, how: 'underline' | 'strike'): TextStyle {
    if (style[how]) return style;
    const known = this.made.get(style) ?? {};
    this.made.set(style, known);
    known[how] ??= { ...style, [how]: true };
    return known[how];
  }
}
