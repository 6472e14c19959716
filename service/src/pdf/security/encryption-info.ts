// How a file is encrypted: the standard handler's dictionary (ISO 32000-1, 7.6), read as plain data.
import type { PdfDocument } from '../document.ts';
import type { Dict } from '../objects.ts';

export interface EncryptionInfo {
  /** In bits. */
  keyLength: number;
  version: number;
  revision: number;
  /** The security handler, such as Standard. */
  handler: string;
  allows: Record<Right, boolean>;
}

/** Bits of /P, counted from 1 as the standard does (table 22). */
const RIGHT_BITS = {
  print: 3,
  modify: 4,
  extract: 5,
  annotate: 6,
  fillForms: 9,
  accessibility: 10,
  assemble: 11,
  printFaithful: 12,
} as const;
export type Right = keyof typeof RIGHT_BITS;

/** As /P has them, from revision 3 on; what has no meaning is set but for the first two bits. */
export function permissionsOf(allows: Record<Right, boolean>): number {
  let flags = ~0b11;
  for (const [right, bit] of Object.entries(RIGHT_BITS))
    if (!allows[right as Right]) flags &= ~(1 << (bit - 1));
  return flags;
}

/** Undefined where the file as sent is not encrypted. */
export function encryptionInfo(doc: PdfDocument): EncryptionInfo | undefined {
  const encrypt = doc.dict(doc.trailer.get('Encrypt'));
  if (!encrypt) return undefined;
  const version = doc.number(encrypt.get('V')) ?? 0;
  const revision = doc.number(encrypt.get('R')) ?? 2;
  const flags = doc.number(encrypt.get('P')) ?? 0;
  const allows = {} as Record<Right, boolean>;
  for (const [right, bit] of Object.entries(RIGHT_BITS)) {
    // Revision 2 knows only the first four rights; the others follow from them.
    const known = revision > 2 || bit <= 6;
    allows[right as Right] = known ? (flags & (1 << (bit - 1))) !== 0 : true;
  }
  const handler = doc.name(encrypt.get('Filter')) ?? 'Standard';
  return { keyLength: keyLength(doc, encrypt, version), version, revision, handler, allows };
}

function keyLength(doc: PdfDocument, encrypt: Dict, version: number): number {
  const stated = bits(doc.number(encrypt.get('Length')));
  if (version >= 5) return 256;
  if (version === 4) return cryptFilterLength(doc, encrypt) ?? stated ?? 128;
  return version === 1 ? 40 : (stated ?? 40);
}

function cryptFilterLength(doc: PdfDocument, encrypt: Dict): number | undefined {
  const filterName = doc.name(encrypt.get('StmF')) ?? 'Identity';
  const filter = doc.dict(doc.dict(encrypt.get('CF'))?.get(filterName));
  const method = doc.name(filter?.get('CFM'));
  if (method === 'AESV2') return 128;
  if (method === 'AESV3') return 256;
  return bits(doc.number(filter?.get('Length')));
}

/** Writers give bytes or bits; no key is shorter than 40 bits, none longer than 32 bytes. */
function bits(length: number | undefined): number | undefined {
  if (length === undefined || !Number.isInteger(length)) return undefined;
  const asBits = length < 40 ? length * 8 : length;
  return asBits >= 40 && asBits <= 256 ? asBits : undefined;
}
