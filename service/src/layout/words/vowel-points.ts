// Vowel points and other marks of Hebrew and Arabic: drawn as glyphs of their own over, under or in a letter, in any
// order, or together with it as one glyph. Each is put behind its letter, at the letter's place.
import type { Glyphs } from '../../contract/page-items.ts';
import { isSpace, type VisibleGlyphs } from './visible-glyphs.ts';

const FIRST = 0x591;
const LAST = 0x6ed;
const isPoint = (code: number): boolean =>
  code >= FIRST &&
  code <= LAST &&
  ((code <= 0x5c7 && code !== 0x5be && code !== 0x5c0 && code !== 0x5c3 && code !== 0x5c6) ||
    (code >= 0x610 && code <= 0x61a) ||
    (code >= 0x64b && code <= 0x65f) ||
    code === 0x670 ||
    (code >= 0x6d6 &&
      code !== 0x6dd &&
      code !== 0x6de &&
      code !== 0x6e5 &&
      code !== 0x6e6 &&
      code !== 0x6e9));

/** A point may stand beside its letter by this part of the letter's size, and so far above or below. */
const ASIDE = 0.12;
const ABOVE = 0.9;

/** Glyphs in one place: letters of one ligature, or points alone. */
interface Unit {
  indices: number[];
  points: boolean;
  left: number;
  right: number;
  y: number;
  size: number;
}

export function attachVowelPoints(visible: VisibleGlyphs): VisibleGlyphs {
  const { glyphs, indices } = visible;
  if (!hasPoints(glyphs)) return visible;
  const units = unitsOf(glyphs, indices);
  const letters = units.filter(({ points }) => !points).toSorted((a, b) => a.left - b.left);
  const onLetter = new Map<Unit, Unit[]>();
  for (const unit of units) {
    const host = unit.points ? letterOf(unit, letters, glyphs) : undefined;
    if (host) onLetter.set(host, [...(onLetter.get(host) ?? []), unit]);
  }
  const placed = new Set([...onLetter.values()].flat());
  const origins = glyphs.origins.slice();
  const advances = glyphs.advances.slice();
  const lookOf = glyphs.lookOf.slice();
  const order: number[] = [];
  for (const unit of units) {
    if (placed.has(unit)) continue;
    const all = [...unit.indices, ...(onLetter.get(unit) ?? []).flatMap((points) => points.indices)];
    const first = unit.indices[0] as number;
    for (const i of all) {
      origins[i * 2] = glyphs.origins[first * 2] as number;
      origins[i * 2 + 1] = glyphs.origins[first * 2 + 1] as number;
      lookOf[i] = glyphs.lookOf[first] as number;
      if (all.length > 1) advances[i] = unit.right - unit.left;
      order.push(i);
    }
  }
  return { glyphs: { ...glyphs, origins, advances, lookOf }, indices: Uint32Array.from(order) };
}

function hasPoints({ codes, count }: Glyphs): boolean {
  for (let i = 0; i < count; i += 1) {
    const code = codes[i] as number;
    if (code >= FIRST && isPoint(code)) return true;
  }
  return false;
}

function unitsOf(glyphs: Glyphs, indices: Uint32Array): Unit[] {
  const { codes, origins, advances, sizes } = glyphs;
  const units: Unit[] = [];
  for (const i of indices) {
    const [x, y] = [origins[i * 2] as number, origins[i * 2 + 1] as number];
    const last = units.at(-1);
    const code = codes[i] as number;
    const points = isPoint(code);
    if (last && last.left === x && last.y === y && !isSpace(code)) {
      last.indices.push(i);
      last.right = Math.max(last.right, x + (advances[i] as number));
      last.points &&= points;
    } else
      units.push({
        indices: [i],
        points,
        left: x,
        right: x + (advances[i] as number),
        y,
        size: sizes[i] as number,
      });
  }
  return units;
}

/** The letter that the middle of its ink stands nearest to; letters from left to right. */
function letterOf(point: Unit, letters: readonly Unit[], { ink }: Glyphs): Unit | undefined {
  const boxes = point.indices.map((i) => [ink[i * 4] as number, ink[i * 4 + 2] as number] as const);
  const middle =
    (Math.min(...boxes.map(([left]) => left)) + Math.max(...boxes.map(([, right]) => right))) / 2;
  const widest = point.size * 2;
  let best: Unit | undefined;
  let nearest = Infinity;
  for (let k = firstFrom(letters, middle - widest); k < letters.length; k += 1) {
    const letter = letters[k] as Unit;
    const aside = letter.size * ASIDE;
    if (letter.left > middle + aside) break;
    if (middle > letter.right + aside || Math.abs(letter.y - point.y) > letter.size * ABOVE) continue;
    const distance = Math.abs((letter.left + letter.right) / 2 - middle);
    if (distance < nearest && letter.right > letter.left) [best, nearest] = [letter, distance];
  }
  return best;
}

function firstFrom(letters: readonly Unit[], x: number): number {
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((letters[middle] as Unit).left < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
