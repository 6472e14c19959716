// The glyphs of a page with their places and looks.
import type { Glyphs } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';
import { ActualTexts } from './actual-text.ts';
import { readCachedPage } from './cached-page-reader.ts';
import { type DrawnState, LookReader, turnOf } from './glyph-looks.ts';
import { allocateGlyphs, emptyGlyphs, MAX_GLYPHS, takeGlyphs } from './glyph-rows.ts';
import type { LoadedPage } from './loaded-page.ts';
import type { PageSpace } from './page-space.ts';
import { CHAR, CHAR_WORDS, isOverhanging, letterAt } from './pdfium-memory.ts';
import { SplitLigatures } from './split-ligatures.ts';
import { NO_CODE } from './text-run.ts';
import { type RepairedChars, readChars } from './to-unicode-repairs.ts';

/** Writing turned by less, as the part it rises of what it goes along, is told by its boxes. */
const UPRIGHT = 50;

/** From here on letters are as wide as they are high; narrower, in parts of the size, none of them is. */
const FIRST_WIDE = 0x2e80;
const NARROW = 0.3;

export function readGlyphs(library: Library, loaded: LoadedPage, space: PageSpace): Glyphs {
  const looks = new LookReader(library, loaded.glyphCache);
  return readCachedPage(library, loaded, space, looks) ?? readAsText(library, loaded, space, looks);
}

/** As PDFium reads it. */
export function readAsText(
  library: Library,
  loaded: LoadedPage,
  space: PageSpace,
  looks: LookReader,
): Glyphs {
  const { native } = library;
  const { document, page, glyphCache, lasting } = loaded;
  const text = native.FPDFText_LoadPage(page);
  if (text === 0) return emptyGlyphs();
  try {
    const count = Math.min(MAX_GLYPHS, Math.max(0, native.FPDFText_CountChars(text)));
    if (count === 0) return emptyGlyphs();
    const records = readChars(library, loaded, text, count);
    const parted = new SplitLigatures(library, document, glyphCache);
    const actualTexts = new ActualTexts(library, loaded);
    return placeGlyphs(records, allocateGlyphs(records.count, lasting), {
      space,
      looks,
      parted,
      actualTexts,
    });
  } finally {
    native.FPDFText_ClosePage(text);
  }
}

interface Reading {
  space: PageSpace;
  looks: LookReader;
  parted: SplitLigatures;
  actualTexts: ActualTexts;
}

/** One pass over hundreds of thousands of records in a long document: plain statements, nothing made on the way. */
function placeGlyphs(
  { u, f, count }: RepairedChars,
  room: Glyphs,
  { space, looks: reader, parted, actualTexts }: Reading,
): Glyphs {
  const { codes, origins, ink, advances, sizes, turns, lookOf } = room;
  const [A, B, C, D, E, F] = space.toDisplay;
  let kept = 0;
  let object: Pointer = 0;
  let state: DrawnState = { look: 0, size: 1 };
  for (let at = 0; at < count * CHAR_WORDS; at += CHAR_WORDS) {
    const drawnBy = u[at + CHAR.object] as number;
    const code = letterAt(u, at);
    // Line ends and spaces that PDFium thought up are drawn by nothing.
    if (drawnBy === 0 || code === 0) continue;
    if (drawnBy !== object) {
      object = drawnBy;
      state = reader.stateOf(object);
    }
    const a = f[at + CHAR.a] as number;
    const b = f[at + CHAR.b] as number;
    const c = f[at + CHAR.c] as number;
    const d = f[at + CHAR.d] as number;
    let x = f[at + CHAR.originX] as number;
    let y = f[at + CHAR.originY] as number;
    const isParted = u[at + CHAR.code] === NO_CODE;
    const text = isParted ? actualTexts.of(object) : undefined;
    if (text?.isAgain) continue;
    if (text?.place) [x, y] = [text.place.left, text.place.baseline];
    const size = state.size * (c === 0 ? Math.abs(d) : Math.sqrt(c * c + d * d));
    if (!Number.isFinite(x + y + size)) continue;
    codes[kept] = code;
    origins[kept * 2] = A * x + C * y + E;
    origins[kept * 2 + 1] = B * x + D * y + F;
    const left = f[at + CHAR.left] as number;
    const bottom = f[at + CHAR.bottom] as number;
    const right = f[at + CHAR.right] as number;
    const top = f[at + CHAR.top] as number;
    const x1 = A * left + C * bottom + E;
    const y1 = B * left + D * bottom + F;
    const x2 = A * right + C * top + E;
    const y2 = B * right + D * top + F;
    ink[kept * 4] = Math.min(x1, x2);
    ink[kept * 4 + 1] = Math.min(y1, y2);
    ink[kept * 4 + 2] = Math.max(x1, x2);
    ink[kept * 4 + 3] = Math.max(y1, y2);
    // The loose box is as wide as the advance seen along the x axis: nothing for text that stands on end, and more, by
    // the height of the letters, for text that is slanted.
    const wide = (f[at + CHAR.looseRight] as number) - (f[at + CHAR.looseLeft] as number);
    if (text?.place) advances[kept] = text.place.right - text.place.left;
    else if (isParted) {
      const width = text ? undefined : parted.widthAt(object, x, y);
      // Letters of one glyph share its ink; those of a text that is told at its first glyph have no room there.
      const reach = code >= FIRST_WIDE && right - left < size * NARROW ? 0 : right - x;
      advances[kept] = width ? width * state.size * Math.hypot(a, b) : Math.max(Math.abs(wide), reach);
    } else if (b === 0 && isOverhanging(f, at))
      advances[kept] =
        (parted.widthOf(object, u[at + CHAR.code] as number) ?? 0) * state.size * Math.hypot(a, b);
    else if (b === 0) advances[kept] = Math.abs(wide);
    else if (Math.abs(a) > Math.abs(b) * UPRIGHT) advances[kept] = Math.abs((wide / a) * Math.hypot(a, b));
    else advances[kept] = reader.widthOf(object, code) * state.size * Math.hypot(a, b);
    sizes[kept] = size;
    turns[kept] = turnOf(A * a + C * b, B * a + D * b);
    lookOf[kept] = state.look;
    kept += 1;
  }
  return takeGlyphs(room, kept, reader.looks);
}
