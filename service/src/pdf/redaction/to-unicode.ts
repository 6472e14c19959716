// ToUnicode CMaps: which text each code stands for (ISO 32000-1, 9.10.3).
import { ContentReader } from '../content/content-reader.ts';
import type { PdfDocument } from '../document.ts';
import { PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { contentOf } from '../pages/page-form.ts';

/** Codes as their bytes in hexadecimal. */
export type ToUnicode = ReadonlyMap<string, string>;

const MAX_CODES = 200_000;

export function toUnicodeOf(doc: PdfDocument, value: PdfValue | undefined): ToUnicode | undefined {
  if (!(value instanceof Ref) || !(doc.resolve(value) instanceof Stream)) return undefined;
  const map = new Map<string, string>();
  const reader = new ContentReader(contentOf(doc, value));
  for (let operation = reader.next(); operation && map.size < MAX_CODES; operation = reader.next()) {
    const { operator, operands } = operation;
    if (operator === 'endbfchar') readCharacters(operands, map);
    else if (operator === 'endbfrange') readRanges(operands, map);
  }
  return map;
}

function readCharacters(operands: readonly PdfValue[], map: Map<string, string>): void {
  for (let at = 0; at + 1 < operands.length; at += 2) {
    const [code, text] = [operands[at], operands[at + 1]];
    if (code instanceof PdfString && text instanceof PdfString) map.set(hexOf(code.bytes), utf16(text.bytes));
  }
}

function readRanges(operands: readonly PdfValue[], map: Map<string, string>): void {
  for (let at = 0; at + 2 < operands.length; at += 3) {
    const [low, high, target] = [operands[at], operands[at + 1], operands[at + 2]];
    if (!(low instanceof PdfString) || !(high instanceof PdfString)) continue;
    const length = low.bytes.length;
    const [first, last] = [numberOf(low.bytes), numberOf(high.bytes)];
    for (let code = first; code <= last && code - first < 65_536 && map.size < MAX_CODES; code += 1) {
      const text = rangeText(target, code - first);
      if (text !== undefined) map.set(code.toString(16).padStart(length * 2, '0'), text);
    }
  }
}

function rangeText(target: PdfValue | undefined, offset: number): string | undefined {
  if (Array.isArray(target)) {
    const each = target[offset];
    return each instanceof PdfString ? utf16(each.bytes) : undefined;
  }
  if (!(target instanceof PdfString) || target.bytes.length === 0) return undefined;
  const bytes = Buffer.from(target.bytes);
  const last = utf16(bytes);
  const [head, tail] = [last.slice(0, -1), last.charCodeAt(last.length - 1)];
  return head + String.fromCharCode(tail + offset);
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const numberOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

function utf16(bytes: Uint8Array): string {
  // A single byte is no UTF-16, and is written all the same.
  if (bytes.length === 1) return String.fromCharCode(bytes[0] as number);
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');
}
