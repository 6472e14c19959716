// What is drawn on a page, as an engine sees it: glyphs with their places and looks, lines, areas, images, links.
// Layout makes words and blocks of it and knows no engine; engines give it and know no layout.
//
// Places are in points from the top-left corner of the page as displayed, y downwards (operations 1.5).
import type { Raster } from './raster.ts';

export interface ItemBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How glyphs look that were drawn in one state. */
export interface GlyphLook {
  /** As the document names it, without a subset mark. */
  font: string;
  /** 100 to 900; 0 where unknown. */
  weight: number;
  italic: boolean;
  /** The font says of itself that all its glyphs are as wide. */
  fixedPitch: boolean;
  /** The font says of itself that its letters have serifs; many that have them do not. */
  serif: boolean;
  /** Such as #1a2b3c. */
  color: string;
  /** How the glyphs are painted: as areas, only by their outlines, both, or not at all (recognised text of a scan). */
  paint: 'fill' | 'stroke' | 'both' | 'none';
  /** The number of the marked content it stands in, by which tags know it; -1 where there is none. */
  markedContent: number;
}

/** One row of arrays per glyph, in the order of the page's content; spaces that were drawn are among them. */
export interface Glyphs {
  count: number;
  /** Unicode; a ligature taken apart is several glyphs at one place. */
  codes: Uint32Array;
  /** Where the glyph begins on its baseline: x, y. */
  origins: Float32Array;
  /** The ink: left, top, right, bottom. */
  ink: Float32Array;
  /** How far the writing goes on, in points along its direction; 0 where unknown. */
  advances: Float32Array;
  /** Height of the font as it stands on the page, in points. */
  sizes: Float32Array;
  /** Degrees clockwise that the writing is turned on the page as displayed, -180 to 180. */
  turns: Float32Array;
  /** Index into `looks`. */
  lookOf: Uint32Array;
  looks: GlyphLook[];
}

/** A straight line along one axis: stroked, or a thin filled area. */
export interface Rule {
  axis: 'horizontal' | 'vertical';
  /** y of a horizontal one, x of a vertical one: the middle of the line. */
  at: number;
  from: number;
  to: number;
  thickness: number;
  color: string;
}

/** An area of one colour, upright and rectangular. */
export interface Fill {
  box: ItemBox;
  color: string;
}

export interface DrawnImage {
  box: ItemBox;
  /** Of the image itself, in pixels. */
  pixelWidth: number;
  pixelHeight: number;
  /** Neither turned nor mirrored on the page as displayed. */
  upright: boolean;
  /**
   * Whether the document holds it as a JPEG file that needs nothing else to be shown. It may be drawn to know: asked
   * only by who wants the file, and before another page is read.
   */
  isJpeg(): boolean;
  /** By which the engine finds it again on this page. */
  id: number;
  markedContent: number;
}

export interface PageLink {
  box: ItemBox;
  /** Pages count from 1. */
  target: { url: string } | { page: number };
}

export interface DrawnPage {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  glyphs: Glyphs;
  rules: Rule[];
  fills: Fill[];
  /** Curves and slanted lines, each as the box around it: what charts and drawings are made of. */
  curves: ItemBox[];
  images: DrawnImage[];
  links: PageLink[];
  /** There was more than can be told: a map, a technical drawing. */
  truncated: boolean;
}

/** An entry of the structure tree that reaches this page, where the document is tagged. */
export interface TagNode {
  /** Such as P, H1, L, LI, Table, Figure: the standard name where the document maps its own. */
  role: string;
  /** The marked content on this page that hangs directly on it, in order. */
  contents: number[];
  children: TagNode[];
  alternative: string | undefined;
}

export interface OutlineItem {
  title: string;
  /** From 1. */
  page: number | undefined;
  children: OutlineItem[];
}

/** What a part of a page is drawn without. */
export interface OmittedItems {
  text: boolean;
  /** By their `id`. */
  images: readonly number[];
}

/** What layout asks of an engine about one open document. Pages count from 0. */
export interface DrawnDocument {
  readonly pageCount: number;
  /**
   * What is drawn on a page, or its text alone, which is quicker but whose glyphs hold only until the next page is
   * read so; a page that cannot be read is empty.
   */
  readPage(page: number, what?: 'all' | 'text'): DrawnPage;
  /** The tags of a page; empty where it has none. */
  tags(page: number): TagNode[];
  outline(): OutlineItem[];
  /** Such as Title, Author; undefined where the document has none. */
  information(key: 'Title' | 'Author' | 'Subject' | 'Keywords' | 'Creator' | 'Producer'): string | undefined;
  language(): string | undefined;
  /** The JPEG file of an image that needs nothing else to be shown; undefined for any other. */
  jpeg(page: number, image: number): Uint8Array | undefined;
  /** A part of the page as it is seen, on white: four bytes a pixel, rows from the top. */
  renderArea(page: number, box: ItemBox, scale: number, omitted?: OmittedItems): Raster;
}
