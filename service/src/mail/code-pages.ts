// Character sets by the numbers that Windows gives them.

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
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('windows-1252');
  }
}
