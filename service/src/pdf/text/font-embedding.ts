// Fonts put into a document: each once, with the glyphs that were drawn and the text each of them stands for.

import type { PdfDocument } from '../document.ts';
import { writeToUnicode } from '../fonts/cmap-writer.ts';
import { fontDescriptor, subsetName } from '../fonts/font-descriptor.ts';
import { type0Font } from '../fonts/type0-font.ts';
import { claimsPartOne } from '../metadata/claims.ts';
import { Dict, name, type PdfValue, type Ref } from '../objects.ts';
import type { CompositeGlyph, ShapedGlyph, Typeface } from './drawn-text-shapes.ts';

/** Codes have two bytes. */
const MAX_CODE = 0xffff;

interface Encoded {
  glyph: number | CompositeGlyph;
  text: string;
  width: number;
}

export interface Code {
  code: number;
  /** The code stands for the text that was asked for. False where its glyph already stands for another. */
  says: boolean;
}

interface EmbeddedFont {
  font: Typeface;
  name: string;
  ref: Ref;
  codes: Map<number, Encoded>;
  /** By glyph and text. */
  known: Map<string, Code>;
}

export class EmbeddedFonts {
  private readonly doc: PdfDocument;
  private readonly fonts = new Map<string, EmbeddedFont>();
  private finished = false;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** The font's name in resource dictionaries, and its object. */
  resource(font: Typeface): { name: string; ref: Ref } {
    return this.embedded(font);
  }

  /** A /Font resource dictionary. */
  dict(used: ReadonlyMap<string, Ref>): Dict {
    return Dict.of(Object.fromEntries(used));
  }

  /** The code that draws a glyph and, where possible, reads as this text. */
  code(font: Typeface, glyph: ShapedGlyph, text: string): Code {
    const { codes, known } = this.embedded(font);
    const key = `${glyph.id} ${text}`;
    const before = known.get(key);
    if (before) return before;
    if (this.finished) throw new Error('the fonts of this document are finished');
    const made = font.outlines === 'glyf' ? nextCode(codes) : fixedCode(font, glyph, text, codes);
    if (!codes.has(made.code)) {
      codes.set(made.code, { glyph: glyph.id, text, width: thousandths(glyph.width, font) });
    }
    known.set(key, made);
    return made;
  }

  /** The code that draws several glyphs as one; TrueType fonts only. */
  compositeCode(font: Typeface, composite: CompositeGlyph, text: string): number {
    const { codes, known } = this.embedded(font);
    const key = `${JSON.stringify(composite)} ${text}`;
    const before = known.get(key);
    if (before) return before.code;
    if (this.finished) throw new Error('the fonts of this document are finished');
    const made = nextCode(codes);
    codes.set(made.code, { glyph: composite, text, width: thousandths(composite.width, font) });
    known.set(key, made);
    return made.code;
  }

  /** Writes the fonts. To be called once, after all text of the document was drawn. */
  finish(): void {
    if (this.finished) return;
    this.finished = true;
    for (const embedded of this.fonts.values()) this.write(embedded);
  }

  private embedded(font: Typeface): EmbeddedFont {
    let made = this.fonts.get(font.key);
    if (!made) {
      const ref = this.doc.add(new Dict());
      made = { font, name: `Tx${this.fonts.size + 1}`, ref, codes: new Map(), known: new Map() };
      this.fonts.set(font.key, made);
    }
    return made;
  }

  private write({ font, ref, codes }: EmbeddedFont): void {
    const { doc } = this;
    const drawn = [...codes.values()].map(({ glyph }) => glyph);
    const composites = drawn.filter((glyph) => typeof glyph === 'object');
    const parts = composites.flatMap((composite) => composite.parts.map(({ glyph }) => glyph));
    const plain = drawn.filter((glyph) => typeof glyph === 'number');
    const glyphs = [...new Set([...plain, ...parts])].sort((a, b) => a - b);
    const { program, firstComposite } = font.subset(glyphs, composites);
    const numbers = new Map(composites.map((composite, index) => [composite, firstComposite + index]));
    const numberOf = (glyph: number | CompositeGlyph): number =>
      typeof glyph === 'number' ? glyph : (numbers.get(glyph) ?? 0);
    const baseFont = subsetName(font, [...Buffer.from(font.key), ...glyphs]);
    const trueType = font.outlines === 'glyf';
    const file: Record<string, Ref> = trueType
      ? { FontFile2: doc.addStream(Dict.of({ Length1: program.length }), program) }
      : { FontFile3: doc.addStream(Dict.of({ Subtype: name('CIDFontType0C') }), program) };
    const descriptor = fontDescriptor(font, baseFont, file);
    const cidSet = this.cidSet(codes);
    if (cidSet) descriptor.set('CIDSet', cidSet);
    const made = type0Font(doc, {
      baseFont,
      descriptor: doc.add(descriptor),
      cidToGidMap: trueType ? doc.addStream(new Dict(), glyphNumbers(codes, numberOf)) : undefined,
      defaultWidth: 1000,
      widths: widths(codes),
      toUnicode: writeToUnicode(textOfCodes(codes)),
    });
    doc.replace(ref, made);
  }

  /** Part 1 of PDF/A asks subsets for the list of what they hold (6.3.5); later parts and readers do without. */
  private cidSet(codes: ReadonlyMap<number, Encoded>): Ref | undefined {
    if (!claimsPartOne(this.doc)) return undefined;
    const bits = new Uint8Array((Math.max(0, ...codes.keys()) >> 3) + 1);
    for (const code of [0, ...codes.keys()]) bits[code >> 3] = (bits[code >> 3] ?? 0) | (0x80 >> (code & 7));
    return this.doc.addStream(new Dict(), bits);
  }
}

/** A TrueType glyph can have several codes, one per text it stands for. */
function nextCode(codes: ReadonlyMap<number, Encoded>): Code {
  const code = codes.size + 1;
  if (code > MAX_CODE) throw new RangeError('too many different glyphs in one document');
  return { code, says: true };
}

/** A CFF glyph has the one code that the font program gives it; the first text stays its own. */
function fixedCode(
  font: Typeface,
  glyph: ShapedGlyph,
  text: string,
  codes: ReadonlyMap<number, Encoded>,
): Code {
  const code = font.outlines === 'cid' ? font.cid(glyph.id) : glyph.id;
  const before = codes.get(code);
  return { code, says: before === undefined || before.text === text };
}

const thousandths = (value: number, font: Typeface): number => Math.round((value * 1000) / font.unitsPerEm);

function widths(codes: ReadonlyMap<number, Encoded>): PdfValue[] {
  const list: PdfValue[] = [];
  let row: PdfValue[] = [];
  let previous = -1;
  for (const [code, { width }] of ascending(codes)) {
    if (code !== previous + 1 || row.length === 0) {
      row = [];
      list.push(code, row);
    }
    row.push(width);
    previous = code;
  }
  return list;
}

/** CIDToGIDMap: two bytes per code. */
function glyphNumbers(
  codes: ReadonlyMap<number, Encoded>,
  numberOf: (glyph: Encoded['glyph']) => number,
): Uint8Array {
  const bytes = Buffer.alloc(2 * (codes.size + 1));
  for (const [code, { glyph }] of codes) bytes.writeUInt16BE(numberOf(glyph), 2 * code);
  return bytes;
}

const ascending = (codes: ReadonlyMap<number, Encoded>): [number, Encoded][] =>
  [...codes].sort(([a], [b]) => a - b);

const textOfCodes = (codes: ReadonlyMap<number, Encoded>): { code: number; length: number; text: string }[] =>
  ascending(codes).map(([code, { text }]) => ({ code, length: 2, text }));
