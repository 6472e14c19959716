// Shaping: characters of one font and direction become glyphs and their places, by HarfBuzz.

import type { Font } from './font.ts';
import { FontFile, partSize, readPart } from './font-file.ts';
import { call, compile, instantiate, type Pointer, type Wasm } from './wasm.ts';

/** One glyph as HarfBuzz places it, in font units; `index` is where its cluster begins in the text. */
export interface PlacedGlyph {
  id: number;
  index: number;
  width: number;
  advance: number;
  x: number;
  y: number;
}

export interface ShapeRequest {
  /** The whole line: letters join across the ends of a run. */
  text: string;
  start: number;
  end: number;
  rightToLeft: boolean;
  /** BCP 47; decides between forms of one character. */
  language: string;
}

/** What shaping reads; outlines only where they are small, to place marks in fonts that do not say where. */
const TABLES = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'OS/2', 'GDEF', 'GSUB', 'GPOS', 'kern'];
const OUTLINES = ['glyf', 'loca'];
const OUTLINES_BYTES = 4 * 1024 * 1024;
/** Fonts held for the next text. */
const HELD_BYTES = 24 * 1024 * 1024;
const HELD_FONTS = 32;

const DIRECTION = { ltr: 4, rtl: 5 } as const;
const MEMORY_WRITABLE = 2;
const REMOVE_IGNORABLES = 8;
const NO_DOTTED_CIRCLE = 16;
const RECORD_WORDS = 5;

interface HeldFont {
  font: Pointer;
  face: Pointer;
  blob: Pointer;
  data: Pointer;
  bytes: number;
}

let shaper: Shaper | undefined;

export async function loadShaper(): Promise<Shaper> {
  const module = await compile('harfbuzz');
  shaper ??= new Shaper(() => instantiate(module));
  return shaper;
}

export class Shaper {
  private readonly start: () => Wasm;
  private wasm: Wasm;
  /** In the order of last use. */
  private readonly held = new Map<string, HeldFont>();
  private readonly languages = new Map<string, Pointer>();
  private heldBytes = 0;

  constructor(start: () => Wasm) {
    this.start = start;
    this.wasm = start();
  }

  shape(font: Font, request: ShapeRequest): PlacedGlyph[] {
    try {
      return this.shapeIn(this.hold(font).font, request);
    } catch (error) {
      // A fault leaves the memory in doubt: the next text gets a new instance.
      this.reset();
      throw error;
    }
  }

  private reset(): void {
    this.wasm = this.start();
    this.held.clear();
    this.languages.clear();
    this.heldBytes = 0;
  }

  private shapeIn(font: Pointer, { text, start, end, rightToLeft, language }: ShapeRequest): PlacedGlyph[] {
    const { native, allocate } = this.wasm;
    const buffer = call(native, 'hb_buffer_create');
    const units = allocate(text.length * 2 || 2);
    Buffer.from(this.wasm.heap().buffer, units, text.length * 2).write(text, 'utf16le');
    call(native, 'hb_buffer_add_utf16', buffer, units, text.length, start, end - start);
    call(native, 'hb_buffer_set_direction', buffer, rightToLeft ? DIRECTION.rtl : DIRECTION.ltr);
    call(native, 'hb_buffer_set_language', buffer, this.language(language));
    call(native, 'hb_buffer_set_flags', buffer, REMOVE_IGNORABLES | NO_DOTTED_CIRCLE);
    call(native, 'hb_buffer_guess_segment_properties', buffer);
    call(native, 'hb_shape', font, buffer, 0, 0);
    const glyphs = this.read(font, buffer);
    call(native, 'hb_buffer_destroy', buffer);
    call(native, 'free', units);
    return glyphs;
  }

  private read(font: Pointer, buffer: Pointer): PlacedGlyph[] {
    const { native } = this.wasm;
    const count = call(native, 'hb_buffer_get_length', buffer);
    const infos = call(native, 'hb_buffer_get_glyph_infos', buffer, 0) >> 2;
    const places = call(native, 'hb_buffer_get_glyph_positions', buffer, 0) >> 2;
    const words = this.wasm.words();
    const word = (at: number): number => words[at] ?? 0;
    const glyphs: PlacedGlyph[] = [];
    for (let index = 0; index < count; index += 1) {
      const info = infos + RECORD_WORDS * index;
      const place = places + RECORD_WORDS * index;
      glyphs.push({
        id: word(info),
        index: word(info + 2),
        width: 0,
        advance: word(place),
        x: word(place + 2),
        y: word(place + 3),
      });
    }
    for (const glyph of glyphs) glyph.width = call(native, 'hb_font_get_glyph_h_advance', font, glyph.id);
    return glyphs;
  }

  private language(tag: string): Pointer {
    let made = this.languages.get(tag);
    if (made === undefined) {
      const { native, allocate } = this.wasm;
      const name = allocate(tag.length + 1);
      this.wasm.heap().set(Buffer.from(`${tag}\0`, 'latin1'), name);
      made = call(native, 'hb_language_from_string', name, tag.length);
      call(native, 'free', name);
      this.languages.set(tag, made);
    }
    return made;
  }

  private hold(font: Font): HeldFont {
    const before = this.held.get(font.key);
    if (before) {
      this.held.delete(font.key);
      this.held.set(font.key, before);
      return before;
    }
    const made = this.load(font);
    this.held.set(font.key, made);
    this.heldBytes += made.bytes;
    for (const [key, oldest] of this.held) {
      if (oldest === made || (this.heldBytes <= HELD_BYTES && this.held.size <= HELD_FONTS)) break;
      this.release(key, oldest);
    }
    return made;
  }

  private load(font: Font): HeldFont {
    return FontFile.with(font.path, (file) => {
      const face = file.face(font.offset);
      const outlines = (face.tables.get('glyf')?.length ?? 0) <= OUTLINES_BYTES ? OUTLINES : [];
      const tags = [...TABLES, ...outlines];
      const bytes = partSize(face.tables, tags);
      const { native, allocate } = this.wasm;
      const data = allocate(bytes);
      readPart(file, face, tags, this.wasm.heap().subarray(data, data + bytes));
      const blob = call(native, 'hb_blob_create', data, bytes, MEMORY_WRITABLE, 0, 0);
      const hbFace = call(native, 'hb_face_create', blob, 0);
      return { font: call(native, 'hb_font_create', hbFace), face: hbFace, blob, data, bytes };
    });
  }

  private release(key: string, { font, face, blob, data, bytes }: HeldFont): void {
    const { native } = this.wasm;
    call(native, 'hb_font_destroy', font);
    call(native, 'hb_face_destroy', face);
    call(native, 'hb_blob_destroy', blob);
    call(native, 'free', data);
    this.held.delete(key);
    this.heldBytes -= bytes;
  }
}
