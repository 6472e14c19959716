// A font of the document that brings its font program along: what its strings show, and how it is made to refer to a
// smaller program.

import type { PdfDocument } from '../document.ts';
import { Dict, name, PdfString, type Ref } from '../objects.ts';
import { readCidToGid } from './cid-to-gid.ts';
import { type CodeMap, codeMapOf, codesIn } from './cmaps.ts';
import { possibleCharacters } from './encoding-candidates.ts';
import { withoutSubsetTag } from './font-descriptor.ts';
import { descendantOf, type FontFileEntry, fontFileOf } from './font-file.ts';
import type { Shown } from './programs/subset.ts';
import { isStandardName } from './standard-fonts.ts';

const SIMPLE = ['Type1', 'TrueType'];
const COMPOSITE = ['CIDFontType0', 'CIDFontType2'];
/** Smaller programs are not worth the work. */
const MIN_BYTES = 1500;
const LARGEST_CID = 0xffff;

/** How a font's strings are read. */
export interface FontReading {
  /** Codes of a simple font, CIDs of a composite one; undefined where they cannot be told. */
  codesIn(bytes: Uint8Array): ArrayLike<number> | undefined;
  /** All of them are below this. */
  codeCount: number;
  shown(code: number): Shown;
}

export interface EmbeddedFont extends FontReading {
  ref: Ref;
  /** As it was found. */
  dict: Dict;
  /** The part of a composite font that holds the descriptor. */
  descendant: Dict | undefined;
  descriptor: Dict;
  programKey: FontFileEntry['key'];
  program: Ref;
}

/** Undefined for fonts that hold no program, or one that must stay as it is. */
export function readEmbeddedFont(doc: PdfDocument, ref: Ref): EmbeddedFont | undefined {
  const dict = doc.resolve(ref);
  if (!(dict instanceof Dict)) return undefined;
  const isComposite = doc.name(dict.get('Subtype')) === 'Type0';
  const descendant = isComposite ? descendantOf(doc, dict) : undefined;
  const descriptor = doc.dict((isComposite ? descendant : dict)?.get('FontDescriptor'));
  const file = fontFileOf(doc, descriptor);
  if (!descriptor || !file || (doc.number(file.dict.get('Length')) ?? MIN_BYTES) < MIN_BYTES)
    return undefined;
  const reading = descendant ? compositeReading(doc, dict, descendant) : simpleReading(doc, dict);
  const { key: programKey, ref: program } = file;
  return reading && { ...reading, ref, dict: new Dict(dict), descendant, descriptor, programKey, program };
}

function simpleReading(doc: PdfDocument, font: Dict): FontReading | undefined {
  const subtype = doc.name(font.get('Subtype')) ?? '';
  const baseName = doc.name(font.get('BaseFont')) ?? '';
  // Readers know these by their name, and would not know a part of them.
  const isSpecial = isStandardName(baseName) || /^(?:Symbol|ZapfDingbats|Arial|Courier|Times)/.test(baseName);
  if (!SIMPLE.includes(subtype) || (isSpecial && subtype === 'Type1')) return undefined;
  const characters = possibleCharacters(doc, font);
  if (!characters) return undefined;
  const firstCode = doc.number(font.get('FirstChar')) ?? 0;
  return {
    codeCount: 256,
    codesIn: (bytes) => bytes,
    shown: (code) => ({ kind: 'simple', code, firstCode, ...characters(code) }),
  };
}

function compositeReading(doc: PdfDocument, font: Dict, descendant: Dict): FontReading | undefined {
  const encoding = font.get('Encoding');
  const isIdentity = doc.name(encoding)?.startsWith('Identity-') ?? false;
  const map = codeMapOf(doc, encoding);
  const subtype = doc.name(descendant.get('Subtype')) ?? '';
  // Readers exchange glyphs for upright ones where text runs downwards.
  if (map.vertical || !COMPOSITE.includes(subtype)) return undefined;
  if (!isIdentity && subtype === 'CIDFontType2' && !descendant.has('CIDToGIDMap')) return undefined;
  const mapping = readCidToGid(doc, descendant);
  if (mapping && !mapping.isWhole) return undefined;
  return {
    codeCount: LARGEST_CID + 1,
    codesIn: (bytes) => cidsIn(map, bytes),
    shown: (cid) => ({ kind: 'cid', cid, glyph: mapping?.glyph(cid) }),
  };
}

/** Undefined where one of them cannot be told. */
function cidsIn(map: CodeMap, bytes: Uint8Array): number[] | undefined {
  const cids: number[] = [];
  for (const { cid } of codesIn(map, bytes)) {
    if (cid === undefined || cid > LARGEST_CID) return undefined;
    cids.push(cid);
  }
  return cids;
}

/** The objects through which a font refers to a smaller program. Made once for each font, filled for each part. */
export interface SubsetFont {
  descriptor: Ref;
  descendant: Ref | undefined;
}

/** Makes the font refer to another program. `tag` marks a part of a font (ISO 32000-1, 9.6.4). */
export function referTo(
  doc: PdfDocument,
  font: EmbeddedFont,
  { descriptor, descendant }: SubsetFont,
  part: {
    program: Ref;
    programKey: EmbeddedFont['programKey'];
    tag: string;
    names: readonly string[] | undefined;
  },
): void {
  const tagName = (holder: Dict, key: string): Dict => {
    const baseName = doc.name(holder.get(key));
    if (baseName !== undefined) holder.set(key, name(`${part.tag}+${withoutSubsetTag(baseName)}`));
    return holder;
  };
  const described = tagName(new Dict(font.descriptor), 'FontName');
  described.delete(font.programKey);
  described.set(part.programKey, part.program);
  if (part.names && described.has('CharSet')) described.set('CharSet', charSet(part.names));
  doc.replace(descriptor, described as Dict);
  const made = tagName(new Dict(font.dict), 'BaseFont');
  if (font.descendant && descendant) {
    doc.replace(
      descendant,
      tagName(new Dict(font.descendant), 'BaseFont').set('FontDescriptor', descriptor) as Dict,
    );
    made.set('DescendantFonts', [descendant]);
  } else made.set('FontDescriptor', descriptor);
  doc.replace(font.ref, made);
}

const charSet = (names: readonly string[]): PdfString =>
  new PdfString(
    Buffer.from(
      names
        .filter((glyph) => glyph !== '.notdef')
        .map((glyph) => `/${glyph}`)
        .join(''),
      'latin1',
    ),
  );
