// How far the glyphs of a string reach and how far each moves on, as the file tells it (ISO 32000-1, 9.2.4).

import type { PdfDocument } from '../document.ts';
import { boxOf } from '../geometry/boxes.ts';
import { boxThrough, matrixOf } from '../geometry/matrix.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { codeMapOf } from './cmaps.ts';
import { descendantOf, fontFileOf } from './font-file.ts';
import { simpleCodes } from './simple-encodings.ts';
import { type Look, nearestStandard, type StandardFont } from './standard-fonts.ts';

/** Lengths in sizes of the font. */
export interface MeasuredGlyph {
  /** Bytes of its code. */
  length: number;
  /** Along the line: to the right, or upwards (so below 0) where `vertical`. */
  advance: number;
  /** The code is the single byte 32, to which word spacing applies. */
  isSpace: boolean;
}

export interface MeasuredFont {
  vertical: boolean;
  ascent: number;
  descent: number;
  glyphs(bytes: Uint8Array): MeasuredGlyph[];
}

const SPACE = 32;
/** How far letters reach above the line, ideographs, and how far any below it. */
const LETTERS_HIGH = 0.75;
const IDEOGRAPHS_HIGH = 0.88;
const LOWEST = -0.25;

const STANDARD_REACH: Readonly<Record<Look, { ascent: number; descent: number }>> = {
  helvetica: { ascent: 0.718, descent: -0.207 },
  times: { ascent: 0.683, descent: -0.217 },
  courier: { ascent: 0.629, descent: -0.157 },
};

export class FontMeasures {
  private readonly doc: PdfDocument;
  private readonly known = new Map<string, MeasuredFont>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  of(font: PdfValue | undefined): MeasuredFont {
    const known = font instanceof Ref ? this.known.get(font.key) : undefined;
    if (known) return known;
    const made = this.measure(this.doc.dict(font) ?? new Dict());
    if (font instanceof Ref) this.known.set(font.key, made);
    return made;
  }

  private measure(font: Dict): MeasuredFont {
    const subtype = this.doc.name(font.get('Subtype'));
    if (subtype === 'Type0') return this.composite(font);
    return subtype === 'Type3' ? this.type3Font(font) : this.simple(font);
  }

  private simple(font: Dict): MeasuredFont {
    const { doc } = this;
    const descriptor = doc.dict(font.get('FontDescriptor'));
    const listed = doc.array(font.get('Widths'));
    const first = doc.number(font.get('FirstChar')) ?? 0;
    const standard = listed ? undefined : this.standardWidths(font);
    const missing = (doc.number(descriptor?.get('MissingWidth')) ?? (listed ? 0 : 500)) / 1000;
    const widths = Array.from({ length: 256 }, (_, code) => {
      const width = listed ? doc.number(listed[code - first]) : undefined;
      return width === undefined ? (standard?.[code] ?? missing) : width / 1000;
    });
    const reach = fontFileOf(doc, descriptor)
      ? this.reach(descriptor, LETTERS_HIGH)
      : STANDARD_REACH[this.standard(font).look];
    return {
      vertical: false,
      ...reach,
      glyphs: (bytes) => singleBytes(bytes, widths),
    };
  }

  /** What a reader shows in the place of a font that the file does not bring. */
  private standard(font: Dict): StandardFont {
    return nearestStandard(this.doc.name(font.get('BaseFont')) ?? 'Helvetica');
  }

  private standardWidths(font: Dict): (number | undefined)[] {
    const known = this.standard(font);
    const widths: (number | undefined)[] = [];
    for (const [character, code] of simpleCodes(this.doc, font, 'standard') ?? [])
      widths[code] = known.width(character);
    return widths;
  }

  private type3Font(font: Dict): MeasuredFont {
    const { doc } = this;
    const matrix = matrixOf(doc, font.get('FontMatrix') ?? [0.001, 0, 0, 0.001, 0, 0]);
    const listed = doc.array(font.get('Widths')) ?? [];
    const first = doc.number(font.get('FirstChar')) ?? 0;
    const widths = Array.from(
      { length: 256 },
      (_, code) => (doc.number(listed[code - first]) ?? 0) * matrix[0],
    );
    const box = boxOf(doc, font.get('FontBBox') ?? null);
    const reach = box && boxThrough(matrix, box);
    return {
      vertical: false,
      ascent: reach?.top ?? 1,
      descent: reach?.bottom ?? -0.3,
      glyphs: (bytes) => singleBytes(bytes, widths),
    };
  }

  private composite(font: Dict): MeasuredFont {
    const { doc } = this;
    const descendant = descendantOf(doc, font) ?? new Dict();
    const codes = codeMapOf(doc, font.get('Encoding'));
    const widths = cidWidths(doc, descendant, codes.vertical);
    return {
      vertical: codes.vertical,
      ...this.reach(doc.dict(descendant.get('FontDescriptor')), IDEOGRAPHS_HIGH),
      glyphs(bytes) {
        const glyphs: MeasuredGlyph[] = [];
        for (let at = 0; at < bytes.length; ) {
          const { length, cid } = codes.next(bytes, at);
          // Without the CMap's data: codes of one byte are half as wide, in the fonts that have such.
          const advance =
            cid === undefined ? (length === 1 && !codes.vertical ? 0.5 : widths(-1)) : widths(cid);
          const taken = Math.max(1, Math.min(length, bytes.length - at));
          glyphs.push({ length: taken, advance, isSpace: taken === 1 && bytes[at] === SPACE });
          at += taken;
        }
        return glyphs;
      },
    };
  }

  /**
   * What the font says of itself, up to how far letters really reach: fonts leave room for accents and between
   * lines, and some say nothing, or nonsense.
   */
  private reach(descriptor: Dict | undefined, highest: number): { ascent: number; descent: number } {
    const ascent = (this.doc.number(descriptor?.get('Ascent')) ?? 0) / 1000;
    const descent = -Math.abs((this.doc.number(descriptor?.get('Descent')) ?? 0) / 1000);
    return {
      ascent: ascent > 0.3 ? Math.min(ascent, highest) : highest,
      descent: descent < -0.01 ? Math.max(descent, LOWEST) : LOWEST,
    };
  }
}

const singleBytes = (bytes: Uint8Array, widths: readonly number[]): MeasuredGlyph[] =>
  Array.from(bytes, (code) => ({ length: 1, advance: widths[code] ?? 0, isSpace: code === SPACE }));

const MAX_WIDTHS = 200_000;

/** W and DW, or W2 and DW2 where lines run down (ISO 32000-1, 9.7.4.3). */
export function cidWidths(doc: PdfDocument, font: Dict, vertical: boolean): (cid: number) => number {
  const [list, values] = vertical ? [font.get('W2'), 3] : [font.get('W'), 1];
  const fallback = vertical
    ? (doc.number(doc.array(font.get('DW2'))?.[1]) ?? -1000)
    : (doc.number(font.get('DW')) ?? 1000);
  const single = new Map<number, number>();
  const ranges: { first: number; last: number; width: number }[] = [];
  const entries = doc.array(list) ?? [];
  for (let at = 0; at < entries.length && single.size + ranges.length < MAX_WIDTHS; ) {
    const first = doc.number(entries[at]) ?? 0;
    const run = doc.array(entries[at + 1]);
    if (run) {
      for (let index = 0; index * values < run.length; index += 1)
        single.set(first + index, doc.number(run[index * values]) ?? fallback);
      at += 2;
    } else {
      const width = doc.number(entries[at + 2]) ?? fallback;
      ranges.push({ first, last: doc.number(entries[at + 1]) ?? first, width });
      at += 2 + values;
    }
  }
  return (cid) => {
    const width = single.get(cid) ?? ranges.find(({ first, last }) => first <= cid && cid <= last)?.width;
    return (width ?? fallback) / 1000;
  };
}
