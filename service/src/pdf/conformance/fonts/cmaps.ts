// CMaps: the collection their CIDs belong to, and what an embedded one says of itself.

import type { PdfDocument } from '../../document.ts';
import { contentOf } from '../../filters/content-data.ts';
import { Name, type PdfObject, PdfString, type PdfValue, Ref, Stream } from '../../objects.ts';
import { ContentReader } from '../../syntax/content-reader.ts';

export interface Collection {
  registry: string;
  ordering: string;
  supplement: number | undefined;
}

/** ISO 32000-1, table 118: CMaps every reader has, without -H and -V. */
const PREDEFINED: Readonly<Record<string, string>> = {
  GB1: 'GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16',
  CNS1: 'B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2 UniCNS-UTF16',
  Japan1:
    '83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16',
  Korea1: 'KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16',
};
/** H and V alone belong to Japan. */
const BARE = ['H', 'V'];
const NEWEST: Readonly<Record<string, number>> = { GB1: 5, CNS1: 6, Japan1: 6, Korea1: 2 };

const BY_NAME = new Map(
  Object.entries(PREDEFINED).flatMap(([ordering, names]) =>
    names.split(' ').map((name): [string, string] => [name, ordering]),
  ),
);

export function collectionOf(
  doc: PdfDocument,
  encoding: PdfValue | undefined,
): Collection | 'identity' | undefined {
  const held = doc.resolve(encoding);
  if (held instanceof Name) return predefined(held.value);
  if (!(held instanceof Stream)) return undefined;
  const info = doc.dict(held.dict.get('CIDSystemInfo'));
  const registry = doc.text(info?.get('Registry'));
  const ordering = doc.text(info?.get('Ordering'));
  if (registry === undefined || ordering === undefined) return undefined;
  return { registry, ordering, supplement: doc.number(info?.get('Supplement')) };
}

function predefined(name: string): Collection | 'identity' | undefined {
  if (name === 'Identity-H' || name === 'Identity-V') return 'identity';
  const ordering = BARE.includes(name) ? 'Japan1' : BY_NAME.get(name.replace(/-[HV]$/, ''));
  return ordering === undefined ? undefined : { registry: 'Adobe', ordering, supplement: NEWEST[ordering] };
}

export interface EmbeddedCmap {
  dictMode: number;
  mode: number;
  uses: string | undefined;
  maxCid: number;
}

/** Undefined where the encoding is no stream. */
export function cmapOf(doc: PdfDocument, encoding: PdfObject | undefined): EmbeddedCmap | undefined {
  if (!(encoding instanceof Ref)) return undefined;
  const held = doc.get(encoding);
  if (!(held instanceof Stream)) return undefined;
  const reader = new ContentReader(contentOf(doc, encoding));
  const cmap: EmbeddedCmap = {
    dictMode: doc.number(held.dict.get('WMode')) ?? 0,
    mode: 0,
    uses: doc.name(held.dict.get('UseCMap')),
    maxCid: 0,
  };
  for (let next = reader.next(), count = 0; next && count < 100_000; next = reader.next(), count += 1) {
    const { operator, operands } = next;
    const last = operands.at(-1);
    if (operator === 'def' && isNamed(operands.at(-2), 'WMode') && typeof last === 'number') cmap.mode = last;
    if (operator === 'usecmap' && last instanceof Name) cmap.uses = last.value;
    if (operator === 'endcidrange' || operator === 'endcidchar')
      cmap.maxCid = Math.max(cmap.maxCid, largestCid(operands, operator === 'endcidrange' ? 3 : 2));
  }
  return cmap;
}

const isNamed = (value: PdfValue | undefined, word: string): boolean =>
  value instanceof Name && value.value === word;

function largestCid(operands: readonly PdfValue[], step: number): number {
  let largest = 0;
  for (let at = 0; at + step <= operands.length; at += step) {
    const cid = operands[at + step - 1];
    const span = step === 3 ? codeOf(operands[at + 1]) - codeOf(operands[at]) : 0;
    if (typeof cid === 'number') largest = Math.max(largest, cid + Math.max(0, span));
  }
  return largest;
}

const codeOf = (value: PdfValue | undefined): number =>
  value instanceof PdfString ? value.bytes.reduce((sum, byte) => sum * 256 + byte, 0) : 0;
