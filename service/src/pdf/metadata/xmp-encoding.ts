// The encoding of an XMP packet, told by its first bytes: packets begin with a mark or with a character of ASCII.

export type XmpEncoding = 'utf-8' | 'utf-16be' | 'utf-16le' | 'utf-32be' | 'utf-32le';

export function xmpEncoding(bytes: Uint8Array): XmpEncoding {
  const [a = 1, b = 1, c = 1, d = 1] = bytes;
  if (a === 0 && b === 0 && ((c === 0xfe && d === 0xff) || (c === 0 && d !== 0))) return 'utf-32be';
  if (((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) && c === 0 && d === 0) return 'utf-32le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return 'utf-16be';
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) return 'utf-16le';
  return 'utf-8';
}

export function decodeXmp(bytes: Uint8Array): string {
  const encoding = xmpEncoding(bytes);
  if (encoding === 'utf-32be' || encoding === 'utf-32le') return decodeUtf32(bytes, encoding === 'utf-32le');
  return new TextDecoder(encoding).decode(bytes);
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, littleEndian);
    if (code === 0xfeff && at === 0) continue;
    parts.push(code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd');
  }
  return parts.join('');
}
