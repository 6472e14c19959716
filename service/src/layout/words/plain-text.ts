// The text of a page's glyphs as one string, out of which words are cut: quicker than putting each together.
import type { Glyphs } from '../../contract/page-items.ts';
import { isRadical, isRightToLeft } from './direction.ts';

const ONE_BYTE = 0x100;

/** Written as it is, in one unit, whatever stands beside it. */
export const isPlain = (code: number): boolean =>
  code < 0x7f
    ? code >= 0x20
    : code >= 0xa1 &&
      code <= 0xfffd &&
      code !== 0xad &&
      !(code >= 0xd800 && code <= 0xdfff) &&
      code !== 0xfeff &&
      !isRadical(code) &&
      !isRightToLeft(code);

/** By the number of the glyph. What is not plain stands as something else here. */
export function plainText({ codes, count }: Glyphs): string {
  const bytes = Buffer.allocUnsafe(count);
  for (let i = 0; i < count; i += 1) {
    const code = codes[i] as number;
    if (code >= ONE_BYTE) return wideText(codes, count);
    bytes[i] = code;
  }
  return bytes.toString('latin1');
}

function wideText(codes: Uint32Array, count: number): string {
  const units = new Uint16Array(count);
  for (let i = 0; i < count; i += 1) units[i] = codes[i] as number;
  return Buffer.from(units.buffer).toString('utf16le');
}
