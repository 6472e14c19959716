// Text of a content stream, and the font that each string of it is shown in.
import type { PdfValue } from '../objects.ts';
import { NameScanner } from '../syntax/content-names.ts';

interface TextListener {
  fontNamed(name: string): PdfValue | undefined;
  fontOfState(name: string): PdfValue | undefined;
  show(font: PdfValue, strings: Iterable<Uint8Array>): void;
}

/** Follows the font through a content stream. */
export class TextScanner extends NameScanner {
  /** Text was shown before a font was set. */
  showsUnset = false;
  /** Text was shown in a font that no resources hold. */
  showsUnknown = false;
  private readonly listener: TextListener;
  private font: { value: PdfValue | undefined } | undefined;
  private readonly saved: TextScanner['font'][] = [];

  constructor(bytes: Uint8Array, listener: TextListener) {
    super(bytes);
    this.listener = listener;
  }

  protected override meet(operator: string, name: string | undefined): void {
    super.meet(operator, name);
    if (operator === 'Tf' && name !== undefined) this.font = { value: this.listener.fontNamed(name) };
    else if (operator === 'gs' && name !== undefined) {
      const value = this.listener.fontOfState(name);
      if (value !== undefined) this.font = { value };
    } else if (operator === 'q') this.saved.push(this.font);
    else if (operator === 'Q') {
      if (this.saved.length > 0) this.font = this.saved.pop();
    } else if (operator === 'Tj' || operator === 'TJ' || operator === "'" || operator === '"') {
      if (!this.font) this.showsUnset = true;
      else if (this.font.value === undefined) this.showsUnknown = true;
      else this.listener.show(this.font.value, this.shownStrings());
    }
  }
}
