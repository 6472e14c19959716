// Pages as image files: drawn one by one, and packed while the next is drawn.
import { rmSync } from 'node:fs';
import { invalidParameter } from '../contract/problems.ts';
import type { Size } from '../contract/raster.ts';
import type { Engines } from '../engines/engines.ts';
import type { PdfiumDocument } from '../engines/pdfium/pdfium.ts';
import type { ImageFileFormat } from '../engines/sharp/sharp.ts';
import type { PageWork } from '../operations/define.ts';
import { applyTones, type Tones, toneInto } from '../pdf/images/page-tones.ts';
import { TiffSpool } from '../pdf/images/tiff-spool.ts';
import { MAX_PAGE_PIXELS } from './image-pages.ts';

export interface PageLook {
  format: ImageFileFormat;
  tones: Tones;
  /** As sent; the default resolution gives way where a page is too large for it. */
  dpi: number | undefined;
  annotations: boolean;
}

interface Tools {
  sharp: Engines['sharp'];
  newFile(extension: string): string;
}

export const DEFAULT_DPI = 150;
/** What is drawn and packed at once; a page above it is drawn in strips and packed from a file. */
const PIXELS_AT_ONCE = 24_000_000;
const STRIP_PIXELS = 4_000_000;
const PACKED_AT_ONCE = 2;

/** Operations 3b: "a tall image above 200 megapixels or the format's side limit (webp 16 383 px, others 65 535)". */
const MAX_TALL_PIXELS = 200_000_000;
const MAX_SIDE: Readonly<Record<ImageFileFormat, number>> = {
  png: 65_535,
  gif: 65_535,
  tiff: 65_535,
  bmp: 65_535,
  // What encoders of JPEG take.
  jpeg: 65_500,
  webp: 16_383,
};

/** One image for each page (from 0), in files of ours, in the order asked for. A page that is too large is told here. */
export function drawPages(
  view: PdfiumDocument,
  pages: readonly number[],
  look: PageLook,
  tools: Tools,
): PageWork {
  const limits = pages.map((page) => pixelLimit(view, page, look));
  return {
    count: pages.length,
    async *pages(from, end) {
      const packer = new Packer(look, tools);
      try {
        for (let at = from; at < end(); at += 1) {
          const page = pages[at] as number;
          const options = drawing(look, limits[at] ?? MAX_PAGE_PIXELS);
          const size = view.drawnSize(page, options);
          const area = size.width * size.height;
          if (area > PIXELS_AT_ONCE) {
            yield* packer.rest();
            const path = tools.newFile(look.format);
            await spooled(size, look, tools, path, (spool) => spoolPage(view, page, options, look, spool));
            yield { path };
          } else {
            const drawn = applyTones(view.render(page, options), look.tones);
            yield* packer.roomFor(area);
            packer.add(drawn, area);
          }
        }
        yield* packer.rest();
      } finally {
        await packer.end();
      }
    },
    [Symbol.dispose]: () => view.close(),
  };
}

/** Packs images while the next is drawn, and gives them in their order. */
class Packer {
  private readonly look: PageLook;
  private readonly tools: Tools;
  private readonly packing: { path: string; area: number; packed: Promise<void> }[] = [];
  private pixels = 0;

  constructor(look: PageLook, tools: Tools) {
    this.look = look;
    this.tools = tools;
  }

  add(drawn: Parameters<Tools['sharp']['encodeTo']>[1], area: number): void {
    const path = this.tools.newFile(this.look.format);
    const packed = this.tools.sharp.encodeTo(path, drawn, this.look.format, encoding(this.look));
    // Told by whoever waits for it.
    packed.catch(() => {});
    this.packing.push({ path, area, packed });
    this.pixels += area;
  }

  async *roomFor(area: number): AsyncGenerator<{ path: string }> {
    while (
      this.packing.length >= PACKED_AT_ONCE ||
      (this.packing.length > 0 && this.pixels + area > PIXELS_AT_ONCE)
    )
      yield await this.first();
  }

  async *rest(): AsyncGenerator<{ path: string }> {
    while (this.packing.length > 0) yield await this.first();
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.packing.map(({ packed }) => packed));
  }

  private async first(): Promise<{ path: string }> {
    const [{ path, area, packed }] = this.packing as [(typeof this.packing)[0]];
    await packed;
    this.packing.shift();
    this.pixels -= area;
    return { path };
  }
}

/** All pages below each other, left-aligned on white. */
export async function drawTall(
  view: PdfiumDocument,
  pages: readonly number[],
  look: PageLook,
  tools: Tools,
): Promise<string> {
  const options = pages.map((page) => drawing(look, pixelLimit(view, page, look)));
  const optionsOf = (at: number) => options[at] ?? drawing(look, MAX_PAGE_PIXELS);
  const sizes = pages.map((page, at) => view.drawnSize(page, optionsOf(at)));
  const size = {
    width: sizes.reduce((most, { width }) => Math.max(most, width), 1),
    height: sizes.reduce((sum, { height }) => sum + height, 0),
  };
  refuseLarge(size, look.format);
  const path = tools.newFile(look.format);
  await spooled(size, look, tools, path, (spool) => {
    for (const [at, page] of pages.entries()) spoolPage(view, page, optionsOf(at), look, spool);
  });
  return path;
}

function refuseLarge({ width, height }: Size, format: ImageFileFormat): void {
  const side = MAX_SIDE[format];
  if (width * height <= MAX_TALL_PIXELS && width <= side && height <= side) return;
  throw invalidParameter(
    `singleOrMultiple: one image of all pages would have ${width} x ${height} pixels; at most 200 megapixels and ` +
      `${side} a side are possible in ${format}. Choose multiple, fewer pages or a lower dpi.`,
  );
}

const drawing = ({ dpi = DEFAULT_DPI, annotations }: PageLook, maxPixels: number) => ({
  dpi,
  maxPixels,
  annotations,
});

const encoding = ({ dpi = DEFAULT_DPI, tones }: PageLook) => ({
  dpi,
  twoTone: tones === 'blackwhite',
  opaque: true,
});

/**
 * Operations 1.2: "A page may not exceed 100 megapixels at the dpi sent (400 naming the field); when the dpi is a
 * default, that page is rendered at a lower resolution instead." So with the longest side a format can have.
 */
function pixelLimit(view: PdfiumDocument, page: number, { dpi, format }: PageLook): number {
  const { width, height } = view.pixelSize(page, { dpi: dpi ?? DEFAULT_DPI });
  const side = MAX_SIDE[format];
  const longest = Math.max(width, height);
  if (dpi !== undefined && (width * height > MAX_PAGE_PIXELS || longest > side)) {
    const bound = longest > side ? `${side} pixels a side, the most ${format} can have` : '100 megapixels';
    throw invalidParameter(`dpi: page ${page + 1} would exceed ${bound} at ${dpi} dpi.`);
  }
  if (longest <= side) return MAX_PAGE_PIXELS;
  const shrink = (side - 1) / longest;
  return Math.min(MAX_PAGE_PIXELS, Math.max(1, Math.floor(width * height * shrink * shrink)));
}

async function spooled(
  size: Size,
  look: PageLook,
  { sharp, newFile }: Tools,
  path: string,
  fill: (spool: TiffSpool) => void,
): Promise<void> {
  const channels = look.tones === 'color' ? 3 : 1;
  const spool = new TiffSpool(newFile('tiff'), { ...size, channels });
  try {
    fill(spool);
  } finally {
    spool.close();
  }
  await sharp.encodeTo(path, { tiff: spool.path, channels }, look.format, {
    ...encoding(look),
    opaque: false,
  });
  rmSync(spool.path);
}

function spoolPage(
  view: PdfiumDocument,
  page: number,
  options: ReturnType<typeof drawing>,
  { tones }: PageLook,
  spool: TiffSpool,
): void {
  for (const { width, rgba } of view.renderStrips(page, options, STRIP_PIXELS)) {
    const pixels = rgba.length / 4;
    const rows = new Uint8Array(pixels * (tones === 'color' ? 3 : 1));
    if (tones === 'color') dropOpacity(rows, rgba);
    else toneInto(rows, rgba, tones);
    spool.add(rows, width);
  }
}

/** Four bytes a pixel become three. */
export function dropOpacity(target: Uint8Array, rgba: Uint8Array): void {
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    target[to] = rgba[from] as number;
    target[to + 1] = rgba[from + 1] as number;
    target[to + 2] = rgba[from + 2] as number;
  }
}
