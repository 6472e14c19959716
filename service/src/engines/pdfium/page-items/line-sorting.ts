// Runs drawn out of order: PDFium reads what is drawn on one line from the left to the right. The rule is its own: pages
// read here and pages read by it must not differ.
import type { Library, Pointer } from '../library.ts';
import { GLYPH_FLOATS, type GlyphCache } from './glyph-cache.ts';
import { type Words, wordsOf } from './pdfium-memory.ts';
import type { TextObjects } from './text-objects.ts';
import { type FormPlace, NO_CODE, TextRun } from './text-run.ts';

/** What was drawn twice is looked for among so many runs before. */
const RECENT = 5;

interface Placed {
  run: TextRun;
  /** Of its first and its last glyph, as seen. */
  firstWidth: number;
  lastWidth: number;
}

/** The runs as they are read; undefined where some are turned, not known, or drawn twice: that is left to PDFium. */
export function sortLines(
  library: Library,
  { objects, placed: places }: TextObjects,
  glyphCache: GlyphCache,
): Uint32Array | undefined {
  const words = wordsOf(library);
  const sorted = new Uint32Array(objects.length);
  let kept = 0;
  let line: Placed[] = [];
  const recent: TextRun[] = [];
  const end = (): void => {
    for (const { run } of line) {
      sorted[kept] = run.object;
      kept += 1;
    }
    line = [];
  };
  for (let i = 0; i < objects.length; i += 1) {
    const object = objects[i] as Pointer;
    const place = places.get(object);
    const placed = placedAt(words, object, place, glyphCache);
    if (!placed) return undefined;
    for (const before of recent)
      if (places.get(before.object) === place && isDrawnAgain(library, before, placed.run)) return undefined;
    recent.push(placed.run);
    if (recent.length > RECENT) recent.shift();
    const last = line.at(-1);
    if (last && Math.abs(placed.run.y - last.run.y) > Math.max(last.lastWidth, placed.firstWidth) / 2) end();
    let at = line.length;
    while (at > 0 && placed.run.x < (line[at - 1] as Placed).run.x) at -= 1;
    line.splice(at, 0, placed);
    if (line.length > MAX_IN_LINE) return undefined;
  }
  end();
  return sorted;
}

const MAX_IN_LINE = 5000;

function placedAt(
  words: Words,
  object: Pointer,
  place: FormPlace | undefined,
  glyphCache: GlyphCache,
): Placed | undefined {
  const run = new TextRun();
  if (!run.read(words, object, place) || !run.isLevel) return undefined;
  const font = glyphCache.fontAt(run.font);
  if (!font || font.isOdd) return undefined;
  const scale = (run.size * (run.a + Math.hypot(run.c, run.d))) / 2;
  const widthOf = (code: number): number => {
    const glyph = code === NO_CODE ? 0 : (font.glyphOf[code] ?? 0);
    return Math.abs((font.measures[glyph * GLYPH_FLOATS] as number) * scale);
  };
  return {
    run,
    firstWidth: widthOf(words.u[run.codes] as number),
    lastWidth: widthOf(words.u[run.codes + run.count - 1] as number),
  };
}

/** As PDFium tells it: the same codes in about the same place, and half of one lies over the other. */
function isDrawnAgain(library: Library, before: TextRun, run: TextRun): boolean {
  if (!isSame(wordsOf(library).u, before, run)) return false;
  const [one, other] = [boundsOf(library, before.object), boundsOf(library, run.object)];
  // What both of nothing but spaces are is not told by their places alone.
  if (!one || !other || (isEmpty(one) && isEmpty(other))) return true;
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom);
  return width > 0 && height > 0 && width >= (other.right - other.left) / 2;
}

interface Bounds {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

const isEmpty = ({ left, bottom, right, top }: Bounds): boolean => left >= right || bottom >= top;

function boundsOf(library: Library, object: Pointer): Bounds | undefined {
  using scratch = library.borrow(16);
  const { at } = scratch;
  if (!library.native.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return undefined;
  const [left = 0, bottom = 0, right = 0, top = 0] = scratch.floats();
  return { left, bottom, right, top };
}

/** The same codes in about the same place. */
function isSame(u: Uint32Array, one: TextRun, other: TextRun): boolean {
  if (one.count !== other.count || one.size !== other.size) return false;
  if (Math.abs(one.x - other.x) > other.size * other.a || Math.abs(one.y - other.y) > other.size * other.d)
    return false;
  for (let k = 0; k < one.count; k += 1) if (u[one.codes + k] !== u[other.codes + k]) return false;
  return true;
}
