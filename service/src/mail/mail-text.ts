// Texts of messages: the characters of bodies that do not name them, and lines that were broken to travel.
import { isUtf8 } from 'node:buffer';
import { decoderNamed, isKnownCharset } from './code-pages.ts';

/** The bytes behind a transfer coding. */
export function decodeTransfer(body: Buffer, coding: string): Buffer {
  if (coding === 'base64') return decodeBase64(body.toString('latin1'));
  if (coding !== 'quoted-printable') return body;
  const text = body
    .toString('latin1')
    .split('\n')
    .map(withoutPadding)
    .join('\n')
    .replace(/=\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

/** Some programs pad every line, or every piece that they coded. */
const decodeBase64 = (text: string): Buffer =>
  Buffer.concat(text.split(/=+/).map((unit) => Buffer.from(unit, 'base64')));

/** Blanks at the end of a line come from the way, not from the writer. */
function withoutPadding(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t\r'.includes(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

/** Names that say nothing, or less than the bytes do. */
const UNSAID = /^(?:us-ascii|ascii|ansi_x3\.4-1968|unknown(?:-8bit)?|x-unknown|default|8bit|none|)$/i;
const META = /<meta[^>]{0,500}charset\s*=\s*["']?([\w.-]+)/i;
const JAPANESE = /\u001b\$[@B]/;

/** A body in the characters that it names, or else those that its bytes tell. */
export function decodeText(bytes: Buffer, charset: string, isHtml: boolean): string {
  const text = isUtf7(charset)
    ? decodeUtf7(bytes.toString('latin1'))
    : decoderNamed(charsetOf(bytes, charset, isHtml)).decode(bytes);
  return text.replaceAll('\r\n', '\n');
}

function charsetOf(bytes: Buffer, said: string, isHtml: boolean): string {
  if (!UNSAID.test(said.trim())) return said;
  const head = bytes.toString('latin1', 0, 4096);
  if (JAPANESE.test(head)) return 'iso-2022-jp';
  if (isUtf8(bytes)) return 'utf-8';
  const named = isHtml ? META.exec(head)?.[1] : undefined;
  return named && isKnownCharset(named) && !/^utf-?8$/i.test(named) ? named : 'windows-1252';
}

const isUtf7 = (charset: string): boolean =>
  /^(?:unicode-1-1-|x-unicode-2-0-|x-)?utf-?7$/i.test(charset.trim());

/** RFC 2152: runs of Unicode in Base64 between + and -. */
export const decodeUtf7 = (text: string): string =>
  text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, run: string) => {
    if (run === '') return '+';
    const bytes = Buffer.from(run, 'base64');
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  });

/** RFC 3676: lines that end with a space go on in the next, if that is quoted as deep. */
export function joinFlowedLines(text: string, isSpaceDeleted: boolean): string {
  const out: string[] = [];
  let open: { depth: number; pieces: string[] } | undefined;
  const close = () => {
    if (open) out.push(quoted(open.depth, open.pieces.join('')));
    open = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)?.[0].length ?? 0;
    const bare = line.slice(depth).replace(/^ /, '');
    const isSignature = bare === '-- ';
    if (open && (open.depth !== depth || isSignature)) close();
    const goesOn = bare.endsWith(' ') && !isSignature;
    open ??= { depth, pieces: [] };
    open.pieces.push(goesOn && isSpaceDeleted ? bare.slice(0, -1) : bare);
    if (!goesOn) close();
  }
  close();
  return out.join('\n');
}

const quoted = (depth: number, text: string): string => (depth === 0 ? text : `${'>'.repeat(depth)} ${text}`);
