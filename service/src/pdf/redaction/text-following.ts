// Text while content is followed: its characters are listed, or taken out where the plan says so.

import { CLIPPING_MODE } from '../content/graphics-state.ts';
import { beforeShowing } from '../content/text-operators.ts';
import { PdfString, type PdfValue } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { Glyph } from './glyph-list.ts';
import { Debt, type Shown } from './remaining-text.ts';
import type { Position, RunContext } from './run-context.ts';

/** Operators that set a place anew, whatever was shown before. */
const PLACING = new Set(['BT', 'ET', 'Tm', 'Td', 'TD', 'T*', "'", '"']);

export class TextFollowing {
  private readonly run: RunContext;
  /** The marked content with a text of its own that is open. */
  private readonly openSpan: () => number | undefined;
  private readonly debt = new Debt();
  private clippingGlyphs = 0;
  private clippingGone = 0;

  constructor(run: RunContext, openSpan: () => number | undefined) {
    this.run = run;
    this.openSpan = openSpan;
  }

  /** Any operation, before its effect. */
  meet(operation: Operation): void {
    const { operator } = operation;
    if (!PLACING.has(operator)) return;
    this.debt.forget();
    if (operator === 'ET') this.endText(operation);
    else if (operator === 'BT') {
      this.clippingGlyphs = 0;
      this.clippingGone = 0;
    }
  }

  show(items: readonly PdfValue[], operation: Operation, at: Position): void {
    const { text, ctm, renderingMode } = at.state;
    const { font } = text;
    // There is one from the beginning.
    if (!font) return;
    const span = this.openSpan();
    const shown: Shown[] = [];
    let isAnyGone = false;
    for (const item of items) {
      if (typeof item === 'number') {
        at.cursor.adjust(item, text);
        shown.push({ number: item });
      } else if (item instanceof PdfString) {
        let begin = 0;
        for (const placed of at.cursor.show(item.bytes, text, ctm)) {
          const code = item.bytes.subarray(begin, begin + placed.length);
          begin += placed.length;
          const index = this.run.work.nextGlyph();
          const isGone = this.run.work.plan?.isGone(index) ?? false;
          if (isGone) isAnyGone = true;
          shown.push({ code, isGone, adjustment: placed.adjustment });
          if (renderingMode >= CLIPPING_MODE) {
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
    else if (!this.debt.isOwed) return;
    const unit = text.size * (font.vertical ? 1 : text.stretch);
    const before = beforeShowing(operation);
    this.run.replace(operation, `${before}${this.debt.remainingText(shown, unit)}`);
  }

  private endText(operation: Operation): void {
    // No text in the clip means no clip at all to readers; here nothing is left that could show.
    if (this.clippingGlyphs > 0 && this.clippingGone === this.clippingGlyphs)
      this.run.replace(operation, 'ET 0 0 0 0 re W n');
  }
}
