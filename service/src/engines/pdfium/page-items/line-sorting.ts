// Runs drawn out of order: PDFium reads what is drawn on one line from the left to the right. The rule is its own: pages
// read here and pages read by it must not differ.
import type { Library, Pointer } from '../library.ts';
import { GLYPH_FLOATS, type GlyphCache } from './glyph-cache.ts';
import { type Words, wordsOf } from './pdfium-memory.ts';
import { NO_CODE, TextRun } from './text-run.ts';

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
  objects: Uint32Array,
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
    const placed = placedAt(words, objects[i] as Pointer, glyphCache);
    if (!placed || recent.some((before) => isSame(words.u, before, placed.run))) return undefined;
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

function placedAt(words: Words, object: Pointer, glyphCache: GlyphCache): Placed | undefined {
  const run = new TextRun();
  if (!run.read(words, object) || !run.isLevel) return undefined;
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

/** The same codes in about the same place. */
function isSame(u: Uint32Array, one: TextRun, other: TextRun): boolean {
  if (one.count !== other.count || one.size !== other.size) return false;
  if (Math.abs(one.x - other.x) > other.size * other.a || Math.abs(one.y - other.y) > other.size * other.d)
    return false;
  for (let k = 0; k < one.count; k += 1) if (u[one.codes + k] !== u[other.codes + k]) return false;
  return true;
}
