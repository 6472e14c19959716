// What each level does. Operations, compress-pdf: "1 to 3: lossless (streams, object streams, unused objects,
// duplicates); 4 to 9: images too, scale 0.78 down to 0.28, JPEG quality 80 down to 35".

export interface Level {
  /** Equal objects become one, and resources that nothing draws go. */
  mergesDuplicates: boolean;
  /** Fonts keep the glyphs that are shown. */
  subsetsFonts: boolean;
  /** Pixels of images may change; thumbnails and private data of programs go. */
  images: ImageLevel | undefined;
}

export interface ImageLevel {
  /** Dots per inch on the page; images that have more are made smaller. */
  dpi: number;
  /** Of JPEG, 1 to 100. */
  quality: number;
  /** How like the image must stay, 0 to 1 (see likeness.ts). */
  likeness: number;
  /** The level before: what an image falls back to that cannot be made as small as this one asks. */
  gentler: ImageLevel | undefined;
}

export const HIGHEST_LEVEL = 9;
export const FIRST_IMAGE_LEVEL = 4;
/** What scale 1 means: as many dots as a reader of a printed page can tell apart. */
const FULL_DPI = 220;

export function levelOf(level: number): Level {
  return {
    mergesDuplicates: level >= 2,
    subsetsFonts: level >= 3,
    images: level >= FIRST_IMAGE_LEVEL ? imageLevel(level) : undefined,
  };
}

function imageLevel(level: number): ImageLevel {
  const step = level - FIRST_IMAGE_LEVEL;
  return {
    dpi: (0.78 - 0.1 * step) * FULL_DPI,
    quality: 80 - 9 * step,
    likeness: 0.9 - 0.02 * step,
    gentler: step > 0 ? imageLevel(level - 1) : undefined,
  };
}

/** Where the search for a size begins: how much is to be spared tells how much must be given up. */
export function levelForRatio(ratio: number): number {
  const steps = [0.95, 0.9, 0.8, 0.65, 0.5, 0.35, 0.2, 0.1];
  const passed = steps.findIndex((step) => ratio >= step);
  return passed === -1 ? HIGHEST_LEVEL : passed + 1;
}
