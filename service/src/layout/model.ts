// What a reader sees in a document: paragraphs, headings, lists, tables and figures, in reading order. One model,
// read once from the pages, and turned into each format by a writer of its own. Plain data only.
import type { ItemBox, OutlineItem, Rule } from '../contract/page-items.ts';
import type { Formula } from './formulas/formula.ts';

/** In points from the top-left corner of the page as displayed, y downwards (operations 1.5). */
export type Box = ItemBox;

export interface TextStyle {
  /** The family as the document names it, without subset tag and style words: "Times New Roman". */
  font: string;
  /** In points, as seen on the page. */
  size: number;
  bold: boolean;
  italic: boolean;
  monospace: boolean;
  /** The font says that its letters have serifs; others may have them too. */
  serif?: true;
  /** Such as #1a2b3c. */
  color: string;
  underline?: true;
  strike?: true;
  position?: 'superscript' | 'subscript';
}

/** Where a link leads: away, or to a place in this document. */
export type LinkTarget = { url: string } | { page: number };

/** A piece of text in one style. */
export interface Run {
  text: string;
  style: TextStyle;
  link?: LinkTarget;
  /** The note (by its number in `LaidOutDocument.notes`, from 0) that this mark calls. */
  note?: number;
  /** What the text is, where it is a formula and its layout is known. */
  formula?: Formula;
}

/** What stood on one line of the page; its text has no line end and hyphens are as printed. */
export interface Line {
  runs: Run[];
  box: Box;
  /** Degrees clockwise that the writing is turned on the page as displayed: 0 for nearly all. */
  turn: number;
  direction: 'ltr' | 'rtl';
  /** Where its text goes on behind a wide gap: at which character, and at which x on the page. */
  stops?: readonly { at: number; x: number }[];
}

/** The text of a block as it flows: line ends joined, words hyphenated at a line end whole again. */
export interface Flow {
  runs: Run[];
  /** The same text as it stood on the page. */
  lines: Line[];
  align: 'left' | 'right' | 'center' | 'justify';
  direction: 'ltr' | 'rtl';
}

interface Placed {
  box: Box;
  /** The page it begins on, from 1. */
  page: number;
}

export interface Paragraph extends Placed, Flow {
  kind: 'paragraph';
  /** How far the first line stands in from the rest; negative when it hangs out. */
  firstLineIndent: number;
  /** How far it stands in from its column's edge. */
  indent: number;
  /** Free space above, in points. */
  spaceBefore: number;
  /** Where its first letter is as high as several lines, which stand beside it. */
  dropCap?: DropCap;
}

export interface DropCap {
  /** How many lines it is high. */
  lines: number;
  /** How it was drawn; the text has it as it has its word. */
  style: TextStyle;
  /** How wide it is with the free space behind it. */
  room: number;
}

export interface Heading extends Placed, Flow {
  kind: 'heading';
  /** 1 is the highest. */
  level: 1 | 2 | 3 | 4 | 5 | 6;
}

/** Lines in a monospaced font, kept as they stand. */
export interface Code extends Placed {
  kind: 'code';
  lines: Line[];
  text: string;
}

export interface List extends Placed {
  kind: 'list';
  ordered: boolean;
  /** The number of the first item, where it is ordered. */
  start: number;
  items: ListItem[];
}

export interface ListItem {
  /** As printed: "•", "3.", "(a)". */
  marker: string;
  /** x of the marker on the page, where it is known. */
  markerLeft?: number;
  /** Paragraphs, and lists within the item. */
  blocks: Block[];
}

export interface Table extends Placed {
  kind: 'table';
  /** From left to right, in points: columns + 1 edges. */
  columnEdges: number[];
  /** Cells that are spanned over are not listed. */
  rows: TableRow[];
  /** How many rows at the top are heads. */
  headerRows: number;
  ruled: boolean;
  caption?: Flow;
}

export interface TableRow {
  cells: TableCell[];
  height: number;
}

export interface TableCell {
  /** From 0. */
  column: number;
  columnSpan: number;
  rowSpan: number;
  /** Empty for an empty cell. */
  blocks: (Paragraph | List)[];
  align: 'left' | 'right' | 'center';
  /** Such as #eeeeee. */
  fill?: string;
  /** Which sides are drawn. */
  borders: { top: boolean; right: boolean; bottom: boolean; left: boolean };
}

export interface Figure extends Placed {
  kind: 'figure';
  /** The image as a file, ready to be put into another document. */
  image: Image;
  caption?: Flow;
  /** Words for those who cannot see it: the document's own, else those written on it. */
  alternative?: string;
  /** What is written on a figure, row by row. */
  labels?: readonly string[];
}

export interface Image {
  format: 'png' | 'jpeg';
  width: number;
  height: number;
  /** Read only when a writer asks for it: images of a long document do not fit in memory together. */
  bytes(): Promise<Uint8Array>;
}

export type Block = Paragraph | Heading | Code | List | Table | Figure;

/** What repeats at the edges of pages: running titles and page numbers. */
export interface HeadersAndFooters {
  header: Line[];
  footer: Line[];
}

/** What is drawn behind the text, in the order of drawing; images cover what is under them. */
export interface PageBackground {
  images: Figure[];
  areas: { box: Box; color: string }[];
  lines: Rule[];
}

export interface Page {
  /** From 1. */
  number: number;
  /** As displayed, in points. */
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  /** The box around all content but headers and footers. */
  body: Box;
  /** How many columns of text most of the page has. */
  columns: number;
  /** In reading order. A table or paragraph that goes on over pages belongs to the page it begins on. */
  blocks: Block[];
  headersAndFooters: HeadersAndFooters;
  /** Where it was asked for. */
  background?: PageBackground;
}

export interface LaidOutDocument {
  title: string | undefined;
  author: string | undefined;
  /** Such as "en-GB", where the document tells. */
  language: string | undefined;
  pages: Page[];
  outline: OutlineItem[];
  /** Footnotes and endnotes, out of the flow. */
  notes: Flow[];
}
