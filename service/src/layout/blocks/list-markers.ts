// How items of a list begin.

import { lookup } from '../../contract/lookup.ts';
import type { TextLine } from '../lines/text-lines.ts';
import type { Box } from '../model.ts';

export interface Marker {
  /** As printed: "•", "3.", "(a)". */
  text: string;
  ordered: boolean;
  /** What counts for it among its like: 3 for "3.", "c)" and "iii."; 0 for bullets. */
  number: number;
  /** Kind of numbering: items of one list share it. */
  kind: string;
  /** Where it begins and where its text does; counted to the left, below 0, where the line is read from the right. */
  left: number;
  textLeft: number;
  direction: TextLine['direction'];
}

/** Where something begins that is read in this direction, as markers count. */
export const beginOf = ({ x, width }: Box, direction: TextLine['direction']): number =>
  direction === 'rtl' ? -x - width : x;

const BULLETS = /^[•‣◦⁃∙▪▫■□●○◆◇►▶▸➢➤➔✓✔❖★⬥·\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf06e\uf0a8]$/;
/** Characters that are bullets only where text stands clear of them. */
const DASHES = /^[-–—*+o]$/;
const ORDERED = /^(\(?)(\d{1,3}|[a-zA-Z]|[ivx]{1,5}|[IVX]{1,5})([.)]|\.\))$/;

const ROMAN: Record<string, number> = lookup({ i: 1, v: 5, x: 10, l: 50, c: 100 });

export function markerOf({ words, direction }: TextLine): Marker | undefined {
  if (words.length < 2) return undefined;
  const [first, second] = direction === 'rtl' ? [words.at(-1), words.at(-2)] : words;
  if (!first || !second || (direction === 'ltr' && second.glued)) return undefined;
  const left = beginOf(first.box, direction);
  const textLeft = beginOf(second.box, direction);
  // Seen from the left, the full stop of a number stands before it.
  const text = direction === 'rtl' ? first.text.replace(/^([.)])(\d+)$/, '$2$1') : first.text;
  const place = { text, left, textLeft, direction };
  const gap = textLeft - left - first.box.width;
  if (BULLETS.test(first.text)) return { ...place, ordered: false, number: 0, kind: first.text };
  if (
    DASHES.test(first.text) &&
    gap > first.style.size * 0.3 &&
    (first.text !== 'o' || first.style.monospace)
  )
    return { ...place, ordered: false, number: 0, kind: first.text };
  const match = ORDERED.exec(text);
  if (!match || gap < first.style.size * 0.15) return undefined;
  const [, open = '', value = '', close = ''] = match;
  if (open && !close.includes(')')) return undefined;
  const { number, kind } = numberOf(value);
  return { ...place, ordered: true, number, kind: open + kind + close };
}

function numberOf(value: string): { number: number; kind: string } {
  if (/^\d+$/.test(value)) return { number: Number(value), kind: '1' };
  const lower = value.toLowerCase();
  const upper = value === lower ? '' : 'upper ';
  if (/^[ivx]+$/.test(lower) && (lower.length > 1 || lower === 'i'))
    return { number: romanNumber(lower), kind: `${upper}i` };
  return { number: lower.charCodeAt(0) - 96, kind: `${upper}a` };
}

/** Small letters. */
export function romanNumber(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) {
    const value = ROMAN[text[i] ?? ''] ?? 0;
    sum += value < (ROMAN[text[i + 1] ?? ''] ?? 0) ? -value : value;
  }
  return sum;
}
