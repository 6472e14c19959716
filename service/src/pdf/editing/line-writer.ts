// The operators of a string that is written anew: glyphs and numbers of TJ, and what stands between in other fonts.

import { PdfString } from '../objects.ts';
import { formatName, formatNumber, formatValue } from '../syntax/object-syntax.ts';
import type { AddedResources } from './added-resources.ts';
import type { State } from './shown-text.ts';

/** Less than this, in thousandths of the size, nobody sees. */
const UNSEEN = 0.02;

/** Places are thousandths of the size from the beginning of the string. */
export class LineWriter {
  readonly state: State;
  readonly resources: AddedResources;
  private readonly out: string[] = [];
  private items: string[] = [];
  private codes: Uint8Array[] = [];
  private at = 0;
  /** How much narrower than usual the text is set at the moment. */
  private factor = 1;

  constructor(state: State, resources: AddedResources) {
    this.state = state;
    this.resources = resources;
  }

  moveTo(place: number): void {
    const by = (place - this.at) / this.factor;
    if (Math.abs(by) >= UNSEEN) this.gap(by);
  }

  /** To the right by so much, before narrowing. */
  gap(by: number): void {
    this.closeCodes();
    const number = Math.round(-by * 1000) / 1000;
    this.items.push(formatNumber(number));
    this.at -= number * this.factor;
  }

  show(code: Uint8Array, advance: number): void {
    this.codes.push(code);
    this.at += advance * this.factor;
  }

  /** Operators that set fonts and show text by themselves; the text state is as before afterwards. */
  through(operators: readonly string[], advance: number): void {
    this.flush();
    const { text, font, fontName } = this.state;
    const { characterSpacing, wordSpacing } = text;
    const spaced: [number, string][] = [
      [characterSpacing, 'Tc'],
      [wordSpacing, 'Tw'],
    ];
    for (const [by, operator] of spaced) if (by !== 0) this.out.push(`0 ${operator}`);
    this.out.push(...operators);
    for (const [by, operator] of spaced) if (by !== 0) this.out.push(`${formatNumber(by)} ${operator}`);
    const name = this.resources.fontName(fontName, font);
    this.out.push(`${formatName(name)} ${formatNumber(text.size)} Tf`);
    this.at += advance * this.factor;
  }

  /** What follows is set narrower by this factor. */
  narrow(factor: number): void {
    if (factor === this.factor) return;
    this.flush();
    this.out.push(`${formatNumber(this.state.text.stretch * 100 * factor)} Tz`);
    this.factor = factor;
  }

  /** The operators; the line has come to this place behind them. */
  finish(end: number): string {
    this.narrow(1);
    this.moveTo(end);
    this.flush();
    return this.out.join(' ');
  }

  private closeCodes(): void {
    if (this.codes.length > 0) this.items.push(formatValue(new PdfString(Buffer.concat(this.codes))));
    this.codes = [];
  }

  private flush(): void {
    this.closeCodes();
    if (this.items.length > 0) this.out.push(`[${this.items.join(' ')}] TJ`);
    this.items = [];
  }
}
