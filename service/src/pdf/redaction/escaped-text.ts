// Letters written as escapes: in addresses by percent signs, in markup by numbers, in scripts by backslashes, as digits
// or in Base64 anywhere. What they spell is to be found like any other text.
import { escapeXml, unescapeXml } from '../metadata/xml-tree.ts';

interface Escaping {
  isUsed: RegExp;
  undo(text: string): string;
  /** Text as it may stand where the escapes stood. */
  redo(text: string): string;
}

const asCharacter = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

const percentBytes = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/(%[0-9a-f]{2})/i)
      .map((part) =>
        /^%[0-9a-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8'),
      ),
  );
const percent = { isUsed: /%[0-9a-f]{2}/i, redo: (text: string): string => encodeURI(text.toWellFormed()) };

/** What bytes say where they say something: in either width, nothing but letters. */
function wordsIn(bytes: Buffer): string | undefined {
  const wide = bytes.length % 2 === 0 ? bytes : bytes.subarray(0, bytes.length - 1);
  const texts = [
    bytes.toString('utf8'),
    wide.toString('utf16le'),
    Buffer.from(wide).swap16().toString('utf16le'),
  ];
  return texts.find((text) => /^\ufeff?[\s\x20-\x7e\xa0-\u024f]+$/.test(text));
}

const ESCAPINGS: readonly Escaping[] = [
  { ...percent, undo: (text) => percentBytes(text).toString('utf8') },
  { ...percent, undo: (text) => text.replace(/%([0-9a-f]{2})/gi, asCharacter) },
  {
    isUsed: /[0-9a-f]{12}/i,
    undo: (text) =>
      text.replace(/(?:[0-9a-f]{2}){6,}/gi, (digits) => wordsIn(Buffer.from(digits, 'hex')) ?? digits),
    redo: (text) => text,
  },
  {
    isUsed: /[a-z0-9+/]{8}/i,
    undo: (text) =>
      text.replace(/[a-z0-9+/]{8,}={0,2}/gi, (coded) => wordsIn(Buffer.from(coded, 'base64')) ?? coded),
    redo: (text) => text,
  },
  {
    isUsed: /&(?:#|lt|gt|amp|quot|apos)/,
    undo: unescapeXml,
    redo: escapeXml,
  },
  {
    isUsed: /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4})/i,
    undo: (text) =>
      text.replace(/\\(?:x[0-9a-f]{2}|u[0-9a-f]{4})/gi, (whole) => asCharacter('', whole.slice(2))),
    redo: (text) => text,
  },
];

/** Other texts that this one spells, each with the way back; none where it has no escapes. */
export function spelledTexts(text: string): SpelledText[] {
  const once = unescapeTexts(text);
  // Addresses inside addresses, markup inside markup.
  const twice = once.flatMap((outer) =>
    unescapeTexts(outer.text).map((inner) => ({
      text: inner.text,
      redo: (cleaned: string) => outer.redo(inner.redo(cleaned)),
    })),
  );
  return [...once, ...twice];
}

interface SpelledText {
  text: string;
  redo(text: string): string;
}

const unescapeTexts = (text: string): SpelledText[] =>
  ESCAPINGS.filter(({ isUsed }) => isUsed.test(text))
    .map(({ undo, redo }) => ({ text: undo(text), redo }))
    .filter((each) => each.text !== text);
