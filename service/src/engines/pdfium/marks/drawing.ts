// All that is drawn on one page, read while it is loaded.
import type { PageDrawing } from '../../../contract/page-marks.ts';
import type { Library, Pointer } from '../library.ts';
import { emptyGlyphs, readGlyphs } from './glyphs.ts';
import { readLinks } from './links.ts';
import { readPageSpace } from './page-space.ts';
import { readShapes } from './shapes.ts';

/** Page 0: one that cannot be loaded, of the size it states. */
export function readDrawing(
  library: Library,
  document: Pointer,
  page: Pointer,
  size: { width: number; height: number },
): PageDrawing {
  if (page === 0) return { ...size, ...NOTHING, glyphs: emptyGlyphs(0) };
  const space = readPageSpace(library, page);
  return {
    width: space.width,
    height: space.height,
    rotation: space.rotation,
    glyphs: readGlyphs(library, page, space),
    ...readShapes(library, page, space),
    links: readLinks(library, document, page, space),
  };
}

const NOTHING: Omit<PageDrawing, 'width' | 'height' | 'glyphs'> = {
  rotation: 0,
  rules: [],
  fills: [],
  curves: [],
  pictures: [],
  links: [],
  truncated: false,
};
