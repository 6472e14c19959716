// A formula as it is built: what stands over, under, in and beside what. Plain data; writers turn it into LaTeX, OMML
// or a line of text.

/** How letters of formulas are told apart beside their form: 𝑥, x, 𝐱, ℝ, ℒ, 𝔤. */
export type Face =
  | 'italic'
  | 'upright'
  | 'bold'
  | 'bold italic'
  | 'blackboard'
  | 'script'
  | 'fraktur'
  | 'sans'
  | 'monospace';

export type MathNode =
  | { kind: 'row'; items: MathNode[] }
  /** A letter, digit or sign. */
  | { kind: 'sign'; text: string; face: Face }
  /** Letters that are one word: the name of a function, or text within a formula. */
  | { kind: 'name'; text: string; face: Face }
  /** As wide as between two formulas, or as between two words. */
  | { kind: 'space'; wide: boolean }
  /** Without a bar it is what binomial coefficients are made of. */
  | { kind: 'fraction'; over: MathNode; under: MathNode; bar: boolean }
  | { kind: 'root'; of: MathNode; index?: MathNode }
  /** `limits`: they stand under and over the base, not behind it. */
  | { kind: 'scripts'; base: MathNode; sub?: MathNode; sup?: MathNode; limits: boolean }
  /** The mark as a character of its own, such as ˆ or →. */
  | { kind: 'accent'; mark: string; base: MathNode; wide: boolean }
  | { kind: 'line'; base: MathNode; where: 'over' | 'under' }
  /** Delimiters that are as tall as what they hold; an empty one is not drawn. */
  | { kind: 'fence'; open: string; close: string; inside: MathNode }
  | { kind: 'matrix'; rows: MathNode[][] };

export interface Formula {
  node: MathNode;
  /** It stands on lines of its own. */
  display: boolean;
  /** As printed beside it: "(3)". */
  number?: string;
}

/** Whether this is a formula on lines of its own. */
export const isDisplayed = ({ runs }: { runs: readonly { formula?: Formula }[] }): boolean =>
  runs.some(({ formula }) => formula?.display);

/** The layout cannot be told for sure. */
export class Unclear extends Error {}
