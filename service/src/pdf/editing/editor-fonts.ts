// The fonts of a page as an editor wants them.
import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import { descendantOf, descriptorOf, fontFileOf } from '../fonts/font-file.ts';
import { unlessDamaged } from '../fonts/programs/damage.ts';
import { TrueTypeFont } from '../fonts/programs/truetype.ts';
import { simpleEncoding } from '../fonts/simple-encodings.ts';
import { isStandardName } from '../fonts/standard-fonts.ts';
import { Dict, type PdfValue, Ref, Stream } from '../objects.ts';
import { nameText } from '../text-strings.ts';
import { type Json, rawDict } from './raw-values.ts';

const FORMATS: Readonly<Record<string, string>> = lookup({
  FontFile: 'type1',
  FontFile2: 'ttf',
  Type1C: 'cff',
  CIDFontType0C: 'cff',
  OpenType: 'otf',
});

/** Names of fonts on one page: two fonts of one name get different ones. */
export class PageFonts {
  readonly used: { id: string; font: PdfValue | undefined }[] = [];
  private readonly byObject = new Map<string, string>();
  private readonly taken = new Set<string>();

  idOf(name: string, font: PdfValue | undefined): string {
    const wanted = nameText(name) || 'F';
    const key = font instanceof Ref ? font.key : `direct ${wanted}`;
    const known = this.byObject.get(`${key} ${wanted}`);
    if (known !== undefined) return known;
    let id = wanted;
    for (let number = 2; this.taken.has(id); number += 1) id = `${wanted}_${number}`;
    this.taken.add(id);
    this.byObject.set(`${key} ${wanted}`, id);
    this.used.push({ id, font });
    return id;
  }
}

interface FontOptions {
  id: string;
  pageNumber: number;
  lightweight: boolean;
  /** Whether the font's program may be written out once more. */
  mayCarry(bytes: number, key: string): boolean;
}

export function editorFont(doc: PdfDocument, value: PdfValue | undefined, options: FontOptions) {
  const font = doc.dict(value) ?? new Dict();
  const descriptor = descriptorOf(doc, font);
  const subtype = doc.name(font.get('Subtype')) ?? 'Type1';
  const baseName = nameText(doc.name(font.get('BaseFont')) ?? doc.name(descriptor?.get('FontName')) ?? '');
  const program = programOf(doc, descriptor);
  const number = (key: string): number | undefined => doc.number(descriptor?.get(key));
  const { id, pageNumber, lightweight } = options;
  return {
    id,
    pageNumber,
    uid: `${pageNumber}:${id}`,
    baseName,
    subtype: nameText(subtype),
    encoding: encodingOf(doc, font),
    cidSystemInfo: systemInfo(doc, descendantOf(doc, font)),
    embedded: subtype === 'Type3' || program !== undefined,
    ...(lightweight ? {} : programMembers(doc, font, program, options)),
    standard14Name: program === undefined && isStandardName(baseName) ? baseName : undefined,
    fontDescriptorFlags: number('Flags'),
    ascent: number('Ascent'),
    descent: number('Descent'),
    capHeight: number('CapHeight'),
    xHeight: number('XHeight'),
    italicAngle: number('ItalicAngle'),
    unitsPerEm: program ? unitsPerEm(doc, program) : undefined,
    type3Glyphs: subtype === 'Type3' ? drawnGlyphs(doc, font) : undefined,
    cosDictionary: lightweight ? undefined : (rawDict(doc, font) as Json),
  };
}

interface Program {
  ref: Ref;
  format: string;
}

function programOf(doc: PdfDocument, descriptor: Dict | undefined): Program | undefined {
  const file = fontFileOf(doc, descriptor);
  if (!file) return undefined;
  const { key, ref, dict } = file;
  const subtype = key === 'FontFile3' ? (doc.name(dict.get('Subtype')) ?? 'Type1C') : key;
  return { ref, format: FORMATS[subtype] ?? 'cff' };
}

function programMembers(
  doc: PdfDocument,
  font: Dict,
  program: Program | undefined,
  { mayCarry }: FontOptions,
): Record<string, string> {
  const members: Record<string, string> = {};
  if (program) {
    const { bytes } = doc.streamData(program.ref);
    if (mayCarry(bytes.length, program.ref.key)) {
      members.program = base64(bytes);
      members.programFormat = program.format;
    }
  }
  const map = font.get('ToUnicode');
  if (map instanceof Ref && doc.resolve(map) instanceof Stream) {
    const { bytes } = doc.streamData(map);
    if (mayCarry(bytes.length, map.key)) members.toUnicode = base64(bytes);
  }
  return members;
}

export const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

function encodingOf(doc: PdfDocument, font: Dict): string | undefined {
  const held = doc.resolve(font.get('Encoding'));
  const name =
    doc.name(held) ??
    doc.name(doc.dict(held)?.get('BaseEncoding')) ??
    doc.name(doc.dict(held)?.get('CMapName'));
  return name === undefined ? undefined : nameText(name);
}

function systemInfo(doc: PdfDocument, inner: Dict | undefined) {
  const info = doc.dict(inner?.get('CIDSystemInfo'));
  if (!info) return undefined;
  return {
    registry: doc.text(info.get('Registry')) ?? '',
    ordering: doc.text(info.get('Ordering')) ?? '',
    supplement: doc.number(info.get('Supplement')) ?? 0,
  };
}

const MAX_DRAWN_GLYPHS = 1000;

/** TrueType programs tell in their head table; the others count in thousandths. */
function unitsPerEm(doc: PdfDocument, { ref, format }: Program): number {
  if (format !== 'ttf' && format !== 'otf') return 1000;
  const { bytes } = doc.streamData(ref);
  return unlessDamaged(() => TrueTypeFont.read(Buffer.from(bytes))?.unitsPerEm) ?? 1000;
}

function drawnGlyphs(doc: PdfDocument, font: Dict): { charCode: number; glyphName: string }[] {
  return [...simpleEncoding(doc, font).differences]
    .filter(([, glyph]) => glyph !== '.notdef')
    .slice(0, MAX_DRAWN_GLYPHS)
    .map(([charCode, glyph]) => ({ charCode, glyphName: nameText(glyph) }));
}
