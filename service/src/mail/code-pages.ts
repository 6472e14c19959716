// Character sets by the numbers that Windows gives them, and by the names that mail programs do.
import { lookup } from '../contract/lookup.ts';

const BY_NUMBER: Record<number, string> = {
  437: 'ibm866',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  10000: 'macintosh',
  20127: 'windows-1252',
  20866: 'koi8-r',
  20932: 'euc-jp',
  21866: 'koi8-u',
  28605: 'iso-8859-15',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
};

export function decoderOf(codePage: number | undefined): TextDecoder {
  const number = codePage ?? 1252;
  const label =
    BY_NUMBER[number] ??
    (number >= 1250 && number <= 1258
      ? `windows-${number}`
      : number >= 28591 && number <= 28606
        ? `iso-8859-${number - 28590}`
        : 'windows-1252');
  return new TextDecoder(isKnownCharset(label) ? label : 'windows-1252');
}

/** Names that programs use beside those that every decoder knows (WHATWG Encoding), without their separators. */
const BY_NAME: Record<string, string> = lookup({
  shiftjis: 'shift_jis',
  windows31j: 'shift_jis',
  mskanji: 'shift_jis',
  eucjp: 'euc-jp',
  iso2022jp: 'iso-2022-jp',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  junet: 'iso-2022-jp',
  euckr: 'euc-kr',
  uhc: 'euc-kr',
  tis620: 'windows-874',
});

export function decoderNamed(charset: string): TextDecoder {
  const name = charset.trim().toLowerCase();
  const bare = name.replace(/^(?:x-ms-|x-|cs)/, '').replace(/[\s._-]+/g, '');
  const page = /^(?:cp|windows|ms|ibm)(\d{3,5})$/.exec(bare)?.[1];
  const known = [name, BY_NAME[bare] ?? (page && BY_NUMBER[Number(page)]) ?? bare].find(isKnownCharset);
  return new TextDecoder(known ?? 'windows-1252');
}

export function isKnownCharset(name: string): boolean {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}
