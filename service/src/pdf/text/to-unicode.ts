// ToUnicode CMaps: which text each code of a font stands for (ISO 32000-1, 9.10.3). Programs write them in many ways
// that the standard does not know; what other readers make of those is read here too: how many entries a section says
// it has is not believed, a section ends where the next thing begins, and of two entries for one code the last counts.
import { ContentReader } from '../content/content-reader.ts';
import type { PdfDocument } from '../document.ts';
import { PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { contentOf } from '../pages/page-form.ts';

/** By the number that the bytes of a code make: maps write codes of one byte with two and the other way round. */
export type ToUnicode = ReadonlyMap<number, string>;

const MAX_CODES = 200_000;
/** A range goes through the last two bytes of its codes at most. */
const MAX_RANGE = 0x1_0000;

/** Undefined where the font has none. */
export function toUnicodeOf(doc: PdfDocument, value: PdfValue | undefined): ToUnicode | undefined {
  if (!(value instanceof Ref) || !(doc.resolve(value) instanceof Stream)) return undefined;
  return parseToUnicode(contentOf(doc, value));
}

export function parseToUnicode(cmap: Uint8Array): ToUnicode {
  const map = new Map<number, string>();
  const reader = new ContentReader(cmap);
  let section = '';
  for (let next = reader.next(); next && map.size < MAX_CODES; next = reader.next()) {
    if (section === 'beginbfchar') addCharacters(map, next.operands);
    else if (section === 'beginbfrange') addRanges(map, next.operands);
    section = next.operator;
  }
  return map;
}

/** The number of a code. */
export const codeNumber = (bytes: Uint8Array): number => {
  let number = 0;
  for (let at = 0; at < bytes.length; at += 1) number = number * 256 + (bytes[at] as number);
  return number;
};

function addCharacters(map: Map<number, string>, operands: readonly PdfValue[]): void {
  for (let at = 0; at + 1 < operands.length; at += 2) {
    const [code, text] = [operands[at], operands[at + 1]];
    if (code instanceof PdfString && text instanceof PdfString)
      map.set(codeNumber(code.bytes), textOf(text.bytes));
  }
}

function addRanges(map: Map<number, string>, operands: readonly PdfValue[]): void {
  for (let at = 0; at + 2 < operands.length; at += 3) {
    const [low, high, target] = [operands[at], operands[at + 1], operands[at + 2]];
    if (!(low instanceof PdfString) || !(high instanceof PdfString)) continue;
    const first = codeNumber(low.bytes);
    const count = Math.min(codeNumber(high.bytes) - first + 1, MAX_RANGE, MAX_CODES - map.size);
    if (Array.isArray(target)) addEach(map, first, target.slice(0, Math.max(0, count)));
    else if (target instanceof PdfString) addCounted(map, first, count, textOf(target.bytes));
  }
}

function addEach(map: Map<number, string>, first: number, texts: readonly PdfValue[]): void {
  for (const [step, text] of texts.entries())
    if (text instanceof PdfString) map.set(first + step, textOf(text.bytes));
}

/** The last character counts up. */
function addCounted(map: Map<number, string>, first: number, count: number, text: string): void {
  const last = text.codePointAt(text.length - (/[\ud800-\udbff][\udc00-\udfff]$/.test(text) ? 2 : 1));
  if (last === undefined) return;
  const head = text.slice(0, text.length - (last > 0xffff ? 2 : 1));
  for (let step = 0; step < count && last + step <= 0x10ffff; step += 1)
    map.set(first + step, head + String.fromCodePoint(last + step));
}

function textOf(bytes: Uint8Array): string {
  // A single byte is no UTF-16, and is written all the same.
  if (bytes.length === 1) return String.fromCharCode(bytes[0] as number);
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2)
    text += String.fromCharCode(((bytes[at] as number) << 8) | (bytes[at + 1] as number));
  return text;
}
