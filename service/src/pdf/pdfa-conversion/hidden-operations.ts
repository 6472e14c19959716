// A content stream without what is not shown of it. "Graphics state operations shall still be applied" (ISO 32000-1,
// 8.11.3.2): only what paints goes, and text moves on as if it had been shown.

import { followTextOperator } from '../content/text-operators.ts';
import { INITIAL_TEXT, TextCursor, type TextState } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import type { FontMeasures } from '../fonts/glyph-widths.ts';
import { IDENTITY } from '../geometry/matrix.ts';
import { type Dict, isName, Name, PdfString, type PdfValue } from '../objects.ts';
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import { formatNumber, formatValue } from '../syntax/object-syntax.ts';

export interface Hiding {
  isHidden(value: PdfValue | undefined): boolean;
  fonts: FontMeasures;
}

const BUILDING = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're']);
const PAINTING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'S', 's']);
/** From this rendering mode on text is added to the clip. */
const CLIPPING_MODE = 4;
const ONLY_CLIPPING = 7;
const MAX_SAVED = 10_000;

/** Undefined where all of it is shown. */
export function withoutHidden(
  doc: PdfDocument,
  content: Uint8Array,
  resources: Dict,
  hiding: Hiding,
): Uint8Array | undefined {
  const drawn = doc.dict(resources.get('XObject'));
  const hiddenNames = [...(drawn ?? [])].filter(([, value]) => hiding.isHidden(doc.dict(value)?.get('OC')));
  const hasMarks = Buffer.from(content.buffer, content.byteOffset, content.length).includes('/OC');
  if (!hasMarks && hiddenNames.length === 0) return undefined;
  return new Hidden(doc, content, resources, hiding, new Set(hiddenNames.map(([key]) => key))).left();
}

interface State {
  text: TextState;
  mode: number;
}

class Hidden {
  private readonly doc: PdfDocument;
  private readonly content: Uint8Array;
  private readonly resources: Dict;
  private readonly hiding: Hiding;
  private readonly hiddenNames: ReadonlySet<string>;
  /** For each marked content that is open: whether it is hidden. */
  private readonly open: boolean[] = [];
  private hidden = 0;
  private state: State = { text: INITIAL_TEXT, mode: 0 };
  private readonly saved: State[] = [];
  private readonly cursor = new TextCursor();
  private path: Operation[] = [];
  private clips = false;
  private readonly pieces: Uint8Array[] = [];
  private copied = 0;

  constructor(
    doc: PdfDocument,
    content: Uint8Array,
    resources: Dict,
    hiding: Hiding,
    hiddenNames: ReadonlySet<string>,
  ) {
    this.doc = doc;
    this.content = content;
    this.resources = resources;
    this.hiding = hiding;
    this.hiddenNames = hiddenNames;
  }

  left(): Uint8Array | undefined {
    const reader = new ContentReader(this.content);
    for (let operation = reader.next(); operation; operation = reader.next()) this.take(operation);
    if (this.copied === 0) return undefined;
    return Buffer.concat([...this.pieces, this.content.subarray(this.copied)]);
  }

  private take(operation: Operation): void {
    const { operator, operands } = operation;
    if (operator === 'BDC' || operator === 'BMC') this.begin(operation);
    else if (operator === 'EMC') this.hidden -= this.open.pop() ? 1 : 0;
    else if (operator === 'q') {
      if (this.saved.length < MAX_SAVED) this.saved.push(this.state);
    } else if (operator === 'Q') this.state = this.saved.pop() ?? this.state;
    else if (operator === 'Do') {
      const [key] = operands;
      if (this.hidden > 0 || (key instanceof Name && this.hiddenNames.has(key.value)))
        this.replace(operation, '');
    } else if (operator === 'sh' || operator === 'BI') {
      if (this.hidden > 0) this.replace(operation, '');
    } else if (!this.takePath(operation)) this.takeText(operation);
  }

  private begin({ operator, operands }: Operation): void {
    const [tag, properties] = operands;
    const isLayer = operator === 'BDC' && tag instanceof Name && isName(tag, 'OC');
    const named =
      properties instanceof Name
        ? this.doc.dict(this.resources.get('Properties'))?.get(properties.value)
        : undefined;
    const isHidden = isLayer && this.hiding.isHidden(named);
    this.open.push(isHidden);
    if (isHidden) this.hidden += 1;
  }

  private takePath(operation: Operation): boolean {
    const { operator } = operation;
    if (BUILDING.has(operator)) this.path.push(operation);
    else if (operator === 'W' || operator === 'W*') this.clips = true;
    else if (operator === 'n' || PAINTING.has(operator)) {
      if (this.hidden > 0 && operator !== 'n') this.unpaint(operation);
      this.path = [];
      this.clips = false;
    } else return false;
    return true;
  }

  private unpaint(operation: Operation): void {
    if (this.clips) this.replace(operation, 'n');
    else for (const each of [...this.path, operation]) this.replace(each, '');
  }

  private takeText(operation: Operation): void {
    const { operator, operands } = operation;
    const numbers = operands.map((each) => (typeof each === 'number' ? each : 0));
    const { text } = this.state;
    if (operator === 'Tf') {
      const [key] = operands;
      const font =
        key instanceof Name ? this.doc.dict(this.resources.get('Font'))?.get(key.value) : undefined;
      this.state = {
        ...this.state,
        text: { ...text, font: this.hiding.fonts.of(font), size: numbers[1] ?? 0 },
      };
    } else if (operator === 'Tr') this.state = { ...this.state, mode: numbers[0] ?? 0 };
    else if (operator === 'Tj') this.show(operation, [operands[0] ?? null], '');
    else if (operator === 'TJ') this.show(operation, this.doc.array(operands[0] ?? null) ?? [], '');
    else if (operator === "'") this.show(operation, [operands[0] ?? null], 'T* ');
    else if (operator === '"') {
      const [wordSpacing = 0, characterSpacing = 0] = numbers;
      this.state = { ...this.state, text: { ...text, wordSpacing, characterSpacing } };
      const set = `${formatNumber(wordSpacing)} Tw ${formatNumber(characterSpacing)} Tc T* `;
      this.show(operation, [operands[2] ?? null], set);
    } else {
      const next = followTextOperator(operator, numbers, text, this.cursor);
      if (next) this.state = { ...this.state, text: next };
    }
  }

  private show(operation: Operation, items: readonly PdfValue[], before: string): void {
    const { mode, text } = this.state;
    if (this.hidden === 0 || mode === ONLY_CLIPPING) return;
    if (mode >= CLIPPING_MODE) {
      const shown = `${before}${formatValue([...items])} TJ`;
      this.replace(operation, `${ONLY_CLIPPING} Tr ${shown} ${mode} Tr`);
      return;
    }
    let moved = 0;
    for (const item of items) {
      if (typeof item === 'number') moved += item;
      else if (item instanceof PdfString)
        for (const { adjustment } of this.cursor.show(item.bytes, text, IDENTITY)) moved += adjustment;
    }
    this.replace(operation, `${before}${moved === 0 ? '' : `[${formatNumber(moved)}] TJ`}`);
  }

  private replace({ start, end }: Operation, text: string): void {
    // Text in the middle of a path is no PDF; what was replaced stays so.
    if (start < this.copied) return;
    this.pieces.push(this.content.subarray(this.copied, start), Buffer.from(` ${text} `, 'latin1'));
    this.copied = end;
  }
}
