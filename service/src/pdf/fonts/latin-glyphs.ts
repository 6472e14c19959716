// Glyphs of the Latin standard fonts and their widths (ISO 32000-1, 9.6.2.2; Adobe Core 14 metrics).
import { readTableFile } from './table-file.ts';

export interface LatinGlyph {
  name: string;
  character: string;
  /** Its code in StandardEncoding. */
  standardCode: number | undefined;
  /** Of Helvetica, Helvetica-Bold, Times-Roman, Times-Bold, Times-Italic, Times-BoldItalic; Courier's are 600. */
  widths: readonly number[];
}

export const LATIN_GLYPHS: readonly LatinGlyph[] = readTableFile('latin-glyphs.txt').map((row) => {
  const [name = '', hex = '', code = '-', ...widths] = row.split(' ');
  return {
    name,
    character: String.fromCodePoint(Number.parseInt(hex, 16)),
    standardCode: code === '-' ? undefined : Number(code),
    widths: widths.map(Number),
  };
});
