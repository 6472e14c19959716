// Lines of a field's text: in the field's own font where that can show them, else in fonts that are embedded.

import type { Look } from '../fonts/standard-fonts.ts';
import { type Dict, PdfString } from '../objects.ts';
import { formatName, formatNumber, formatValue } from '../syntax/object-syntax.ts';
import { drawText } from '../text/drawn-text.ts';
import type { LaidOutText } from '../text/drawn-text-shapes.ts';
import type { EmbeddedFonts } from '../text/font-embedding.ts';
import type { FieldFont, FontChoices } from './field-fonts.ts';

/** Lays any Unicode text out with the fonts of the machine: the engine behind drawn text. */
export type LayOut = (
  text: string,
  options: { size: number; family: Look; maxWidth?: number; align: 'left'; field: string },
) => LaidOutText;

export interface TextLine {
  /** In points. */
  width: number;
  ascent: number;
  descent: number;
  /** Operators that draw it with its baseline starting at (x, y). */
  draw(x: number, y: number): string;
}

export interface Typesetter {
  /** Lines as the text has them, broken further where a width is given. */
  lines(text: string, size: number, maxWidth?: number): TextLine[];
}

/** Gathers the fonts that lines were drawn with. */
export type FontResources = Dict;

/** A typesetter for this text: one font for all of it, so that it does not look patched. */
export function typesetterFor(
  text: string,
  choices: FontChoices,
  resources: FontResources,
  embedded: { fonts: EmbeddedFonts; layOut: LayOut; field: string },
): Typesetter {
  const words = text.replaceAll('\n', '');
  const font = choices.fonts.find((each) => each.encode(words) !== undefined);
  if (font) return simpleTypesetter(font, resources);
  return {
    lines(part, size, maxWidth) {
      const { layOut, field, fonts } = embedded;
      const options = { size, family: choices.look, align: 'left' as const, field };
      const laidOut = layOut(part, maxWidth === undefined ? options : { ...options, maxWidth });
      return laidOut.lines.map((line): TextLine => {
        const { width, ascent, descent } = line;
        return {
          width,
          ascent,
          descent,
          draw(x, y) {
            const alone = { ...laidOut, lines: [{ ...line, x: 0, y: 0 }] };
            const { operators, fonts: used } = drawText(alone, fonts);
            for (const [key, value] of used) resources.set(key, value);
            return `q 1 0 0 1 ${formatNumber(x)} ${formatNumber(y)} cm ${operators} Q`;
          },
        };
      });
    },
  };
}

function simpleTypesetter(font: FieldFont, resources: FontResources): Typesetter {
  const lineOf = (text: string, size: number): TextLine => {
    const { codes, width } = font.encode(text) ?? { codes: Buffer.alloc(0), width: 0 };
    return {
      width: width * size,
      ascent: font.ascent * size,
      descent: font.descent * size,
      draw(x, y) {
        resources.set(font.resource, font.value);
        const shown = formatValue(new PdfString(codes));
        return `BT ${formatName(font.resource)} ${formatNumber(size)} Tf ${formatNumber(x)} ${formatNumber(y)} Td ${shown} Tj ET`;
      },
    };
  };
  return {
    lines(text, size, maxWidth) {
      const asked = text.split('\n');
      const broken =
        maxWidth === undefined ? asked : asked.flatMap((line) => brokenLines(line, font, maxWidth / size));
      return broken.map((line) => lineOf(line, size));
    },
  };
}

/** What is beyond this many lines is seen by nobody. */
const MAX_LINES = 5000;

/** Words with the blanks or hyphens after them; endless ones in pieces. */
const WORD = /[^\s-]{0,500}(?:-{1,500}|\s{1,500})|[^\s-]{1,500}/g;

/** Breaks after blanks and hyphens, and inside words that fit no line. Widths are in sizes. */
function brokenLines(text: string, font: FieldFont, maxWidth: number): string[] {
  const widthOf = (part: string) => font.encode(part.trimEnd())?.width ?? 0;
  const lines: string[] = [];
  let line = '';
  for (const [word] of text.matchAll(WORD)) {
    if (lines.length > MAX_LINES) return lines;
    if (line !== '' && widthOf(line + word) > maxWidth) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
    while (line.length > 1 && widthOf(line) > maxWidth) {
      const fitting = fittingPart(line, widthOf, maxWidth);
      lines.push(fitting);
      line = line.slice(fitting.length);
    }
  }
  return [...lines, line.trimEnd()];
}

/** The longest beginning that fits, found by halving; one character at least. */
function fittingPart(line: string, widthOf: (part: string) => number, maxWidth: number): string {
  const characters = [...line];
  let fits = 1;
  let tooMany = characters.length;
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (widthOf(characters.slice(0, middle).join('')) <= maxWidth) fits = middle;
    else tooMany = middle;
  }
  return characters.slice(0, fits).join('');
}
