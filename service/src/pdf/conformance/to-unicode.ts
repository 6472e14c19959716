// ToUnicode CMaps: what each code reads as (ISO 32000-1, 9.10.3).
import { ContentReader } from '../content/content-reader.ts';
import type { PdfDocument } from '../document.ts';
import { PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { contentOf } from '../pages/page-form.ts';

const MAX_ENTRIES = 200_000;

export type UnicodeMap = ReadonlyMap<number, string>;

/** Undefined where the font has none. */
export function readToUnicode(doc: PdfDocument, value: PdfValue | undefined): UnicodeMap | undefined {
  if (!(value instanceof Ref) || !(doc.get(value) instanceof Stream)) return undefined;
  const map = new Map<number, string>();
  const reader = new ContentReader(contentOf(doc, value));
  for (let next = reader.next(); next && map.size < MAX_ENTRIES; next = reader.next()) {
    if (next.operator === 'endbfchar') addCharacters(map, next.operands);
    if (next.operator === 'endbfrange') addRanges(map, next.operands);
  }
  return map;
}

function addCharacters(map: Map<number, string>, operands: readonly PdfValue[]): void {
  for (let at = 0; at + 1 < operands.length; at += 2) {
    const [code, text] = [operands[at], operands[at + 1]];
    if (code instanceof PdfString && text instanceof PdfString) map.set(numberOf(code), textOf(text.bytes));
  }
}

function addRanges(map: Map<number, string>, operands: readonly PdfValue[]): void {
  for (let at = 0; at + 2 < operands.length; at += 3) {
    const [low, high, target] = [operands[at], operands[at + 1], operands[at + 2]];
    if (!(low instanceof PdfString) || !(high instanceof PdfString)) continue;
    const first = numberOf(low);
    const count = Math.min(numberOf(high) - first, 0xffff);
    for (let step = 0; step <= count && map.size < MAX_ENTRIES; step += 1) {
      const text = Array.isArray(target) ? target[step] : target;
      if (!(text instanceof PdfString)) continue;
      map.set(first + step, Array.isArray(target) ? textOf(text.bytes) : textOf(advanced(text.bytes, step)));
    }
  }
}

const numberOf = ({ bytes }: PdfString): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** The last byte counts up. */
function advanced(bytes: Uint8Array, step: number): Uint8Array {
  const made = Uint8Array.from(bytes);
  let carry = step;
  for (let at = made.length - 1; at >= 0 && carry > 0; at -= 1) {
    const sum = (made[at] ?? 0) + carry;
    made[at] = sum & 0xff;
    carry = sum >> 8;
  }
  return made;
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0);
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2)
    text += String.fromCharCode(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
  return text;
}
