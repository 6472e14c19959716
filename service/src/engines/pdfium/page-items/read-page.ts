// All that is drawn on one page, read while it is loaded.
import type { DrawnPage, PageLink } from '../../../contract/page-items.ts';
import type { Size } from '../../../contract/raster.ts';
import type { Library } from '../library.ts';
import { emptyGlyphs } from './glyph-rows.ts';
import { readGlyphs } from './glyphs.ts';
import type { LoadedPage } from './loaded-page.ts';
import { readPageSpace } from './page-space.ts';
import { emptyShapes, readShapes } from './shapes.ts';

export function readPageItems(
  library: Library,
  loaded: LoadedPage,
  links: PageLink[],
  what: 'all' | 'text',
): DrawnPage {
  const { page } = loaded;
  const space = readPageSpace(library, page);
  return {
    width: space.width,
    height: space.height,
    rotation: space.rotation,
    glyphs: readGlyphs(library, loaded, space),
    ...(what === 'all' ? readShapes(library, loaded, space) : emptyShapes()),
    links,
  };
}

/** A page that cannot be read, of the size it states. */
export const emptyPage = ({ width, height }: Size): DrawnPage => ({
  width,
  height,
  rotation: 0,
  glyphs: emptyGlyphs(),
  ...emptyShapes(),
  links: [],
});
