// What a font's dictionary and its program say of each glyph shown, held against each other by the rules.

import { inflateSync } from 'node:zlib';
import type { PdfDocument } from '../../document.ts';
import { contentOf } from '../../filters/content-data.ts';
import { filtersOf } from '../../filters/stream-filters.ts';
import { type CidToGid, readCidToGid } from '../../fonts/cid-to-gid.ts';
import { codeMapOf, codesIn } from '../../fonts/cmaps.ts';
import { FLAG } from '../../fonts/font-descriptor.ts';
import { descendantOf, type FontFileEntry, fontFileOf } from '../../fonts/font-file.ts';
import { charactersOf } from '../../fonts/glyph-names.ts';
import { cidWidths } from '../../fonts/glyph-widths.ts';
import { CffFont } from '../../fonts/programs/cff.ts';
import { unlessDamaged } from '../../fonts/programs/damage.ts';
import { TrueTypeFont } from '../../fonts/programs/truetype.ts';
import { readType1, type Type1Font } from '../../fonts/programs/type1.ts';
import { type SimpleEncoding, simpleEncoding } from '../../fonts/simple-encodings.ts';
import { isStandard14Name } from '../../fonts/standard-fonts.ts';
import { codeNumber, type ToUnicode, toUnicodeOf } from '../../fonts/to-unicode.ts';
import { Dict, Name, type Ref } from '../../objects.ts';
import type { FontUse } from '../content/drawn.ts';
import { simpleGlyph } from './simple-glyph.ts';

export interface ShownGlyph {
  code: number;
  /** In bytes. */
  codeLength: number;
  /** What its program calls it. */
  glyphName?: string | undefined;
  /** In composite fonts, where the CMap tells it. */
  cid?: number | undefined;
  /** Its number in the program; undefined where it has none. */
  glyph: number | undefined;
  /** Undefined where the program cannot tell. */
  isPresent: boolean | undefined;
  isNotdef: boolean;
  programWidth: number | undefined;
  dictWidth: number | undefined;
  unicode: string | undefined;
}

export type Program =
  | { kind: 'truetype'; font: TrueTypeFont; cff: CffFont | undefined }
  | { kind: 'cff'; font: CffFont }
  | { kind: 'type1'; font: Type1Font };

const MAX_CODES = 100_000;
const MAX_PROGRAM_BYTES = 256 * 1024 * 1024;

export class FontFacts {
  readonly use: FontUse;
  readonly font: Dict;
  readonly subtype: string;
  readonly baseFont: string | undefined;
  /** Of a composite font, else the font itself. */
  readonly descendant: Dict;
  readonly descriptor: Dict | undefined;
  readonly program: Program | undefined;
  readonly fontFile: FontFileEntry | undefined;
  readonly encoding: SimpleEncoding;
  readonly toUnicode: ToUnicode | undefined;
  readonly doc: PdfDocument;
  private cidToGid: CidToGid | 'identity' | undefined;
  private shown: ShownGlyph[] | undefined;
  private shownAnyhow: ShownGlyph[] | undefined;

  constructor(doc: PdfDocument, use: FontUse) {
    this.doc = doc;
    this.use = use;
    this.font = use.font;
    this.subtype = doc.name(use.font.get('Subtype')) ?? '';
    this.baseFont = doc.name(use.font.get('BaseFont'));
    this.descendant = this.subtype === 'Type0' ? (descendantOf(doc, use.font) ?? new Dict()) : use.font;
    this.descriptor = doc.dict(this.descendant.get('FontDescriptor'));
    this.fontFile = fontFileOf(doc, this.descriptor);
    this.program = this.fontFile && readProgram(doc, this.fontFile.ref);
    this.encoding = simpleEncoding(doc, use.font);
    this.toUnicode = toUnicodeOf(doc, use.font.get('ToUnicode'));
  }

  get isSymbolic(): boolean {
    const flags = this.doc.number(this.descriptor?.get('Flags')) ?? 0;
    return (flags & FLAG.symbolic) !== 0;
  }

  get where(): string {
    const { ref, where } = this.use;
    return `font ${this.baseFont ?? ''}${ref ? ` (object ${ref.number} ${ref.generation})` : ''}, ${where}`;
  }

  get isVisible(): boolean {
    return this.use.visible.size > 0;
  }

  /** Glyphs shown in any mode but the invisible one. */
  visibleGlyphs(): ShownGlyph[] {
    this.shown ??= this.glyphs(this.use.visible);
    return this.shown;
  }

  allGlyphs(): ShownGlyph[] {
    this.shownAnyhow ??= this.glyphs(new Set([...this.use.visible, ...this.use.invisible]));
    return this.shownAnyhow;
  }

  unexplainedGlyphs(): ShownGlyph[] {
    return this.glyphs(this.use.unexplained);
  }

  undescribedGlyphs(): ShownGlyph[] {
    return this.glyphs(this.use.undescribed);
  }

  private glyphs(texts: ReadonlySet<string>): ShownGlyph[] {
    return this.subtype === 'Type0' ? this.compositeGlyphs(texts) : this.simpleGlyphs(texts);
  }

  private simpleGlyphs(texts: ReadonlySet<string>): ShownGlyph[] {
    const codes = new Set<number>();
    for (const text of texts) for (let at = 0; at < text.length; at += 1) codes.add(text.charCodeAt(at));
    const names = this.encoding;
    return [...codes].map((code) => {
      const found = simpleGlyph(this, code);
      const name = names.nameOf(code) ?? found.name;
      return {
        code,
        codeLength: 1,
        glyphName: found.name,
        glyph: found.glyph,
        isPresent: found.isPresent,
        isNotdef: name === '.notdef',
        programWidth: found.width,
        dictWidth: this.simpleWidth(code),
        unicode: this.toUnicode?.get(code) ?? (name === undefined ? undefined : charactersOf(name)),
      };
    });
  }

  private simpleWidth(code: number): number | undefined {
    const { doc, font } = this;
    const [first, last] = [doc.number(font.get('FirstChar')), doc.number(font.get('LastChar'))];
    const widths = doc.array(font.get('Widths'));
    if (first === undefined || !widths)
      return this.subtype === 'Type1' && isStandard14Name(this.baseFont ?? '') ? undefined : 0;
    // MissingWidth is for codes that Widths does not speak of.
    if (code < first || code > (last ?? first + widths.length - 1))
      return doc.number(this.descriptor?.get('MissingWidth')) ?? 0;
    return doc.number(widths[code - first]) ?? 0;
  }

  private compositeGlyphs(texts: ReadonlySet<string>): ShownGlyph[] {
    const { doc } = this;
    const map = codeMapOf(doc, this.font.get('Encoding'));
    const widths = cidWidths(doc, this.descendant, false);
    const seen = new Map<number, ShownGlyph>();
    const isPredefined = this.hasKnownCollection();
    for (const text of texts) {
      for (const { bytes, cid } of codesIn(map, Buffer.from(text, 'latin1'))) {
        const code = codeNumber(bytes);
        if (seen.has(code) || seen.size >= MAX_CODES) continue;
        const glyph = cid === undefined ? undefined : this.glyphOfCid(cid);
        const isPresent = glyph === undefined ? undefined : this.hasGlyph(glyph);
        seen.set(code, {
          code,
          codeLength: bytes.length,
          cid,
          glyph,
          isPresent,
          // In the place of a glyph that is not there .notdef is shown.
          isNotdef: glyph === 0 || isPresent === false,
          programWidth: glyph === undefined ? undefined : this.programWidth(glyph),
          dictWidth: cid === undefined ? undefined : widths(cid) * 1000,
          unicode: this.toUnicode?.get(code) ?? (isPredefined ? '?' : undefined),
        });
      }
    }
    return [...seen.values()];
  }

  /** Codes of the four collections of Adobe have a meaning every reader knows. */
  private hasKnownCollection(): boolean {
    const { doc } = this;
    const encoding = doc.resolve(this.font.get('Encoding'));
    const named = encoding instanceof Name && !encoding.value.startsWith('Identity');
    const info = doc.dict(this.descendant.get('CIDSystemInfo'));
    const ordering = doc.text(info?.get('Ordering')) ?? '';
    return named || ['GB1', 'CNS1', 'Japan1', 'Korea1', 'KR'].includes(ordering);
  }

  private glyphOfCid(cid: number): number | undefined {
    const { doc, program } = this;
    if (!program) return undefined;
    const cff = program.kind === 'cff' ? program.font : program.kind === 'truetype' ? program.cff : undefined;
    if (doc.name(this.descendant.get('Subtype')) === 'CIDFontType2') {
      this.cidToGid ??= readCidToGid(doc, this.descendant) ?? 'identity';
      return this.cidToGid === 'identity' ? cid : this.cidToGid.glyph(cid);
    }
    return cff?.isCid ? (cff.byCid.get(cid) ?? -1) : cid;
  }

  private hasGlyph(glyph: number): boolean | undefined {
    const { program } = this;
    if (!program || program.kind === 'type1') return undefined;
    const count =
      program.kind === 'truetype' && program.cff ? program.cff.glyphCount : program.font.glyphCount;
    return glyph >= 0 && glyph < count;
  }

  private programWidth(glyph: number): number | undefined {
    const { program } = this;
    if (!program || program.kind === 'type1') return undefined;
    // In the place of a glyph that is not there .notdef is shown.
    return unlessDamaged(() => program.font.width(this.hasGlyph(glyph) ? glyph : 0));
  }
}

/** Packed data whose checksum is wrong: some readers take what they get, others nothing. */
function isDamaged(doc: PdfDocument, ref: Ref): boolean {
  const filters = filtersOf(doc, doc.dict(ref) ?? new Dict());
  if (filters?.length !== 1 || filters[0]?.name !== 'FlateDecode') return false;
  try {
    inflateSync(doc.rawStreamData(ref), { maxOutputLength: MAX_PROGRAM_BYTES });
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'Z_DATA_ERROR';
  }
}

/** Programs are told by what they are, not by where they hang. */
function readProgram(doc: PdfDocument, ref: Ref): Program | undefined {
  if (isDamaged(doc, ref)) return undefined;
  const content = contentOf(doc, ref);
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const head = bytes.toString('latin1', 0, 4);
  return unlessDamaged((): Program | undefined => {
    if (['OTTO', 'true', 'ttcf', '\0\x01\0\0'].includes(head)) {
      const font = TrueTypeFont.read(bytes);
      const cff = font?.cff && unlessDamaged(() => new CffFont(font.cff as Buffer));
      return font && { kind: 'truetype', font, cff };
    }
    if (head.startsWith('%!') || bytes[0] === 0x80) {
      const font = readType1(bytes);
      return font?.isWhole ? { kind: 'type1', font } : undefined;
    }
    return bytes[0] === 1 ? { kind: 'cff', font: new CffFont(bytes) } : undefined;
  });
}
