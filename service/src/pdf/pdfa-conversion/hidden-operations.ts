// A content stream without what is not shown of it. "Graphics state operations shall still be applied" (ISO 32000-1,
// 8.11.3.2): only what paints goes, and text moves on as if it had been shown.

import { ContentInterpreter } from '../content/content-interpreter.ts';
import { ContentOutput } from '../content/content-output.ts';
import type { ContentPosition, ContentVisitor } from '../content/content-visitor.ts';
import { CLIPPING_MODE, INITIAL_STATE } from '../content/graphics-state.ts';
import type { PathPainting } from '../content/operators.ts';
import { beforeShowing } from '../content/text-operators.ts';
import type { PdfDocument } from '../document.ts';
import type { FontMeasures } from '../fonts/glyph-widths.ts';
import { IDENTITY } from '../geometry/matrix.ts';
import { type Dict, isName, PdfString, type PdfValue, type Ref, type Stream } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { formatNumber, formatValue } from '../syntax/object-syntax.ts';

export interface Hiding {
  isHidden(value: PdfValue | undefined): boolean;
  fonts: FontMeasures;
}

const ONLY_CLIPPING = 7;

/** Undefined where all of it is shown. */
export function withoutHidden(
  doc: PdfDocument,
  content: Uint8Array,
  resources: Dict,
  hiding: Hiding,
): Uint8Array | undefined {
  const drawn = doc.dict(resources.get('XObject'));
  const isAnyHidden = [...(drawn?.values() ?? [])].some((value) =>
    hiding.isHidden(doc.dict(value)?.get('OC')),
  );
  const hasMarks = Buffer.from(content.buffer, content.byteOffset, content.length).includes('/OC');
  if (!hasMarks && !isAnyHidden) return undefined;
  const hidden = new Hidden(content, hiding);
  new ContentInterpreter(doc, { content: () => content, resources, state: INITIAL_STATE }).run(hidden);
  return hidden.left();
}

class Hidden implements ContentVisitor {
  readonly fonts: FontMeasures;
  private readonly isHidden: Hiding['isHidden'];
  private readonly output: ContentOutput;
  /** For each marked content that is open: whether it is hidden. */
  private readonly open: boolean[] = [];
  private hidden = 0;
  private path: Operation[] = [];

  constructor(content: Uint8Array, { isHidden, fonts }: Hiding) {
    this.isHidden = isHidden;
    this.fonts = fonts;
    this.output = new ContentOutput(content);
  }

  left(): Uint8Array | undefined {
    return this.output.isChanged ? this.output.finish() : undefined;
  }

  beginMarkedContent(properties: PdfValue | undefined, { operator, operands }: Operation): void {
    const isLayer = operator === 'BDC' && isName(operands[0], 'OC');
    const isHidden = isLayer && this.isHidden(properties);
    this.open.push(isHidden);
    if (isHidden) this.hidden += 1;
  }

  endMarkedContent(): void {
    this.hidden -= this.open.pop() ? 1 : 0;
  }

  drawForm(_ref: Ref, dict: Dict, operation: Operation): void {
    if (this.hidden > 0 || this.isHidden(dict.get('OC'))) this.replace(operation, '');
  }

  drawImage(ref: Ref, dict: Dict, operation: Operation): void {
    this.drawForm(ref, dict, operation);
  }

  drawOther(ref: Ref, { dict }: Stream, operation: Operation): void {
    this.drawForm(ref, dict, operation);
  }

  drawInlineImage(_dict: Dict, operation: Operation): void {
    if (this.hidden > 0) this.replace(operation, '');
  }

  paintShading(_shading: unknown, operation: Operation): void {
    if (this.hidden > 0) this.replace(operation, '');
  }

  constructPath(operation: Operation): void {
    this.path.push(operation);
  }

  paintPath({ fills, strokes }: PathPainting, operation: Operation, at: ContentPosition): void {
    if (this.hidden > 0 && (fills || strokes)) {
      if (at.path.clipping !== '') this.replace(operation, 'n');
      else for (const each of [...this.path, operation]) this.replace(each, '');
    }
    this.path = [];
  }

  showText(items: readonly PdfValue[], operation: Operation, at: ContentPosition): void {
    const { renderingMode, text } = at.state;
    if (this.hidden === 0 || renderingMode === ONLY_CLIPPING) return;
    const before = beforeShowing(operation);
    if (renderingMode >= CLIPPING_MODE) {
      const shown = `${before}${formatValue([...items])} TJ`;
      this.replace(operation, `${ONLY_CLIPPING} Tr ${shown} ${renderingMode} Tr`);
      return;
    }
    let moved = 0;
    for (const item of items) {
      if (typeof item === 'number') moved += item;
      else if (item instanceof PdfString)
        for (const { adjustment } of at.cursor.show(item.bytes, text, IDENTITY)) moved += adjustment;
    }
    this.replace(operation, `${before}${moved === 0 ? '' : `[${formatNumber(moved)}] TJ`}`);
  }

  private replace(operation: Operation, text: string): void {
    // Text in the middle of a path is no PDF; what was replaced stays so.
    if (operation.start >= this.output.copied) this.output.replace(operation, ` ${text} `);
  }
}
