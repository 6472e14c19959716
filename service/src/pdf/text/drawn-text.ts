// Text that was laid out, drawn: content-stream operators. Knows no engine: shapes and fonts come as data.

import { type Dict, PdfString, type Ref } from '../objects.ts';
import { formatName, formatValue } from '../syntax/object-syntax.ts';
import { textString } from '../text-strings.ts';
import type { LaidOutText, ShapedCluster, ShapedGlyph, ShapedRun, Typeface } from './drawn-text-shapes.ts';
import type { EmbeddedFonts } from './font-embedding.ts';

export interface DrawnText {
  /** From BT to ET. Colour, place and graphics state are the caller's. */
  operators: string;
  /** For /Resources << /Font ... >>: valid after `EmbeddedFonts.finish`. */
  fonts: Dict;
}

/**
 * The operators that draw a text with its lower-left corner at the origin. `slanted`: it will stand at an angle,
 * where readers take every letter for a line of its own unless they are told what the line says.
 */
export function drawText(
  text: LaidOutText,
  fonts: EmbeddedFonts,
  { slanted = false }: { slanted?: boolean } = {},
): DrawnText {
  const used = new Map<string, Ref>();
  const operators = ['BT'];
  for (const line of text.lines) {
    let x = line.x;
    // Words that read from right to left would be reversed by readers that expect them as they stand.
    const isTold = slanted && line.text !== '' && !line.runs.some((run) => run.rightToLeft);
    if (isTold) operators.push(sayAloud(line.text));
    for (const run of line.runs) {
      const { name, ref } = fonts.resource(run.font);
      used.set(name, ref);
      operators.push(`/${name} ${short(text.size)} Tf 1 0 0 1 ${short(x)} ${short(line.y)} Tm`);
      operators.push(...drawRun(run, text.size, fonts));
      x += run.width;
    }
    if (isTold) operators.push('EMC');
  }
  operators.push('ET');
  return { operators: operators.join('\n'), fonts: fonts.dict(used) };
}

export interface TextInLine {
  /** Operators within a text object, from wherever its line has come to: fonts are set, spacings are the caller's. */
  operators: string[];
  /** How far they move on, in thousandths of the size. */
  advance: number;
}

/** One line amid other text: with its rise, and the names by which its resources know the fonts. */
export function drawInLine(
  runs: readonly ShapedRun[],
  size: number,
  fonts: EmbeddedFonts,
  { rise, nameOf }: { rise: number; nameOf(font: { name: string; ref: Ref }): string },
): TextInLine {
  const operators: string[] = [];
  let advance = 0;
  for (const run of runs) {
    const name = nameOf(fonts.resource(run.font));
    const pen = drawnRun(run, size, fonts, rise);
    operators.push(`${formatName(name)} ${short(size)} Tf`, ...pen.finish());
    advance += pen.advance;
  }
  return { operators, advance };
}

const drawRun = (run: ShapedRun, size: number, fonts: EmbeddedFonts): string[] =>
  drawnRun(run, size, fonts, 0).finish();

function drawnRun(run: ShapedRun, size: number, fonts: EmbeddedFonts, rise: number): Pen {
  const pen = new Pen(run.font, size, fonts, rise);
  for (const cluster of run.clusters) {
    if (run.font.outlines !== 'glyf') drawSpoken(cluster, pen);
    else if (run.rightToLeft) drawRightToLeft(cluster, pen);
    else drawLeftToRight(cluster, pen);
  }
  return pen;
}

/** Readers join codes from left to right, whatever text each stands for. */
function drawLeftToRight({ text, glyphs }: ShapedCluster, pen: Pen): void {
  pen.draw(glyphs, text);
}

/**
 * Readers take what is drawn from right to left for the reverse of the text, code by code. So each code stands
 * for one character: the glyphs for the first, blanks for the others.
 */
function drawRightToLeft({ text, glyphs }: ShapedCluster, pen: Pen): void {
  const [first = '', ...others] = text;
  for (const character of others.reverse()) pen.drawBlank(character);
  pen.draw(glyphs, first);
}

/** For fonts whose glyphs have one code each: what the codes do not say is said around them. */
function drawSpoken({ text, glyphs }: ShapedCluster, pen: Pen): void {
  const [only, ...others] = glyphs;
  if (!only) return;
  if (others.length === 0 && pen.says(only, text)) pen.draw(glyphs, text);
  else {
    pen.spoken(text, () => {
      for (const glyph of glyphs) pen.draw([glyph], '');
    });
  }
}

/** Writes glyphs of one run. Positions are in thousandths of the font size, as TJ counts. */
class Pen {
  private readonly out: string[] = [];
  private readonly font: Typeface;
  private readonly fonts: EmbeddedFonts;
  private readonly scale: number;
  private readonly size: number;
  private items: string[] = [];
  private codes = '';
  /** Of the text around, and as it is set. */
  private readonly base: number;
  private rise: number;
  /** Where the next glyph belongs, and where the viewer stands. */
  private wanted = 0;
  private actual = 0;

  constructor(font: Typeface, size: number, fonts: EmbeddedFonts, rise: number) {
    this.base = rise;
    this.rise = rise;
    this.font = font;
    this.fonts = fonts;
    this.scale = 1000 / font.unitsPerEm;
    this.size = size;
  }

  get advance(): number {
    return this.actual;
  }

  says(glyph: ShapedGlyph, text: string): boolean {
    return this.fonts.code(this.font, glyph, text).says;
  }

  /** Draws glyphs, several as one, that stand for this text. */
  draw(glyphs: readonly ShapedGlyph[], text: string): void {
    const [only] = glyphs;
    if (glyphs.length === 1 && only) this.place(only, this.fonts.code(this.font, only, text).code);
    else if (only) this.drawComposite(glyphs, text);
  }

  /** A character without ink or width. */
  drawBlank(text: string): void {
    const blank = { parts: [], width: 0 };
    this.place({ width: 0, advance: 0, x: 0, y: 0 }, this.fonts.compositeCode(this.font, blank, text));
  }

  private drawComposite(glyphs: readonly ShapedGlyph[], text: string): void {
    let advance = 0;
    const parts = glyphs.map((glyph) => {
      const part = { glyph: glyph.id, x: advance + glyph.x, y: glyph.y };
      advance += glyph.advance;
      return part;
    });
    const width = Math.max(0, advance);
    this.place({ width, advance, x: 0, y: 0 }, this.fonts.compositeCode(this.font, { parts, width }, text));
  }

  private place(glyph: Omit<ShapedGlyph, 'id'>, code: number): void {
    this.setRise(this.base + (glyph.y * this.scale * this.size) / 1000);
    const at = this.wanted + glyph.x * this.scale;
    const back = Math.round((this.actual - at) * 10) / 10;
    if (back !== 0) {
      this.closeCodes();
      this.items.push(short(back));
      this.actual -= back;
    }
    this.codes += code.toString(16).padStart(4, '0');
    this.actual += glyph.width * this.scale;
    this.wanted += glyph.advance * this.scale;
  }

  spoken(text: string, draw: () => void): void {
    this.flush();
    this.out.push(sayAloud(text));
    draw();
    this.flush();
    this.out.push('EMC');
  }

  finish(): string[] {
    this.flush();
    if (this.rise !== this.base) this.out.push(`${short(this.base)} Ts`);
    return this.out;
  }

  private setRise(rise: number): void {
    const rounded = Math.round(rise * 1000) / 1000;
    if (rounded === this.rise) return;
    this.flush();
    this.out.push(`${short(rounded)} Ts`);
    this.rise = rounded;
  }

  private closeCodes(): void {
    if (this.codes !== '') this.items.push(`<${this.codes}>`);
    this.codes = '';
  }

  private flush(): void {
    this.closeCodes();
    if (this.items.length > 0) this.out.push(`[${this.items.join('')}] TJ`);
    this.items = [];
  }
}

const sayAloud = (text: string): string => `/Span <</ActualText ${formatValue(utf16(text))}>> BDC`;

const utf16 = (text: string): PdfString => {
  const plain = textString(text);
  if (plain.bytes[0] === 0xfe) return plain;
  return new PdfString(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]));
};

const short = (value: number): string => String(Math.round(value * 10000) / 10000 || 0);
