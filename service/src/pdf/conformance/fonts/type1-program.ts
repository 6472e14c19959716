// Type 1 font programs (Adobe Type 1 Font Format): names and widths of glyphs, the encoding built in.

export interface Type1Program {
  /** In thousandths of the size; undefined where the glyph does not say. */
  widths: ReadonlyMap<string, number | undefined>;
  /** Codes to names; undefined where it is StandardEncoding. */
  encoding: ReadonlyMap<number, string> | undefined;
}

const EEXEC_KEY = 55_665;
const CHARSTRING_KEY = 4330;
const MAX_GLYPHS = 70_000;

export function readType1(bytes: Uint8Array): Type1Program | undefined {
  const source = Buffer.from(withoutSegments(bytes));
  const mark = source.indexOf('eexec');
  if (mark === -1) return undefined;
  const clear = source.subarray(0, mark).toString('latin1');
  let start = mark + 5;
  while ([0x20, 0x09, 0x0a, 0x0d].includes(source[start] ?? 0)) start += 1;
  const cipher = source.subarray(start);
  const isHex = /^[0-9a-fA-F\s]{8}/.test(cipher.subarray(0, 8).toString('latin1'));
  const packed = isHex ? Buffer.from(cipher.toString('latin1').replace(/[^0-9a-fA-F]/g, ''), 'hex') : cipher;
  const secret = decrypt(packed, EEXEC_KEY, 4);
  const scale = Number(/\/FontMatrix\s*\[\s*([-+.\deE]+)/.exec(clear)?.[1] ?? 0.001) * 1000;
  const widths = charstrings(secret, scale);
  return widths.size === 0 ? undefined : { widths, encoding: encodingOf(clear) };
}

/** The segments of PFB files have heads of six bytes. */
function withoutSegments(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x80) return bytes;
  const parts: Uint8Array[] = [];
  for (let at = 0; bytes[at] === 0x80 && bytes[at + 1] !== 3 && at + 6 < bytes.length; ) {
    const length =
      (bytes[at + 2] ?? 0) +
      ((bytes[at + 3] ?? 0) << 8) +
      ((bytes[at + 4] ?? 0) << 16) +
      (bytes[at + 5] ?? 0) * 0x1000000;
    parts.push(bytes.subarray(at + 6, at + 6 + length));
    at += 6 + length;
  }
  return Buffer.concat(parts);
}

function decrypt(cipher: Uint8Array, seed: number, skipped: number): Buffer {
  const plain = Buffer.alloc(cipher.length);
  let key = seed;
  for (let at = 0; at < cipher.length; at += 1) {
    const byte = cipher[at] as number;
    plain[at] = byte ^ (key >> 8);
    key = ((byte + key) * 52_845 + 22_719) & 0xffff;
  }
  return plain.subarray(Math.min(skipped, plain.length));
}

function charstrings(secret: Buffer, scale: number): Map<string, number | undefined> {
  const widths = new Map<string, number | undefined>();
  const text = secret.toString('latin1');
  const lenIV = Number(/\/lenIV\s+(-?\d+)/.exec(text)?.[1] ?? 4);
  const start = text.indexOf('/CharStrings');
  if (start === -1) return widths;
  const glyph = /\/([^\s/[\](){}<>%]*)\s+(\d{1,6})\s+(?:RD|-\||\S{1,8})\s/y;
  let at = start + 12;
  while (widths.size < MAX_GLYPHS) {
    at = text.indexOf('/', at);
    if (at === -1) break;
    glyph.lastIndex = at;
    const match = glyph.exec(text);
    if (!match) {
      at += 1;
      continue;
    }
    const from = glyph.lastIndex;
    const length = Number(match[2]);
    const code = secret.subarray(from, from + length);
    const width = sidebearingWidth(lenIV < 0 ? code : decrypt(code, CHARSTRING_KEY, lenIV));
    if (!widths.has(match[1] ?? '')) widths.set(match[1] ?? '', width === undefined ? width : width * scale);
    at = from + length;
  }
  return widths;
}

/** hsbw and sbw, which every charstring begins with, state the width. */
function sidebearingWidth(code: Uint8Array): number | undefined {
  const stack: number[] = [];
  for (let at = 0; at < code.length && stack.length < 24; ) {
    const byte = code[at] ?? 0;
    if (byte === 13) return stack[1];
    if (byte === 12 && code[at + 1] === 7) return stack[2];
    if (byte === 12 && code[at + 1] === 12) {
      const divisor = stack.pop() ?? 1;
      stack.push((stack.pop() ?? 0) / divisor);
      at += 2;
    } else if (byte === 255) {
      const value =
        ((code[at + 1] ?? 0) << 24) |
        ((code[at + 2] ?? 0) << 16) |
        ((code[at + 3] ?? 0) << 8) |
        (code[at + 4] ?? 0);
      stack.push(value);
      at += 5;
    } else if (byte >= 32 && byte <= 246) {
      stack.push(byte - 139);
      at += 1;
    } else if (byte >= 247) {
      const low = code[at + 1] ?? 0;
      stack.push(byte <= 250 ? (byte - 247) * 256 + low + 108 : -(byte - 251) * 256 - low - 108);
      at += 2;
    } else return undefined;
  }
  return undefined;
}

function encodingOf(clear: string): Map<number, string> | undefined {
  const start = clear.indexOf('/Encoding');
  if (start === -1 || /^\/Encoding\s+StandardEncoding/.test(clear.slice(start, start + 40))) return undefined;
  const encoding = new Map<number, string>();
  const rows = clear.slice(start, start + 100_000);
  for (const [, code, name] of rows.matchAll(/dup\s+(\d{1,3})\s*\/([^\s/[\](){}<>%]+)\s+put/g))
    encoding.set(Number(code), name ?? '');
  return encoding;
}
