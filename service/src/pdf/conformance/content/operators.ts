// Operators of content streams (ISO 32000-1, annex A) and what their names stand for.
import { lookup } from '../../../contract/lookup.ts';
import type { PdfDocument } from '../../document.ts';
import type { Dict, PdfValue } from '../../objects.ts';

export const KNOWN_OPERATORS: ReadonlySet<string> = new Set(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg
   ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(/\s+/),
);

/** Operators that paint a path: f fills, s strokes. */
export const PAINTS: Readonly<Record<string, string>> = lookup({
  f: 'f',
  F: 'f',
  'f*': 'f',
  S: 's',
  s: 's',
  B: 'fs',
  'B*': 'fs',
  b: 'fs',
  'b*': 'fs',
});

export function resourceNamed(
  doc: PdfDocument,
  resources: Dict | undefined,
  category: string,
  key: string,
): PdfValue | undefined {
  const value = doc.dict(resources?.get(category))?.get(key);
  return value === undefined || doc.resolve(value) === null ? undefined : value;
}
