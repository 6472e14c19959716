// Text operators written otherwise: their strings may be cut while what they do besides stays.
import type { Operation } from '../syntax/content-reader.ts';
import { formatNumber } from '../syntax/object-syntax.ts';

/** What an operator that shows text does before it shows: `'` and `"` begin a line, `"` sets spacings (9.4.3). */
export function beforeShowing({ operator, operands }: Operation): string {
  if (operator === "'") return 'T* ';
  if (operator !== '"') return '';
  const [wordSpacing = 0, characterSpacing = 0] = operands as number[];
  return `${formatNumber(wordSpacing)} Tw ${formatNumber(characterSpacing)} Tc T* `;
}
