// Colours of what is drawn.
import { formatNumber } from '../syntax/object-syntax.ts';

/** Red, green and blue of #rrggbb, 0 to 1. */
export function rgbOf(colour: string): [number, number, number] {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

/** Operators that fill and stroke with a colour. */
export function paintOf(colour: string): string {
  const rgb = rgbOf(colour).map(formatNumber).join(' ');
  return `${rgb} rg ${rgb} RG`;
}
