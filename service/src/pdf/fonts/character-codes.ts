// How strings shown in a composite font fall into codes, and which CID each code means (ISO 32000-1, 9.7.5).

import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';

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

const MAX_RANGES = 200_000;
const MAX_USED = 5;

export function codeMapOf(doc: PdfDocument, encoding: PdfValue | undefined, depth = 0): CodeMap {
  const held = doc.resolve(encoding);
  if (held instanceof Stream && encoding instanceof Ref && depth < MAX_USED)
    return embedded(doc, encoding, held, depth);
  return predefined(doc.name(encoding) ?? 'Identity-H');
}

/** Two bytes where names do not tell otherwise (ISO 32000-1, table 118). */
function predefined(name: string): CodeMap {
  const vertical = /(?:^|-)V$/.test(name);
  if (name.startsWith('Identity'))
    return {
      vertical,
      next: (bytes, at) => ({ length: 2, cid: ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) }),
    };
  const lead = leadBytes(name);
  return {
    vertical,
    next: (bytes, at) => ({ length: lead(bytes[at] ?? 0) ? 2 : 1, cid: undefined }),
  };
}

function leadBytes(name: string): (byte: number) => boolean {
  if (/RKSJ/.test(name)) return (byte) => (byte >= 0x81 && byte <= 0x9f) || byte >= 0xe0;
  if (/EUC|GBK|GBpc|KSCms|KSCpc|B5pc|ETen|HKscs/.test(name)) return (byte) => byte >= 0x80;
  return () => true;
}

interface Range {
  low: number;
  high: number;
  cid: number;
}

function embedded(doc: PdfDocument, ref: Ref, { dict }: Stream, depth: number): CodeMap {
  const spaces: { low: Uint8Array; high: Uint8Array }[] = [];
  /** By the length of their codes. */
  const ranges: Range[][] = [[], [], [], [], []];
  const reader = new ContentReader(contentOf(doc, ref));
  let count = 0;
  for (let operation = reader.next(); operation && count < MAX_RANGES; operation = reader.next()) {
    const { operator, operands } = operation;
    const step =
      operator === 'endcidchar'
        ? 2
        : operator === 'endcidrange'
          ? 3
          : operator === 'endcodespacerange'
            ? 2
            : 0;
    for (let at = 0; step > 0 && at + step <= operands.length; at += step, count += 1) {
      const low = operands[at];
      const high = operator === 'endcidchar' ? low : operands[at + 1];
      const cid = operands[at + step - 1];
      if (!(low instanceof PdfString) || !(high instanceof PdfString)) continue;
      if (operator === 'endcodespacerange') spaces.push({ low: low.bytes, high: high.bytes });
      else if (typeof cid === 'number')
        ranges[low.bytes.length]?.push({ low: codeOf(low.bytes), high: codeOf(high.bytes), cid });
    }
  }
  for (const list of ranges) list.sort((a, b) => a.low - b.low);
  const used = dict.get('UseCMap');
  const base = used === undefined ? undefined : codeMapOf(doc, used, depth + 1);
  return {
    vertical: doc.number(dict.get('WMode')) === 1,
    next(bytes, at) {
      const length =
        codeLength(spaces, bytes, at) ?? base?.next(bytes, at).length ?? (spaces[0]?.low.length || 2);
      const code = codeOf(bytes.subarray(at, at + length));
      return { length, cid: cidIn(ranges[length] ?? [], code) ?? base?.next(bytes, at).cid };
    },
  };
}

const codeOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

function codeLength(
  spaces: readonly { low: Uint8Array; high: Uint8Array }[],
  bytes: Uint8Array,
  at: number,
): number | undefined {
  return spaces.find(({ low, high }) =>
    low.every((least, index) => {
      const byte = bytes[at + index] ?? -1;
      return byte >= least && byte <= (high[index] ?? 0);
    }),
  )?.low.length;
}

function cidIn(ranges: readonly Range[], code: number): number | undefined {
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ranges[middle]?.low ?? 0) <= code) from = middle + 1;
    else to = middle;
  }
  const found = ranges[from - 1];
  return found && code <= found.high ? found.cid + code - found.low : undefined;
}
