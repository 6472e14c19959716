// Words for people inside data for machines: names and notices of font programs, texts of colour profiles.

import { CFF_STRINGS } from '../fonts/programs/cff-strings.ts';
import { entryOf, readCffDict, readCffIndexes } from '../fonts/programs/cff-structures.ts';
import { unlessDamaged } from '../fonts/programs/damage.ts';
import { readTableRecords } from '../fonts/programs/sfnt.ts';
import type { Bytes } from './byte-search.ts';
import type { Terms } from './terms.ts';

/** In such data shorter words stand by chance. */
const LEAST = 3;
const FILLER = 0x58;
/** What is filled up already tells nothing, though an expression may find it. */
const isFilled = (text: string): boolean => /^[X\s]*$/.test(text);

/**
 * The same data with terms filled up by another letter; undefined where there are none. Data of a kind that nobody knows
 * may be text in between: there every run of letters counts.
 */
export function withoutWords(data: Uint8Array, terms: Terms, mayBeText = false): Uint8Array | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const areas = wordAreas(bytes) ?? (mayBeText ? runsIn(bytes) : []);
  const found = areas.flatMap((area) => placesIn(bytes, area, terms));
  if (found.length === 0) return undefined;
  const made = Buffer.from(bytes);
  for (const { start, end } of found)
    for (let at = start; at < end; at += 1) if (made[at] !== 0) made[at] = FILLER;
  // A profile's own checksum; zero says that there is none.
  if (isProfile(made)) made.fill(0, 84, 100);
  return made;
}

/** Read one byte and two bytes a character, from even and odd places. */
function placesIn(bytes: Buffer, { start, end }: Bytes, terms: Terms): Bytes[] {
  const plain = bytes.toString('latin1', start, end).replaceAll('\0', '\n');
  const found = terms
    .find(plain)
    .filter((place) => place.end - place.start >= LEAST && !isFilled(plain.slice(place.start, place.end)))
    .map((place) => ({ start: start + place.start, end: start + place.end }));
  for (const shift of [0, 1]) {
    const from = start + shift;
    const even = Buffer.from(bytes.subarray(from, from + ((end - from) & ~1)));
    if (even.length < 2 || !even.includes(0)) continue;
    const text = even.swap16().toString('utf16le');
    for (const place of terms.find(text))
      if (place.end - place.start >= LEAST && !isFilled(text.slice(place.start, place.end)))
        found.push({ start: from + 2 * place.start, end: from + 2 * place.end });
  }
  return found;
}

/** Undefined where the data is of no known kind. */
function wordAreas(bytes: Buffer): Bytes[] | undefined {
  if (isProfile(bytes)) return unlessDamaged(() => profileTexts(bytes)) ?? [];
  const version = bytes.length < 12 ? 0 : bytes.readUInt32BE(0);
  if (version === 0x00010000 || version === 0x4f54544f || version === 0x74727565)
    return unlessDamaged(() => tableAreas(bytes)) ?? [];
  if (bytes[0] === 1 && (bytes[2] ?? 9) <= 8) return unlessDamaged(() => compactNames(bytes, 0)) ?? [];
  return isType1(bytes) ? clearTexts(bytes) : undefined;
}

const isType1 = (bytes: Buffer): boolean => bytes.subarray(0, 64).includes('%!') && bytes.includes('eexec');

/** Font programs and colour profiles, by what they begin with. */
export const isKnownData = (data: Uint8Array): boolean =>
  wordAreas(Buffer.from(data.buffer, data.byteOffset, data.length)) !== undefined;

/** Shorter runs are found in any data. */
const LEAST_RUN = 6;

/** Letters that stand together, one or two bytes each. */
function runsIn(bytes: Buffer): Bytes[] {
  const runs: Bytes[] = [];
  let start = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at] ?? 1;
    if (byte === 0 || (byte >= 0x20 && byte !== 0x7f)) continue;
    if (at - start >= LEAST_RUN) runs.push({ start, end: at });
    start = at + 1;
  }
  return runs;
}

const isProfile = (bytes: Buffer): boolean =>
  bytes.length > 132 && bytes.toString('latin1', 36, 40) === 'acsp';

const TEXT_TYPES = ['desc', 'text', 'mluc', 'utf8', 'zut8', 'utf1', 'dict'];

function profileTexts(bytes: Buffer): Bytes[] {
  const areas: Bytes[] = [];
  const count = Math.min(bytes.readUInt32BE(128), 200);
  for (let row = 132; row < 132 + 12 * count; row += 12) {
    const start = bytes.readUInt32BE(row + 4);
    const end = Math.min(bytes.length, start + bytes.readUInt32BE(row + 8));
    if (TEXT_TYPES.includes(bytes.toString('latin1', start, start + 4)))
      areas.push({ start: start + 8, end });
  }
  return areas;
}

function tableAreas(bytes: Buffer): Bytes[] {
  const areas: Bytes[] = [];
  for (const { tag, offset: start, length } of readTableRecords(bytes)) {
    const end = Math.min(bytes.length, start + length);
    if (tag === 'CFF ') areas.push(...compactNames(bytes, start));
    else if (tag === 'name' && end > start + 6)
      areas.push({ start: start + bytes.readUInt16BE(start + 4), end });
  }
  return areas;
}

/** Operators whose number is that of a text: version, Notice, FullName, FamilyName, Weight, Copyright and names. */
const TEXTS = [0, 1, 2, 3, 4, 0x0c00, 0x0c15, 0x0c16, 0x0c26];

/** Names of glyphs stand among the same strings and stay: they say how to draw. */
function compactNames(bytes: Buffer, at: number): Bytes[] {
  const font = bytes.subarray(at);
  const { names, topDicts, strings } = readCffIndexes(font);
  const areas: Bytes[] = [];
  for (let entry = 0; entry < names.count; entry += 1)
    areas.push({ start: at + names.start(entry), end: at + names.start(entry + 1) });
  for (let entry = 0; entry < topDicts.count; entry += 1) {
    const top = readCffDict(entryOf(font, topDicts, entry));
    for (const operator of TEXTS) {
      const string = (top.get(operator)?.[0] ?? -1) - CFF_STRINGS.length;
      if (string >= 0 && string < strings.count)
        areas.push({ start: at + strings.start(string), end: at + strings.start(string + 1) });
    }
  }
  return areas;
}

/** What a Type 1 program says in parentheses, and what it calls itself. */
function clearTexts(bytes: Buffer): Bytes[] {
  const clear = bytes.toString('latin1', 0, Math.min(bytes.length, 20_000)).split('eexec')[0] ?? '';
  return [...clear.matchAll(/\([^()]*\)|%[^\r\n]*|\/FontName\s+\/\S+/g)].map(({ index, 0: match }) => {
    const skipped = match.startsWith('/FontName') ? match.lastIndexOf('/') + 1 : 1;
    return { start: index + skipped, end: index + match.length };
  });
}
