// The ToUnicode map of a font as this build of PDFium keeps it in its memory: the stream of the document, and what
// PDFium made of it. No call tells either. Whatever does not look as expected tells nothing.
import { constants, inflateSync } from 'node:zlib';
import { MIB } from '../../../contract/limits.ts';
import { FLAG } from '../../../pdf/fonts/font-descriptor.ts';
import type { Library, Pointer } from '../library.ts';
import { wordsOf } from './pdfium-memory.ts';

/** All in words of four bytes from the start of each thing. */
const FONT = { dictionary: 26, map: 28, isRead: 29, flags: 30 } as const;
/** Of a simple font: the character of each code by its encoding and the names of its glyphs. */
const ENCODED = { from: 39, count: 256 } as const;
const HOLDER = { root: 3 } as const;
const OBJECT = { kind: 0, number: 2 } as const;
const DICTIONARY = { root: 7 } as const;
const REFERENCE = { holder: 4, number: 5 } as const;
const NAME = { text: 4 } as const;
const ARRAY = { items: 4, itemsEnd: 5 } as const;
/** Data as it stood in the file is held by an object of its own, deciphered data by the stream. */
const STREAM = { data: 4, dataEnd: 5, isOwn: 7, dictionary: 8 } as const;
const FILE_DATA = { data: 1, size: 2 } as const;
const TEXT = { length: 1, characters: 3 } as const;
/** A tree of the C++ library. */
const NODE = { left: 0, right: 1, key: 4, value: 5 } as const;
const MAP = { root: 1, size: 2, texts: 7, textsEnd: 8 } as const;
/** A value whose lower half is this stands for several letters; the upper half is their number. */
const SEVERAL = 0xffff;

const LAST_OF_PLANE = 0xffff;
const MAX_ENTRIES = 200_000;
const MAX_KEYS = 100;
const MAX_DEPTH = 64;
const MAX_CMAP_BYTES = 8 * MIB;

export class FontMemory {
  private readonly library: Library;
  private readonly document: Pointer;
  private readonly font: Pointer;

  constructor(library: Library, document: Pointer, font: Pointer) {
    this.library = library;
    this.document = document;
    this.font = font;
  }

  /** PDFium reads the map when it first needs it. */
  isMapRead(): boolean {
    return (this.word(this.font, FONT.isRead) & 0xff) === 1;
  }

  /**
   * The CMap as the document has it, unpacked; undefined where there is none or it is packed in an unusual way. PDFium
   * does not read maps that another builds on: what they say stays unknown.
   */
  toUnicode(): { cmap: Uint8Array; isWhole: boolean } | undefined {
    const dictionary = this.word(this.font, FONT.dictionary);
    const stream = this.streamAt(this.entry(dictionary, 'ToUnicode'));
    const about = stream && this.word(stream, STREAM.dictionary);
    if (!stream || !about) return undefined;
    const data = this.dataOf(stream);
    const filter = this.filterOf(about);
    const cmap =
      filter === '' ? data?.slice() : filter === 'FlateDecode' ? data && inflated(data) : undefined;
    return cmap && { cmap, isWhole: this.entry(about, 'UseCMap') === 0 };
  }

  /** How strings fall into codes is told by a CMap that another builds on, which PDFium does not follow. */
  hasUnreadCodes(): boolean {
    const encoding = this.streamAt(this.entry(this.word(this.font, FONT.dictionary), 'Encoding'));
    const used = encoding ? this.entry(this.word(encoding, STREAM.dictionary), 'UseCMap') : 0;
    return used !== 0 && !/^Identity-|UCS2|UTF16/.test(this.text(this.word(used, NAME.text)) ?? '');
  }

  /**
   * A composite font whose codes are numbers of glyphs (Identity, of no character collection): apart from its map
   * nothing says what a code means, and PDFium takes the number for a character.
   */
  hasCodesOfGlyphs(): boolean {
    const dictionary = this.word(this.font, FONT.dictionary);
    const encoding = this.entry(dictionary, 'Encoding');
    if (encoding === 0 || !/^Identity-[HV]$/.test(this.text(this.word(encoding, NAME.text)) ?? ''))
      return false;
    const descendant = this.descendant();
    const collection = descendant && this.resolved(this.entry(descendant, 'CIDSystemInfo'));
    const ordering = collection && this.entry(collection, 'Ordering');
    return Boolean(ordering) && this.text(this.word(ordering as Pointer, NAME.text)) === 'Identity';
  }

  /** Such a font whose glyphs are those of its own program, by their numbers there: they cannot be characters. */
  hasNumbersForCodes(): boolean {
    const descendant = this.hasCodesOfGlyphs() ? this.descendant() : undefined;
    if (!descendant) return false;
    const mapping = this.entry(descendant, 'CIDToGIDMap');
    if (mapping !== 0 && this.text(this.word(mapping, NAME.text)) !== 'Identity') return false;
    const descriptor = this.resolved(this.entry(descendant, 'FontDescriptor'));
    return descriptor !== undefined && this.entry(descriptor, 'FontFile2') !== 0;
  }

  private descendant(): Pointer | undefined {
    const descendants = this.resolved(this.entry(this.word(this.font, FONT.dictionary), 'DescendantFonts'));
    const items = descendants && this.word(descendants, ARRAY.items);
    return items ? this.resolved(this.word(items, 0)) : undefined;
  }

  /** The document says how the font's codes are to be read, rather than leaving it to the font. */
  hasEncoding(): boolean {
    return this.entry(this.word(this.font, FONT.dictionary), 'Encoding') !== 0;
  }

  /** Its glyphs are drawings, with names that mean nothing. */
  isOfDrawings(): boolean {
    return this.subtype() === 'Type3';
  }

  isSimple(): boolean {
    return ['Type1', 'MMType1', 'TrueType', 'Type3'].includes(this.subtype());
  }

  /**
   * Glyphs have names that mean something: those of Type 1 fonts, by the encoding or by the font itself. Of TrueType
   * fonts only an encoding that counts tells any (ISO 32000-1, 9.6.6.4); drawings of Type 3 fonts are named as one likes.
   */
  hasNamedGlyphs(): boolean {
    const subtype = this.subtype();
    if (subtype !== 'TrueType') return subtype !== 'Type3';
    const flags = this.word(this.font, FONT.flags) & (FLAG.symbolic | FLAG.nonsymbolic);
    return this.hasEncoding() && flags === FLAG.nonsymbolic;
  }

  /** What PDFium takes the codes of a simple font for where no map tells. */
  encodedTexts(): (string | undefined)[] {
    return Array.from({ length: ENCODED.count }, (_, code) => {
      const letter = this.word(this.font, ENCODED.from + code);
      return letter > 0 && letter <= LAST_OF_PLANE ? String.fromCharCode(letter) : undefined;
    });
  }

  private subtype(): string {
    const subtype = this.entry(this.word(this.font, FONT.dictionary), 'Subtype');
    return (subtype && this.text(this.word(subtype, NAME.text))) || '';
  }

  /** What PDFium found in it, by code. */
  readByPdfium(): Map<number, string> {
    const read = new Map<number, string>();
    const map = this.word(this.font, FONT.map);
    if (map === 0) return read;
    this.eachNode(this.word(map, MAP.root), MAX_ENTRIES, (node) => {
      const value = this.word(node, NODE.value);
      const text =
        (value & 0xffff) === SEVERAL ? this.several(map, value >>> 16) : String.fromCharCode(value);
      read.set(this.word(node, NODE.key), text);
    });
    return read;
  }

  private several(map: Pointer, index: number): string {
    const at = this.word(map, MAP.texts) + index * 4;
    if (at >= this.word(map, MAP.textsEnd)) return '';
    const text = this.word(at, 0);
    let read = '';
    for (let i = 0; i < Math.min(this.word(text, TEXT.length), MAX_KEYS); i += 1)
      read += String.fromCharCode(this.word(text, TEXT.characters + i));
    return read;
  }

  /** A value of a dictionary; 0 without. */
  private entry(dictionary: Pointer, key: string): Pointer {
    let found = 0;
    this.eachNode(this.word(dictionary, DICTIONARY.root), MAX_KEYS, (node) => {
      if (this.text(this.word(node, NODE.key)) === key) found = this.word(node, NODE.value);
    });
    return found;
  }

  /** The object that a reference names, and any other as it is; undefined without. */
  private resolved(value: Pointer): Pointer | undefined {
    if (value === 0) return undefined;
    if (this.word(value, REFERENCE.holder) !== this.document) return value;
    return this.object(this.word(value, REFERENCE.number));
  }

  private streamAt(reference: Pointer): Pointer | undefined {
    const stream = this.resolved(reference);
    if (stream === undefined || stream === reference) return undefined;
    const about = this.word(stream, STREAM.dictionary);
    // Dictionaries are of one kind.
    const kind = this.word(this.word(this.font, FONT.dictionary), OBJECT.kind);
    return about !== 0 && this.word(about, OBJECT.kind) === kind ? stream : undefined;
  }

  /** An object of the document that PDFium has read. */
  private object(number: number): Pointer | undefined {
    let node = this.word(this.document, HOLDER.root);
    for (let depth = 0; node !== 0 && depth < MAX_DEPTH; depth += 1) {
      const key = this.word(node, NODE.key);
      if (key === number) {
        const object = this.word(node, NODE.value);
        return this.word(object, OBJECT.number) === number ? object : undefined;
      }
      node = this.word(node, number < key ? NODE.left : NODE.right);
    }
    return undefined;
  }

  private dataOf(stream: Pointer): Uint8Array | undefined {
    const data = this.word(stream, STREAM.data);
    const isOwn = this.word(stream, STREAM.isOwn) & 0xff;
    if (isOwn > 1) return undefined;
    const [from, to] = isOwn
      ? [data, this.word(stream, STREAM.dataEnd)]
      : [this.word(data, FILE_DATA.data), this.word(data, FILE_DATA.data) + this.word(data, FILE_DATA.size)];
    const heap = this.library.heap();
    return from > 0 && to >= from && to <= heap.length ? heap.subarray(from, to) : undefined;
  }

  /** Nothing where it is not packed; undefined where it is packed in more than one way. */
  private filterOf(dictionary: Pointer): string | undefined {
    if (this.entry(dictionary, 'DecodeParms') !== 0) return undefined;
    const filter = this.entry(dictionary, 'Filter');
    if (filter === 0) return '';
    const items = this.word(filter, ARRAY.items);
    const end = this.word(filter, ARRAY.itemsEnd);
    const name = end === items + 4 ? this.word(items, 0) : filter;
    return this.text(this.word(name, NAME.text));
  }

  private text(address: Pointer): string | undefined {
    const length = this.word(address, TEXT.length);
    const from = address + TEXT.characters * 4;
    if (address === 0 || length > MAX_KEYS) return undefined;
    return Buffer.from(this.library.heap().subarray(from, from + length)).toString('latin1');
  }

  private eachNode(root: Pointer, most: number, visit: (node: Pointer) => void): void {
    const open = root === 0 ? [] : [root];
    for (let seen = 0; seen < most; seen += 1) {
      const node = open.pop();
      if (node === undefined) return;
      visit(node);
      for (const side of [this.word(node, NODE.left), this.word(node, NODE.right)])
        if (side !== 0) open.push(side);
    }
  }

  private word(address: Pointer, word: number): number {
    return wordsOf(this.library).u[(address >> 2) + word] ?? 0;
  }
}

function inflated(data: Uint8Array): Uint8Array | undefined {
  try {
    // What is there of a stream that was cut off counts.
    return inflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_CMAP_BYTES });
  } catch {
    return undefined;
  }
}
