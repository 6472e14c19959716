// Cutting a font down to the glyphs that were drawn, by HarfBuzz's subsetter.
import { readOutlines } from './cff.ts';
import type { FontFace } from './face-facts.ts';
import { FontFile, partSize, readPart } from './font-file.ts';
import { call, compile, instantiate, type Wasm } from './wasm.ts';

const FLAGS = { noHinting: 1, retainGlyphs: 2, noLayoutClosure: 0x200 } as const;
const MEMORY_WRITABLE = 2;
/** An instance never gives memory back: one that held a large font is not kept. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** What a PDF wants of a font program; layout was done before, names and characters stand in the PDF. */
const TABLES = {
  glyf: ['glyf', 'loca', 'head', 'hhea', 'hmtx', 'maxp'],
  'CFF ': ['CFF ', 'head', 'hhea', 'hmtx', 'maxp'],
} as const;

let subsetter: Subsetter | undefined;

export async function loadSubsetter(): Promise<Subsetter> {
  const module = await compile('harfbuzz-subset');
  subsetter ??= new Subsetter(() => instantiate(module));
  return subsetter;
}

export class Subsetter {
  private readonly start: () => Wasm;
  private wasm: Wasm | undefined;

  constructor(start: () => Wasm) {
    this.start = start;
  }

  /** A font file with these glyphs. Glyphs keep their numbers, but for CFF fonts that name them by CID. */
  subset(font: FontFace, glyphs: readonly number[]): Uint8Array {
    const wasm = this.wasm ?? this.start();
    this.wasm = undefined;
    const made = FontFile.with(font.path, (source) => this.cut(wasm, source, font, glyphs));
    if (made.bytesRead <= KEPT_BYTES) this.wasm = wasm;
    return made.file;
  }

  private cut(
    wasm: Wasm,
    source: FontFile,
    font: FontFace,
    glyphs: readonly number[],
  ): { file: Uint8Array; bytesRead: number } {
    const { native } = wasm;
    const tags = TABLES[font.facts.outlines];
    const face = source.face(font.offset);
    const bytes = partSize(face.tables, tags);
    const data = wasm.allocate(bytes);
    let bytesRead = 0;
    readPart(source, face, tags, wasm.heap().subarray(data, data + bytes), (tag, place, target) => {
      if (tag === 'CFF ') bytesRead += readOutlines(source, place, glyphs, target);
      else {
        source.readInto(target, place.offset);
        bytesRead += target.length;
      }
    });
    const blob = call(native, 'hb_blob_create', data, bytes, MEMORY_WRITABLE, 0, 0);
    const whole = call(native, 'hb_face_create', blob, 0);
    const input = call(native, 'hb_subset_input_create_or_fail');
    const wanted = call(native, 'hb_subset_input_glyph_set', input);
    for (const glyph of glyphs) call(native, 'hb_set_add', wanted, glyph);
    const retain = font.outlines === 'cid' ? 0 : FLAGS.retainGlyphs;
    call(native, 'hb_subset_input_set_flags', input, FLAGS.noHinting | FLAGS.noLayoutClosure | retain);
    const part = call(native, 'hb_subset_or_fail', whole, input);
    if (part === 0) throw new Error(`no subset could be made of ${font.path}`);
    const result = call(native, 'hb_face_reference_blob', part);
    const at = call(native, 'hb_blob_get_data', result, 0);
    const file = wasm.heap().slice(at, at + call(native, 'hb_blob_get_length', result));
    call(native, 'hb_blob_destroy', result);
    call(native, 'hb_face_destroy', part);
    call(native, 'hb_subset_input_destroy', input);
    call(native, 'hb_face_destroy', whole);
    call(native, 'hb_blob_destroy', blob);
    call(native, 'free', data);
    return { file, bytesRead };
  }
}
