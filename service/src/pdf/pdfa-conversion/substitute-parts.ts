// What simple and composite substitutes have in common: names, widths, the ToUnicode map.
import { writeToUnicode } from '../fonts/cmap-writer.ts';
import { subsetName } from '../fonts/font-descriptor.ts';
import { readMetrics, writeMetrics } from '../fonts/programs/hmtx-table.ts';
import type { Typeface } from '../text/drawn-text-shapes.ts';
import { type MeantCode, OWN_WIDTH } from './code-characters.ts';

export interface FoundFont {
  font: Typeface;
  glyph(character: string): number;
}

/** What is drawn for a code: the first character of those it stands for; blanks for what is not seen. */
export const drawn = (character: string): string => {
  const first = [...character.normalize('NFC')][0] ?? ' ';
  return /[\s\u00a0\u00ad\u200b-\u200f\ufeff]/u.test(first) ? (first === '\u00ad' ? '-' : ' ') : first;
};

export const round = (width: number): number => Math.round(width * 100) / 100;

/** The advance of these glyphs becomes what the document says, in thousandths of the size. */
export function setWidths(
  tables: Map<string, Buffer>,
  widths: ReadonlyMap<number, number>,
  unitsPerEm: number,
): void {
  const [hmtx, maxp] = [tables.get('hmtx'), tables.get('maxp')];
  const metrics = readMetrics(tables);
  if (!metrics || !hmtx || hmtx.length < 4 || !maxp || maxp.length < 6) return;
  writeMetrics(tables, maxp.readUInt16BE(4), {
    advance(glyph) {
      const stated = widths.get(glyph);
      return stated === undefined || stated === OWN_WIDTH
        ? metrics.advance(glyph)
        : (stated * unitsPerEm) / 1000;
    },
    bearing: metrics.bearing,
  });
}

export const substituteName = (font: Typeface, codes: readonly MeantCode[]): string =>
  subsetName(font, Buffer.from(`${font.key}${codes.map(({ code }) => code).join()}`));

/** What each code reads as. */
export const toUnicodeFor = (codes: readonly MeantCode[]): Uint8Array =>
  writeToUnicode(codes.map(({ reads, ...each }) => ({ ...each, text: reads ?? each.character })));
