// CMaps: how strings shown in a composite font fall into codes, and which CID each code means (ISO 32000-1, 9.7.5).

import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { type Dict, isName, Name, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';
import { type Collection, codeLengthOf, isVerticalCmap, predefinedCollection } from './predefined-cmaps.ts';
import { codeNumber } from './to-unicode.ts';

export interface CharacterCode {
  /** Bytes of the code. */
  length: number;
  /** Unknown for codes of CMaps that readers bring along. */
  cid: number | undefined;
}

export interface CodeMap {
  vertical: boolean;
  next(bytes: Uint8Array, at: number): CharacterCode;
}

/** The codes of a string, each with its bytes. */
export function* codesIn(
  map: CodeMap,
  bytes: Uint8Array,
): Iterable<{ bytes: Uint8Array; cid: number | undefined }> {
  for (let at = 0; at < bytes.length; ) {
    const { length, cid } = map.next(bytes, at);
    const end = at + Math.max(1, length);
    yield { bytes: bytes.subarray(at, end), cid };
    at = end;
  }
}

const MAX_RANGES = 200_000;
const MAX_USED = 5;

/** How codes are read by an Encoding: a stream, or the name of a CMap that readers bring along. */
export function codeMapOf(doc: PdfDocument, encoding: PdfValue | undefined, depth = 0): CodeMap {
  const cmap = depth < MAX_USED ? readEmbeddedCmap(doc, encoding) : undefined;
  return cmap ? embeddedMap(doc, cmap, depth) : predefinedMap(doc.name(encoding) ?? 'Identity-H');
}

function predefinedMap(name: string): CodeMap {
  const isIdentity = name.startsWith('Identity');
  return {
    vertical: isVerticalCmap(name),
    next: (bytes, at) => ({
      length: isIdentity ? 2 : codeLengthOf(name, bytes[at] ?? 0),
      cid: isIdentity ? ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) : undefined,
    }),
  };
}

function embeddedMap(doc: PdfDocument, cmap: EmbeddedCmap, depth: number): CodeMap {
  const { codespaces, ranges } = cmap;
  const used = cmap.dict.get('UseCMap') ?? (cmap.uses === undefined ? undefined : new Name(cmap.uses));
  const base = used === undefined ? undefined : codeMapOf(doc, used, depth + 1);
  return {
    vertical: cmap.dictMode === 1,
    next(bytes, at) {
      const length =
        codeLength(codespaces, bytes, at) ?? base?.next(bytes, at).length ?? (codespaces[0]?.low.length || 2);
      const code = codeNumber(bytes.subarray(at, at + length));
      return { length, cid: cidIn(ranges[length] ?? [], code) ?? base?.next(bytes, at).cid };
    },
  };
}

interface Codespace {
  low: Uint8Array;
  high: Uint8Array;
}

interface CidRange {
  low: number;
  high: number;
  cid: number;
}

export interface EmbeddedCmap {
  dict: Dict;
  /** The writing mode as the stream's dictionary tells it, and as the CMap itself does. */
  dictMode: number;
  mode: number;
  /** The CMap that it builds on. */
  uses: string | undefined;
  maxCid: number;
  codespaces: readonly Codespace[];
  /** By the length of their codes, in the order of those. */
  ranges: readonly (readonly CidRange[])[];
}

/** Operands of each row of a section. */
const ROWS: Readonly<Record<string, number>> = lookup({
  endcodespacerange: 2,
  endcidchar: 2,
  endcidrange: 3,
});

/** Undefined where the encoding is no stream. */
export function readEmbeddedCmap(doc: PdfDocument, encoding: PdfValue | undefined): EmbeddedCmap | undefined {
  const held = doc.resolve(encoding);
  if (!(encoding instanceof Ref) || !(held instanceof Stream)) return undefined;
  const { dict } = held;
  const codespaces: Codespace[] = [];
  const ranges: CidRange[][] = [[], [], [], [], []];
  const cmap = {
    dictMode: doc.number(dict.get('WMode')) ?? 0,
    mode: 0,
    uses: doc.name(dict.get('UseCMap')),
    maxCid: 0,
  };
  const reader = new ContentReader(contentOf(doc, encoding));
  let count = 0;
  for (let next = reader.next(); next && count < MAX_RANGES; next = reader.next(), count += 1) {
    const { operator, operands } = next;
    const last = operands.at(-1);
    if (operator === 'def' && isName(operands.at(-2), 'WMode') && typeof last === 'number') cmap.mode = last;
    if (operator === 'usecmap' && last instanceof Name) cmap.uses = last.value;
    const step = ROWS[operator] ?? operands.length + 1;
    for (let at = 0; at + step <= operands.length; at += step, count += 1) {
      const low = operands[at];
      const high = operator === 'endcidchar' ? low : operands[at + 1];
      const cid = operands[at + step - 1];
      if (!(low instanceof PdfString) || !(high instanceof PdfString)) continue;
      if (operator === 'endcodespacerange') codespaces.push({ low: low.bytes, high: high.bytes });
      else if (typeof cid === 'number') {
        const range = { low: codeNumber(low.bytes), high: codeNumber(high.bytes), cid };
        cmap.maxCid = Math.max(cmap.maxCid, cid + Math.max(0, range.high - range.low));
        ranges[low.bytes.length]?.push(range);
      }
    }
  }
  for (const list of ranges) list.sort((a, b) => a.low - b.low);
  return { ...cmap, dict, codespaces, ranges };
}

/** The collection that the CIDs of a CMap belong to; undefined where nothing tells. */
export function collectionOf(
  doc: PdfDocument,
  encoding: PdfValue | undefined,
): Collection | 'identity' | undefined {
  const held = doc.resolve(encoding);
  if (held instanceof Name) return predefinedCollection(held.value);
  if (!(held instanceof Stream)) return undefined;
  const info = doc.dict(held.dict.get('CIDSystemInfo'));
  const [registry, ordering] = [doc.text(info?.get('Registry')), doc.text(info?.get('Ordering'))];
  if (registry === undefined || ordering === undefined) return undefined;
  return { registry, ordering, supplement: doc.number(info?.get('Supplement')) };
}

function codeLength(spaces: readonly Codespace[], bytes: Uint8Array, at: number): number | undefined {
  return spaces.find(({ low, high }) =>
    low.every((least, index) => {
      const byte = bytes[at + index] ?? -1;
      return byte >= least && byte <= (high[index] ?? 0);
    }),
  )?.low.length;
}

function cidIn(ranges: readonly CidRange[], code: number): number | undefined {
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ranges[middle]?.low ?? 0) <= code) from = middle + 1;
    else to = middle;
  }
  const found = ranges[from - 1];
  return found && code <= found.high ? found.cid + code - found.low : undefined;
}
