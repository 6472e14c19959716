// Operators that set the text state or move along and between lines (ISO 32000-1, tables 105 to 108).
import type { TextCursor, TextState } from './text-state.ts';

/** The text state after an operator that shows nothing and names nothing; undefined where it is another. */
export function followTextOperator(
  operator: string,
  numbers: readonly number[],
  text: TextState,
  cursor: TextCursor,
): TextState | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  switch (operator) {
    case 'BT':
      cursor.begin();
      return text;
    case 'Tm':
      cursor.set([a, b, c, d, e, f]);
      return text;
    case 'Td':
      cursor.newLine(a, b);
      return text;
    case 'TD':
      cursor.newLine(a, b);
      return { ...text, leading: -b };
    case 'T*':
      cursor.newLine(0, -text.leading);
      return text;
    case 'Tc':
      return { ...text, characterSpacing: a };
    case 'Tw':
      return { ...text, wordSpacing: a };
    case 'Tz':
      return { ...text, stretch: a / 100 };
    case 'TL':
      return { ...text, leading: a };
    case 'Ts':
      return { ...text, rise: a };
    default:
      return undefined;
  }
}
