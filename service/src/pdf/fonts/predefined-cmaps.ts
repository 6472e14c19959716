// CMaps that every reader brings along, known by their names (ISO 32000-1, 9.7.5.2, table 118).
import { lookup } from '../../contract/lookup.ts';

/** A character collection that CIDs belong to. */
export interface Collection {
  registry: string;
  ordering: string;
  supplement: number | undefined;
}

/** By ordering, without -H and -V. */
const NAMES: Readonly<Record<string, string>> = lookup({
  GB1: 'GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16',
  CNS1: 'B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2 UniCNS-UTF16',
  Japan1:
    '83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16',
  Korea1: 'KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16',
});
const ORDERINGS = new Map(
  Object.entries(NAMES).flatMap(([ordering, names]) =>
    names.split(' ').map((name): [string, string] => [name, ordering]),
  ),
);
const NEWEST: Readonly<Record<string, number>> = lookup({ GB1: 5, CNS1: 6, Japan1: 6, Korea1: 2 });

/** H and V alone are the row and cell of JIS X 0208. */
const isJis = (name: string): boolean => name === 'H' || name === 'V';

/** Undefined for a CMap that readers do not bring along. */
export function predefinedCollection(name: string): Collection | 'identity' | undefined {
  if (name === 'Identity-H' || name === 'Identity-V') return 'identity';
  const ordering = isJis(name) ? 'Japan1' : ORDERINGS.get(name.replace(/-[HV]$/, ''));
  return ordering === undefined ? undefined : { registry: 'Adobe', ordering, supplement: NEWEST[ordering] };
}

export const isVerticalCmap = (name: string): boolean => /(?:^|-)V$/.test(name);

/** How many bytes a code has that begins with this one: two where the name does not tell otherwise. */
export function codeLengthOf(name: string, first: number): number {
  const isDouble = /RKSJ/.test(name)
    ? (first >= 0x81 && first <= 0x9f) || first >= 0xe0
    : !/EUC|GBK|GBpc|KSCms|KSCpc|B5pc|ETen|HKscs/.test(name) || first >= 0x80;
  return isDouble ? 2 : 1;
}

/** Character sets by the names that browsers have for them. */
const CHARSETS: readonly [pattern: RegExp, charset: string][] = [
  [/UCS2|UTF16/, 'utf-16be'],
  [/RKSJ/, 'shift_jis'],
  [/^GB/, 'gb18030'],
  [/B5|HKscs/, 'big5'],
  [/^KSC/, 'euc-kr'],
  [/^(?:EUC-)?[HV]$/, 'euc-jp'],
];

/** What codes of a CMap mean, where they are those of a character set; undefined for other CMaps. */
export function cmapDecoder(name: string): ((code: Uint8Array) => string | undefined) | undefined {
  const charset = CHARSETS.find(([pattern]) => pattern.test(name))?.[1];
  if (charset === undefined) return undefined;
  const decoder = new TextDecoder(charset);
  return (code) => {
    // EUC has the codes of JIS with their high bits set.
    const text = decoder.decode(isJis(name) ? code.map((byte) => byte | 0x80) : code);
    return text.includes('\ufffd') ? undefined : text;
  };
}
