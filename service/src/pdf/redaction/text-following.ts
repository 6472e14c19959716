// Text while content is followed: its characters are listed, or taken out where the plan says so.

import { TextCursor, type TextState } from '../content/text-state.ts';
import { PdfString, type PdfValue } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { Glyph } from './glyph-list.ts';
import { Debt, type Shown } from './remaining-text.ts';
import type { Follower, RunContext } from './run-context.ts';

/** From this rendering mode on text is added to the clip. */
const CLIPPING_MODE = 4;

/** Operators that set a place anew, whatever was shown before. */
const PLACING = new Set(['BT', 'ET', 'Tm', 'Td', 'TD', 'T*', "'", '"']);

export class TextFollowing implements Follower {
  private readonly run: RunContext;
  /** The marked content with a text of its own that is open. */
  private readonly openSpan: () => number | undefined;
  private readonly cursor = new TextCursor();
  private readonly debt = new Debt();
  private clippingGlyphs = 0;
  private clippingGone = 0;

  constructor(run: RunContext, openSpan: () => number | undefined) {
    this.run = run;
    this.openSpan = openSpan;
  }

  follow(operation: Operation): boolean {
    const { operator, operands } = operation;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map((each) =>
      typeof each === 'number' ? each : 0,
    );
    const { leading } = this.run.state.text;
    if (PLACING.has(operator)) this.debt.forget();
    switch (operator) {
      case 'BT':
        this.cursor.begin();
        this.clippingGlyphs = 0;
        this.clippingGone = 0;
        return true;
      case 'ET':
        this.endText(operation);
        return true;
      case 'Tm':
        this.cursor.set([a, b, c, d, e, f]);
        return true;
      case 'Td':
        this.cursor.newLine(a, b);
        return true;
      case 'TD':
        this.set({ leading: -b });
        this.cursor.newLine(a, b);
        return true;
      case 'T*':
        this.cursor.newLine(0, -leading);
        return true;
      case 'Tc':
        return this.set({ characterSpacing: a });
      case 'Tw':
        return this.set({ wordSpacing: a });
      case 'Tz':
        return this.set({ stretch: a / 100 });
      case 'TL':
        return this.set({ leading: a });
      case 'Ts':
        return this.set({ rise: a });
      case 'Tr':
        this.run.state = { ...this.run.state, mode: a };
        return true;
      case 'Tf':
        this.run.setFont(this.run.resources.get('Font', operands[0]), b);
        return true;
      case 'Tj':
        return this.show(operation, [operands[0] ?? null], '');
      case 'TJ':
        return this.show(operation, Array.isArray(operands[0]) ? operands[0] : [], '');
      case "'":
        this.cursor.newLine(0, -leading);
        return this.show(operation, [operands[0] ?? null], 'T* ');
      case '"':
        this.set({ wordSpacing: a, characterSpacing: b });
        this.cursor.newLine(0, -leading);
        return this.show(operation, [operands[2] ?? null], `${formatNumber(a)} Tw ${formatNumber(b)} Tc T* `);
      default:
        return false;
    }
  }

  private set(changed: Partial<TextState>): true {
    this.run.state = { ...this.run.state, text: { ...this.run.state.text, ...changed } };
    return true;
  }

  private show(operation: Operation, items: readonly PdfValue[], before: string): true {
    const { text, ctm, font, mode } = this.run.state;
    const span = this.openSpan();
    const shown: Shown[] = [];
    let isAnyGone = false;
    const measuredText = text.font ? text : { ...text, font };
    for (const item of items) {
      if (typeof item === 'number') {
        this.cursor.adjust(item, measuredText);
        shown.push({ number: item });
      } else if (item instanceof PdfString) {
        let at = 0;
        for (const placed of this.cursor.show(item.bytes, measuredText, ctm)) {
          const code = item.bytes.subarray(at, at + placed.length);
          at += placed.length;
          const index = this.run.work.nextGlyph();
          const isGone = this.run.work.plan?.isGone(index) ?? false;
          if (isGone) isAnyGone = true;
          shown.push({ code, isGone, adjustment: placed.adjustment });
          if (mode >= CLIPPING_MODE) {
            this.clippingGlyphs += 1;
            if (isGone) this.clippingGone += 1;
          }
          if (this.run.work.plan) continue;
          const raw = Buffer.from(code).toString('latin1');
          this.run.work.list(new Glyph(placed, font.vertical, font.read(code), { index, raw, span }));
        }
      }
    }
    if (isAnyGone) this.run.marks.loseContent();
    else if (!this.debt.isOwed) return true;
    const unit = measuredText.size * (font.vertical ? 1 : measuredText.stretch);
    this.run.replace(operation, `${before}${this.debt.remainingText(shown, unit)}`);
    return true;
  }

  private endText(operation: Operation): void {
    // No text in the clip means no clip at all to readers; here nothing is left that could show.
    if (this.clippingGlyphs > 0 && this.clippingGone === this.clippingGlyphs)
      this.run.replace(operation, 'ET 0 0 0 0 re W n');
  }
}
