// TrueType programs of composite fonts: codes lead to glyphs without their help (ISO 32000-1, 9.9, Table 126), so that
// all tables but those that draw glyphs say nothing to readers.
import { deflateSync } from 'node:zlib';
import type { PdfDocument } from '../document.ts';
import { filtersOf, isPacking, undoFilter } from '../filters/stream-filters.ts';
import { descendantOf } from '../fonts/font-file.ts';
import { unlessDamaged } from '../fonts/programs/damage.ts';
import { readSoundSfnt, writeSfnt } from '../fonts/programs/sfnt.ts';
import { Dict, name, type PdfValue, Ref, Stream } from '../objects.ts';

const DRAWING = ['glyf', 'loca', 'head', 'hhea', 'hmtx', 'maxp', 'cvt ', 'fpgm', 'prep', 'vhea', 'vmtx'];
/** Fewer bytes are not worth the work. */
const MIN_SPARED = 200;
const MAX_BYTES = 64 * 1024 * 1024;

/** `whole` are fonts that fields may be filled with. Returns the programs that were written anew. */
export function leanCompositeFonts(
  doc: PdfDocument,
  refs: readonly Ref[],
  whole: readonly PdfValue[],
): Set<string> {
  const kept = new Set(
    whole.flatMap((font) => programOf(doc, descendantOf(doc, doc.dict(font)) ?? doc.dict(font))?.key ?? []),
  );
  const found = new Map<string, { ref: Ref; isLean: boolean }>();
  for (const ref of refs) {
    const font = doc.get(ref);
    const program = font instanceof Dict ? programOf(doc, font) : undefined;
    if (!program || !(font instanceof Dict)) continue;
    const isComposite = doc.name(font.get('Subtype')) === 'CIDFontType2';
    const others = found.get(program.key);
    found.set(program.key, { ref: program, isLean: isComposite && others?.isLean !== false });
  }
  const written = new Set<string>();
  for (const [key, { ref, isLean }] of found)
    if (isLean && !kept.has(key) && dropTables(doc, ref)) written.add(key);
  return written;
}

function programOf(doc: PdfDocument, font: Dict | undefined): Ref | undefined {
  const held = doc.dict(font?.get('FontDescriptor'))?.get('FontFile2');
  return held instanceof Ref ? held : undefined;
}

function dropTables(doc: PdfDocument, ref: Ref): boolean {
  const stream = doc.get(ref);
  const file = stream instanceof Stream ? programData(doc, ref, stream.dict) : undefined;
  const lean = file && withoutTables(file);
  if (!lean) return false;
  const packed = deflateSync(lean, { level: 9, memLevel: 9 });
  doc.replaceStreamData(ref, packed, name('FlateDecode'));
  const dict = doc.edit(ref);
  dict.set('Length', packed.length);
  dict.set('Length1', lean.length);
  return true;
}

/** The filters are undone here: an engine may not know yet which those of a new program are. */
function programData(doc: PdfDocument, ref: Ref, dict: Dict): Buffer | undefined {
  const filters = filtersOf(doc, dict);
  if (!filters?.every((filter) => isPacking(filter.name))) return undefined;
  let bytes = doc.rawStreamData(ref);
  for (const filter of filters) {
    const undone = undoFilter(doc, bytes, filter);
    if (!undone.complete) return undefined;
    bytes = undone.bytes;
  }
  return bytes.length <= MAX_BYTES ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : undefined;
}

function withoutTables(file: Buffer): Buffer | undefined {
  return unlessDamaged(() => {
    const sfnt = readSoundSfnt(file);
    if (!sfnt?.tables.has('glyf')) return undefined;
    const tables = new Map([...sfnt.tables].filter(([tag]) => DRAWING.includes(tag)));
    const lean = writeSfnt({ version: sfnt.version, tables });
    return lean.length + MIN_SPARED < file.length ? lean : undefined;
  });
}
