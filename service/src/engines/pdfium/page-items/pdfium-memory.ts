// How this build of PDFium keeps characters and paths in its memory. Reading them there takes one look at an array
// instead of six calls for each character. Whether it is still so is checked against the calls on every page, and
// the calls are used where it is not.
import type { Library, Pointer } from '../library.ts';

/** A run of equally long records in blocks, as the C++ library's deque keeps them. */
interface Deque {
  /** Addresses of the blocks. */
  blocks: Pointer;
  start: number;
  size: number;
}

const BLOCK_BYTES = 4096;

export function dequeAt(words: Uint32Array, address: Pointer): Deque {
  const at = address >> 2;
  return { blocks: words[at + 1] ?? 0, start: words[at + 4] ?? 0, size: words[at + 5] ?? 0 };
}

/** Where the characters hang on a text page, how long one record is, and where in it things are, in words of four bytes. */
const TEXT_PAGE_CHARS = 16;
const CHAR_WORDS = 20;
const CHARS_IN_BLOCK = Math.floor(BLOCK_BYTES / (CHAR_WORDS * 4));
export const CHAR = {
  /** In its lowest byte. */
  kind: 0,
  unicode: 1,
  code: 2,
  originX: 3,
  originY: 4,
  left: 5,
  bottom: 6,
  right: 7,
  top: 8,
  looseLeft: 9,
  looseRight: 11,
  a: 13,
  b: 14,
  c: 15,
  d: 16,
  object: 19,
} as const;

/** Kinds of characters: a hyphen at the end of a line, whose word goes on, has a code of PDFium's own for a letter. */
export const HYPHEN_AT_LINE_END = 3;
const HYPHEN = 0x2d;

/** The letter that a record tells. */
export const letterAt = (u: Uint32Array, at: number): number =>
  ((u[at + CHAR.kind] as number) & 0xff) === HYPHEN_AT_LINE_END ? HYPHEN : (u[at + CHAR.unicode] as number);

/** The ink reaches beyond the width of the glyph: PDFium tells as its width how far both reach together. */
export const isOverhanging = (f: Float32Array, at: number): boolean =>
  f[at + CHAR.looseRight] === f[at + CHAR.right] || f[at + CHAR.looseLeft] === f[at + CHAR.left];

/** In words of four bytes from the start of a page object. */
export const OBJECT = { clip: 1, graphState: 2, colorState: 3, textState: 4, bounds: 6, marks: 20 } as const;
/** Likewise of what objects share: how text is set, and in which colours things are painted. */
export const TEXT_STATE = { font: 2, size: 4, charSpace: 5, mode: 7, a: 8, c: 9, b: 10, d: 11 } as const;
export const COLOR_STATE = { fill: 2, stroke: 3 } as const;
export const PATH = { paint: 24, points: 25, matrix: 26 } as const;
const PATH_BEGIN = 2;
const PATH_END = 3;
export const POINT_WORDS = 3;

/** The memory as words. Holds only until the next call into the library. */
export interface Words {
  u: Uint32Array;
  f: Float32Array;
  bytes: Uint8Array;
}

let seen: Words | undefined;

export function wordsOf(library: Library): Words {
  const bytes = library.heap();
  // The view is renewed when the memory grows.
  if (seen?.bytes === bytes) return seen;
  const length = bytes.byteLength >> 2;
  seen = {
    u: new Uint32Array(bytes.buffer, bytes.byteOffset, length),
    f: new Float32Array(bytes.buffer, bytes.byteOffset, length),
    bytes,
  };
  return seen;
}

/** Records of characters, CHAR_WORDS each, to be read before the next page is: one buffer serves all. */
export interface CharRecords {
  u: Uint32Array;
  f: Float32Array;
}

let buffer = recordsFor(1);

function recordsFor(count: number): CharRecords {
  const u = new Uint32Array(count * CHAR_WORDS);
  return { u, f: new Float32Array(u.buffer) };
}

/**
 * Copies the records of all characters out of the memory, CHAR_WORDS each; undefined when what stands there does
 * not look like them.
 */
export function copyChars(library: Library, text: Pointer, count: number): CharRecords | undefined {
  const { u } = wordsOf(library);
  const deque = dequeAt(u, text + TEXT_PAGE_CHARS);
  if (deque.size !== count || deque.start >= CHARS_IN_BLOCK) return undefined;
  if (buffer.u.length < count * CHAR_WORDS) buffer = recordsFor(count);
  const records = buffer.u;
  let at = deque.start;
  for (let done = 0; done < count; ) {
    const block = u[(deque.blocks >> 2) + Math.floor(at / CHARS_IN_BLOCK)] ?? 0;
    const first = at % CHARS_IN_BLOCK;
    const taken = Math.min(CHARS_IN_BLOCK - first, count - done);
    const from = (block >> 2) + first * CHAR_WORDS;
    if (block === 0 || from + taken * CHAR_WORDS > u.length) return undefined;
    records.set(u.subarray(from, from + taken * CHAR_WORDS), done * CHAR_WORDS);
    done += taken;
    at += taken;
  }
  return agree(library, text, buffer, count) ? buffer : undefined;
}

/**
 * Whether a character is of such a kind, by its letter and the object that draws it, where it stands in the memory;
 * asked of the first of each object, and of those that are nothing or half a character. True as well where what stands
 * there does not look like characters.
 */
export function someChar(
  library: Library,
  text: Pointer,
  count: number,
  isSuch: (letter: number, object: Pointer) => boolean,
): boolean {
  let { u } = wordsOf(library);
  let latest = 0;
  const { blocks, start, size } = dequeAt(u, text + TEXT_PAGE_CHARS);
  if (size !== count || start >= CHARS_IN_BLOCK) return true;
  for (let done = 0, at = start; done < count; ) {
    const block = (u[(blocks >> 2) + Math.floor(at / CHARS_IN_BLOCK)] ?? 0) >> 2;
    const first = at % CHARS_IN_BLOCK;
    const taken = Math.min(CHARS_IN_BLOCK - first, count - done);
    for (let k = block + first * CHAR_WORDS; k < block + (first + taken) * CHAR_WORDS; k += CHAR_WORDS) {
      const letter = u[k + CHAR.unicode] as number;
      const object = u[k + CHAR.object] as number;
      if (object === latest && letter !== 0 && (letter & 0xffff_f800) !== 0xd800) continue;
      latest = object;
      if (isSuch(letter, object)) return true;
      // The memory grew while that was asked.
      if (u.length === 0) ({ u } = wordsOf(library));
    }
    done += taken;
    at += taken;
  }
  return false;
}

/** Whether the calls say the same of a few characters. */
function agree(
  library: Library,
  text: Pointer,
  { u: records, f: floats }: CharRecords,
  count: number,
): boolean {
  const { native } = library;
  using scratch = library.borrow(16);
  for (const i of new Set([0, count >> 1, count - 1])) {
    const at = i * CHAR_WORDS;
    // PDFium has its own idea of which hyphens it tells: the record is compared by what has no exceptions.
    if (native.FPDFText_GetTextObject(text, i) !== records[at + CHAR.object]) return false;
    if (!native.FPDFText_GetCharOrigin(text, i, scratch.at, scratch.at + 8)) return false;
    const view = scratch.view();
    if (Math.fround(view.getFloat64(0, true)) !== floats[at + CHAR.originX]) return false;
    if (Math.fround(view.getFloat64(8, true)) !== floats[at + CHAR.originY]) return false;
  }
  return true;
}

/** The same records by calls: slower, but whatever the build. */
export function askChars(library: Library, text: Pointer, count: number): CharRecords {
  const { native } = library;
  const { u: records, f: floats } = recordsFor(count);
  using scratch = library.borrow(32);
  const doubles = (howMany: number): number[] => {
    const view = scratch.view();
    return Array.from({ length: howMany }, (_, k) => view.getFloat64(k * 8, true));
  };
  for (let i = 0; i < count; i += 1) {
    const at = i * CHAR_WORDS;
    records[at + CHAR.kind] = native.FPDFText_IsHyphen(text, i) === 1 ? HYPHEN_AT_LINE_END : 0;
    records[at + CHAR.unicode] = native.FPDFText_GetUnicode(text, i);
    records[at + CHAR.object] = native.FPDFText_GetTextObject(text, i);
    if (native.FPDFText_GetCharOrigin(text, i, scratch.at, scratch.at + 8))
      floats.set(doubles(2), at + CHAR.originX);
    if (native.FPDFText_GetCharBox(text, i, scratch.at, scratch.at + 8, scratch.at + 16, scratch.at + 24)) {
      const [left = 0, right = 0, bottom = 0, top = 0] = doubles(4);
      floats.set([left, bottom, right, top], at + CHAR.left);
    }
    if (native.FPDFText_GetLooseCharBox(text, i, scratch.at)) {
      // A rectangle here is left, top, right, bottom.
      const [left = 0, , right = 0] = scratch.floats();
      floats[at + CHAR.looseLeft] = left;
      floats[at + CHAR.looseRight] = right;
    }
    if (native.FPDFText_GetMatrix(text, i, scratch.at))
      floats.set(scratch.floats().subarray(0, 4), at + CHAR.a);
  }
  return { u: records, f: floats };
}

export { CHAR_WORDS };

/** Where the points of a path stand: address in words, and how many; undefined when PDFium counts others. */
export function pathPoints(
  library: Library,
  words: Words,
  object: Pointer,
): { at: number; count: number } | undefined {
  const path = words.u[(object >> 2) + PATH.points] ?? 0;
  const begin = words.u[(path >> 2) + PATH_BEGIN] ?? 0;
  const end = words.u[(path >> 2) + PATH_END] ?? 0;
  const count = (end - begin) / (POINT_WORDS * 4);
  if (path === 0 || count !== library.native.FPDFPath_CountSegments(object)) return undefined;
  return { at: begin >> 2, count };
}
