// The operators of content streams and the operands each takes (ISO 32000-1, annex A).
import { lookup } from '../../contract/lookup.ts';
import { Dict, Name, PdfString, type PdfValue } from '../objects.ts';

/**
 * Operators by what they take, one letter for each operand: n a number, / a name, s a string, a an array, d a
 * dictionary, p a property list or the name of one; * any.
 */
const BY_OPERANDS: Readonly<Record<string, string>> = lookup({
  '': 'b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*',
  n: 'G g i j J M Tc TL Tr Ts Tw Tz w',
  nn: 'd0 l m Td TD',
  nnn: 'RG rg',
  nnnn: 'K k re v y',
  nnnnnn: 'c cm d1 Tm',
  '/': 'BMC CS cs Do gs MP ri sh',
  '/n': 'Tf',
  '/p': 'BDC DP',
  s: "Tj '",
  nns: '"',
  a: 'TJ',
  an: 'd',
  d: 'BI',
  '*': 'SC sc SCN scn',
});

/** What each operator takes. */
export const SIGNATURES: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_OPERANDS).flatMap(([signature, operators]) =>
    operators.split(' ').map((operator) => [operator, signature] as const),
  ),
);

/**
 * The operands an operator takes of those before it: the last ones, as readers have it. Undefined where some are
 * missing or of another kind: the operation then does nothing.
 */
export function fittingOperands(operands: PdfValue[], signature: string): PdfValue[] | undefined {
  if (signature === '*') return operands;
  const { length } = signature;
  const surplus = operands.length - length;
  if (surplus < 0) return undefined;
  const taken = surplus === 0 ? operands : operands.slice(surplus);
  for (let at = 0; at < length; at += 1) if (!isOf(signature.charCodeAt(at), taken[at])) return undefined;
  return taken;
}

function isOf(kind: number, operand: PdfValue | undefined): boolean {
  switch (kind) {
    case 0x6e:
      return typeof operand === 'number';
    case 0x2f:
      return operand instanceof Name;
    case 0x73:
      return operand instanceof PdfString;
    case 0x61:
      return Array.isArray(operand);
    case 0x64:
      return operand instanceof Dict;
    default:
      return operand instanceof Name || operand instanceof Dict;
  }
}

/** What an operator that ends a path does with it. */
export interface PathPainting {
  fills: boolean;
  strokes: boolean;
  /** The last subpath is closed first. */
  closes: boolean;
  evenOdd: boolean;
}

const painting = (fills: boolean, strokes: boolean, closes = false, evenOdd = false): PathPainting => ({
  fills,
  strokes,
  closes,
  evenOdd,
});

/** By operator; n only ends the path. */
export const PATH_PAINTING: ReadonlyMap<string, PathPainting> = new Map([
  ['f', painting(true, false)],
  ['F', painting(true, false)],
  ['f*', painting(true, false, false, true)],
  ['S', painting(false, true)],
  ['s', painting(false, true, true)],
  ['B', painting(true, true)],
  ['B*', painting(true, true, false, true)],
  ['b', painting(true, true, true)],
  ['b*', painting(true, true, true, true)],
  ['n', painting(false, false)],
]);

export const PATH_CONSTRUCTION: ReadonlySet<string> = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're']);

/** Whether it builds, clips by, or ends the current path. */
export const isPathOperator = (operator: string): boolean =>
  PATH_CONSTRUCTION.has(operator) || PATH_PAINTING.has(operator) || operator === 'W' || operator === 'W*';
