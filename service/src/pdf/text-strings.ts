// PDF text strings: PDFDocEncoding, UTF-16BE or UTF-8 with a byte order mark.
import { PdfString } from './objects.ts';

/** PDFDocEncoding where it differs from Latin-1 (ISO 32000-1, table D.2). */
const PDF_DOC: Record<number, string> = {
  24: '\u02d8',
  25: '\u02c7',
  26: '\u02c6',
  27: '\u02d9',
  28: '\u02dd',
  29: '\u02db',
  30: '\u02da',
  31: '\u02dc',
  128: '\u2022',
  129: '\u2020',
  130: '\u2021',
  131: '\u2026',
  132: '\u2014',
  133: '\u2013',
  134: '\u0192',
  135: '\u2044',
  136: '\u2039',
  137: '\u203a',
  138: '\u2212',
  139: '\u2030',
  140: '\u201e',
  141: '\u201c',
  142: '\u201d',
  143: '\u2018',
  144: '\u2019',
  145: '\u201a',
  146: '\u2122',
  147: '\ufb01',
  148: '\ufb02',
  149: '\u0141',
  150: '\u0152',
  151: '\u0160',
  152: '\u0178',
  153: '\u017d',
  154: '\u0131',
  155: '\u0142',
  156: '\u0153',
  157: '\u0161',
  158: '\u017e',
  160: '\u20ac',
};

export function textOf(string: PdfString): string {
  const bytes = Buffer.from(string.bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes.subarray(2), false);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes.subarray(2), true);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3).toString('utf8');
  let text = '';
  for (const byte of bytes) text += PDF_DOC[byte] ?? String.fromCharCode(byte);
  return text;
}

const TO_PDF_DOC: ReadonlyMap<string, number> = new Map(
  Object.entries(PDF_DOC).map(([byte, character]) => [character, Number(byte)]),
);

/** Text in PDFDocEncoding; undefined where it has characters this encoding lacks. */
export function pdfDocBytes(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = TO_PDF_DOC.get(character) ?? (PDF_DOC[code] === undefined ? code : undefined);
    if (byte === undefined || byte > 0xff) return undefined;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

function decodeUtf16(bytes: Buffer, littleEndian: boolean): string {
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  const text = (littleEndian ? even : even.swap16()).toString('utf16le');
  // Language escapes (ESC ... ESC) are no text.
  return text.replace(/\u001b[^\u001b]{0,8}\u001b/g, '');
}

export function textString(text: string): PdfString {
  if (/^[\t\n\r -~]*$/.test(text)) return new PdfString(Buffer.from(text, 'latin1'));
  return new PdfString(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]));
}

/** A name's bytes as text: UTF-8 where they are that, else Latin-1. */
export function nameText(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  const utf8 = Buffer.from(name, 'latin1').toString('utf8');
  return utf8.includes('\ufffd') ? name : utf8;
}

/** Text as the bytes of a name, one character per byte. */
export const nameBytes = (text: string): string =>
  Buffer.from(text.toWellFormed(), 'utf8').toString('latin1');
