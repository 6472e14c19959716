// Glyphs of the Latin standard fonts, as `latin-glyphs.txt` lists them: name, character, code in StandardEncoding (-
// none), then widths in thousandths of the size: Helvetica, Helvetica-Bold, Times-Roman, Times-Bold, Times-Italic,
// Times-BoldItalic. Oblique Helvetica is as wide as upright, every glyph of Courier is 600 wide.
import { readFileSync } from 'node:fs';

export interface LatinGlyph {
  name: string;
  character: string;
  /** Its code in StandardEncoding. */
  standardCode: number | undefined;
  /** In the order above. */
  widths: readonly number[];
}

export const LATIN_GLYPHS: readonly LatinGlyph[] = readFileSync(
  new URL('./latin-glyphs.txt', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((row) => {
    const [name = '', hex = '', code = '-', ...widths] = row.split(' ');
    return {
      name,
      character: String.fromCodePoint(Number.parseInt(hex, 16)),
      standardCode: code === '-' ? undefined : Number(code),
      widths: widths.map(Number),
    };
  });
