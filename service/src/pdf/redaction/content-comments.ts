// Comments in content: drawn by nothing, read by whoever opens the file.
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import { formatValue } from '../syntax/object-syntax.ts';

const PERCENT = 0x25;

interface Aside {
  text: string;
  start: number;
  end: number;
  /** What stands there without the comments. */
  plain: string;
}

/** Comments between operations and within them. */
function asidesIn(bytes: Uint8Array): Aside[] {
  if (!bytes.includes(PERCENT)) return [];
  const asides: Aside[] = [];
  const reader = new ContentReader(bytes);
  let last = 0;
  const addGap = (end: number): void => {
    const gap = bytes.subarray(last, end);
    if (gap.includes(PERCENT)) asides.push({ text: textIn(gap), start: last, end, plain: '\n' });
  };
  for (let operation = reader.next(); operation; operation = reader.next()) {
    addGap(operation.start);
    last = operation.end;
    const aside = withinOperation(bytes, operation);
    if (aside) asides.push(aside);
  }
  addGap(bytes.length);
  return asides;
}

function withinOperation(
  bytes: Uint8Array,
  { operator, operands, start, end }: Operation,
): Aside | undefined {
  const own = bytes.subarray(start, end);
  if (operator === 'BI' || !own.includes(PERCENT)) return undefined;
  // Strings may hold the sign; what is left after them is a comment.
  const text = textIn(own).replace(/\((?:[^()\\]|\\[\s\S])*\)/g, '');
  if (!text.includes('%')) return undefined;
  return { text, start, end, plain: ` ${[...operands.map(formatValue), operator].join(' ')}\n` };
}

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

export const commentsIn = (bytes: Uint8Array): string[] => asidesIn(bytes).map(({ text }) => text);

/** The same bytes where no comment holds a secret. */
export function withoutComments(bytes: Uint8Array, isSecret: (text: string) => boolean): Uint8Array {
  const secret = asidesIn(bytes).filter(({ text }) => isSecret(text));
  if (secret.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const { start, end, plain } of secret) {
    pieces.push(bytes.subarray(copied, start), Buffer.from(plain, 'latin1'));
    copied = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)]);
}
