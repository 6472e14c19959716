// A text goes on in another line only where its next word did not fit: where it would have, another text begins.
import { areaAround, type Word } from './areas.ts';

/** The usual width of a space, in parts of the letters' size. */
const SPACE = 0.3;

export const widthOf = (words: readonly Word[]): number => {
  const { left, right } = areaAround(words);
  return right - left;
};

/** Whether a line of `width` that has `above` written on it had room for the first word of `below`. */
export function hadRoom(above: readonly Word[], below: readonly Word[], width: number): boolean {
  const [first] = below;
  // A word that is broken went on, whatever room there was.
  if (!first || above.length === 0 || /[-\u00ad/]$/u.test(above.at(-1)?.text ?? '')) return false;
  return widthOf(above) + 2 * SPACE * first.size + (first.right - first.left) < width;
}
