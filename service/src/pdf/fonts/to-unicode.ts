// ToUnicode CMaps: which text each code of a font stands for (ISO 32000-1, 9.10.3). Programs write them in many ways
// that the standard does not know; what other readers make of those is read here too: how many entries a section says
// it has is not believed, a section ends where the next thing begins, and of two entries for one code the last counts.

import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';

const MAX_CODES = 200_000;
/** A range goes through the last two bytes of its codes at most. */
const MAX_RANGE = 0x1_0000;
/** Ranges of more codes are kept as they are: some maps have one over all codes there may be. */
const LONG_RANGE = 0x100;
const MAX_LONG_RANGES = 256;

interface LongRange {
  first: number;
  count: number;
  /** All but its last character, which counts up. */
  head: string;
  last: number;
}

/** By the number that the bytes of a code make: maps write codes of one byte with two and the other way round. */
export class ToUnicode {
  private readonly texts = new Map<number, string>();
  private readonly ranges: LongRange[] = [];

  get(code: number): string | undefined {
    const text = this.texts.get(code);
    if (text !== undefined || this.ranges.length === 0) return text;
    const range = this.ranges.findLast(({ first, count }) => code >= first && code < first + count);
    return range && textAt(range, code - range.first);
  }

  /** Every code with its text. */
  all(): Map<number, string> {
    const all = new Map<number, string>();
    for (const range of this.ranges)
      for (let step = 0; step < range.count; step += 1) all.set(range.first + step, textAt(range, step));
    for (const [code, text] of this.texts) all.set(code, text);
    return all;
  }

  /** Without those of long ranges. */
  singles(): ReadonlyMap<number, string> {
    return this.texts;
  }

  get hasLongRanges(): boolean {
    return this.ranges.length > 0;
  }

  get isFull(): boolean {
    return this.texts.size >= MAX_CODES;
  }

  set(code: number, text: string): void {
    this.texts.set(code, text);
  }

  setRange(range: LongRange): void {
    if (range.count <= LONG_RANGE) {
      for (let step = 0; step < range.count; step += 1) this.set(range.first + step, textAt(range, step));
    } else if (this.ranges.length < MAX_LONG_RANGES) {
      for (const code of this.texts.keys())
        if (code >= range.first && code < range.first + range.count) this.texts.delete(code);
      this.ranges.push(range);
    }
  }
}

const textAt = ({ head, last }: LongRange, step: number): string => head + String.fromCodePoint(last + step);

/** Maps that build on others, one upon the other. */
export const MAX_USED_MAPS = 5;

/** Undefined where the font has none. */
export function toUnicodeOf(doc: PdfDocument, value: PdfValue | undefined): ToUnicode | undefined {
  const cmaps: Uint8Array[] = [];
  for (let next = value; cmaps.length < MAX_USED_MAPS; ) {
    const held = doc.resolve(next);
    if (!(next instanceof Ref) || !(held instanceof Stream)) break;
    cmaps.unshift(contentOf(doc, next));
    next = held.dict.get('UseCMap');
  }
  return cmaps.length > 0 ? parseToUnicode(...cmaps) : undefined;
}

/** Several: each builds on those before it (UseCMap). */
export function parseToUnicode(...cmaps: readonly Uint8Array[]): ToUnicode {
  const map = new ToUnicode();
  for (const cmap of cmaps) addSections(map, cmap);
  return map;
}

function addSections(map: ToUnicode, cmap: Uint8Array): void {
  const reader = new ContentReader(cmap);
  let section = '';
  for (let next = reader.next(); next && !map.isFull; next = reader.next()) {
    if (section === 'beginbfchar') addCharacters(map, next.operands);
    else if (section === 'beginbfrange') addRanges(map, next.operands);
    section = next.operator;
  }
}

/** The number of a code. */
export const codeNumber = (bytes: Uint8Array): number => {
  let number = 0;
  for (let at = 0; at < bytes.length; at += 1) number = number * 256 + (bytes[at] as number);
  return number;
};

function addCharacters(map: ToUnicode, operands: readonly PdfValue[]): void {
  for (let at = 0; at + 1 < operands.length; at += 2) {
    const [code, text] = [operands[at], operands[at + 1]];
    if (code instanceof PdfString && text instanceof PdfString)
      map.set(codeNumber(code.bytes), textOf(text.bytes));
  }
}

function addRanges(map: ToUnicode, operands: readonly PdfValue[]): void {
  for (let at = 0; at + 2 < operands.length; at += 3) {
    const [low, high, target] = [operands[at], operands[at + 1], operands[at + 2]];
    if (!(low instanceof PdfString) || !(high instanceof PdfString)) continue;
    const first = codeNumber(low.bytes);
    const count = Math.min(codeNumber(high.bytes) - first + 1, MAX_RANGE);
    if (Array.isArray(target)) addEach(map, first, target.slice(0, Math.max(0, count)));
    else if (target instanceof PdfString) addCounted(map, first, count, textOf(target.bytes));
  }
}

function addEach(map: ToUnicode, first: number, texts: readonly PdfValue[]): void {
  for (const [step, text] of texts.entries())
    if (text instanceof PdfString) map.set(first + step, textOf(text.bytes));
}

/** The last character counts up. */
function addCounted(map: ToUnicode, first: number, count: number, text: string): void {
  const last = text.codePointAt(text.length - (/[\ud800-\udbff][\udc00-\udfff]$/.test(text) ? 2 : 1));
  if (last === undefined) return;
  const head = text.slice(0, text.length - (last > 0xffff ? 2 : 1));
  map.setRange({ first, count: Math.min(count, LAST_CHARACTER - last + 1), head, last });
}

const LAST_CHARACTER = 0x10_ffff;

function textOf(bytes: Uint8Array): string {
  // A single byte is no UTF-16, and is written all the same.
  if (bytes.length === 1) return String.fromCharCode(bytes[0] as number);
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2)
    text += String.fromCharCode(((bytes[at] as number) << 8) | (bytes[at + 1] as number));
  return text;
}
