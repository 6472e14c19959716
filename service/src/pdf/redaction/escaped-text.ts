// Letters written as escapes: in addresses by percent signs, in markup by numbers, in scripts by backslashes. What they
// spell is to be found like any other text.
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

const ESCAPINGS: readonly Escaping[] = [
  { ...percent, undo: (text) => percentBytes(text).toString('utf8') },
  { ...percent, undo: (text) => text.replace(/%([0-9a-f]{2})/gi, asCharacter) },
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
export function spelledTexts(text: string): { text: string; redo(text: string): string }[] {
  return ESCAPINGS.filter(({ isUsed }) => isUsed.test(text))
    .map(({ undo, redo }) => ({ text: undo(text), redo }))
    .filter((each) => each.text !== text);
}
