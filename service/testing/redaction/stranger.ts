// A file as a stranger reads it who looks for a word: other programs' text, and every string, name and stream in every
// encoding. Shares nothing with the product.
import { askProgram, askProgramBytes, missing, pdftotext } from '../oracles/programs.ts';

const withMutool = missing('mutool') === false;

/** Where the word stands, in words; empty where it stands nowhere. */
export function placesOf(word: string, bytes: Uint8Array): string[] {
  const found: string[] = [];
  const look = (where: string, text: string): void => {
    for (const [how, said] of Object.entries(spelledOut(text)))
      if (equal(said).includes(equal(word))) found.push(`${where}${how}`);
  };
  for (const mode of [[], ['-raw'], ['-layout']]) {
    const text = pdftotext(bytes, ...mode);
    look(`pdftotext ${mode}`, text.replace(/-\s*[\n\f]\s*/g, ''));
    // Letters apart.
    if (text.replace(/\s/g, '').toLowerCase().includes(word.replace(/\s/g, '').toLowerCase()))
      found.push(`pdftotext ${mode}, blanks apart`);
  }
  if (withMutool) {
    const text = askProgram('mutool', ['draw', '-q', '-F', 'text', '{}'], bytes, [0, 1]);
    look('mutool', text.replace(/-\s*[\n\f]\s*/g, ''));
  }
  look('the file', Buffer.from(bytes).toString('latin1'));
  for (const shift of [0, 1])
    look(`the file as UTF-16LE from ${shift}`, Buffer.from(bytes.subarray(shift)).toString('utf16le'));
  // Raw data of what qpdf cannot unpack stands in it as it is.
  const dump = askProgramBytes('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes, [0, 3]);
  const text = dump.toString('latin1');
  look('qpdf --qdf', text);
  const coded = [...text.matchAll(/(?:[0-9a-f]{2}\s?){32,}/gi)].map(([digits]) => digits.replace(/\s/g, ''));
  look(
    'data in hexadecimal',
    coded.map((digits) => Buffer.from(digits, 'hex').toString('latin1')).join('\n'),
  );
  look('qpdf --qdf as UTF-8', dump.toString('utf8'));
  for (const shift of [0, 1]) {
    const even = dump.subarray(shift, shift + ((dump.length - shift) & ~1));
    look(`qpdf --qdf as UTF-16LE from ${shift}`, even.toString('utf16le'));
    look(`qpdf --qdf as UTF-16BE from ${shift}`, Buffer.from(even).swap16().toString('utf16le'));
  }
  const strings = stringsIn(text);
  for (const string of strings) {
    look('a string', string.toString('latin1'));
    look('a string as UTF-8', string.toString('utf8'));
    const even = Buffer.from(string.subarray(0, string.length & ~1));
    look('a string as UTF-16LE', even.toString('utf16le'));
    look('a string as UTF-16BE', even.swap16().toString('utf16le'));
  }
  look('strings run together', strings.map((string) => string.toString('latin1')).join(''));
  const names = [...text.matchAll(/\/([^\s()<>[\]{}/%]+)/g)].map(([, raw = '']) =>
    Buffer.from(
      raw.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ),
  );
  look('names', names.map((name) => name.toString('latin1')).join('\n'));
  look('names as UTF-8', names.map((name) => name.toString('utf8')).join('\n'));
  return [...new Set(found)];
}

/** Blanks of any kind are one; letter case counts for nothing. */
const equal = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s\0]+/g, ' ');

/** The text itself, and with the escapes undone that addresses, markup and scripts know. */
function spelledOut(text: string): Record<string, string> {
  const said: Record<string, string> = { '': text };
  if (/%[0-9a-f]{2}/i.test(text)) {
    const bytes = Buffer.from(
      text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    );
    said[', percent signs undone'] = bytes.toString('latin1');
    said[', percent signs undone twice'] = bytes
      .toString('latin1')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    said[', percent signs undone, as UTF-8'] = bytes.toString('utf8');
  }
  if (/&#/.test(text))
    said[', entities undone'] = text.replace(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, digits: string) =>
      String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(digits, hex ? 16 : 10) || 0)),
    );
  said[', digits undone'] = [...text.matchAll(/(?:[0-9a-f]{2}){6,}/gi)]
    .map(([digits]) => Buffer.from(digits, 'hex').toString('latin1'))
    .join('\n');
  said[', Base64 undone'] = [...text.matchAll(/[a-z0-9+/]{8,}={0,2}/gi)]
    .map(([coded]) => Buffer.from(coded, 'base64').toString('latin1'))
    .join('\n');
  if (/\\+[xu][0-9a-f]{2}/i.test(text))
    said[', escapes undone'] = text.replace(
      /\\+(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/gi,
      (_, two?: string, four?: string) => String.fromCharCode(Number.parseInt(two ?? four ?? '0', 16)),
    );
  return said;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Strings in parentheses and in angle brackets, wherever they stand. */
function stringsIn(text: string): Buffer[] {
  const literal = /\(((?:[^()\\]|\\[\s\S])*)\)/g;
  const hex = /<([0-9a-f\s]+)>/gi;
  const plain = [...text.matchAll(literal)].map(({ index, 1: raw = '' }) => ({
    index,
    bytes: Buffer.from(
      raw.replace(/\\([0-7]{1,3}|\r?\n|[\s\S])/g, (_, said: string) =>
        /^[0-7]/.test(said)
          ? String.fromCharCode(Number.parseInt(said, 8) & 255)
          : (ESCAPED[said] ?? (/^\r?\n$/.test(said) ? '' : said)),
      ),
      'latin1',
    ),
  }));
  const coded = [...text.matchAll(hex)].map(({ index, 1: raw = '' }) => ({
    index,
    bytes: Buffer.from(raw.replace(/\s/g, ''), 'hex'),
  }));
  return [...plain, ...coded].sort((a, b) => a.index - b.index).map(({ bytes }) => bytes);
}
