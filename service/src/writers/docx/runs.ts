// Runs of text in WordprocessingML.
import type { Run, TextStyle } from '../../layout/model.ts';
import type { Family } from '../font-families.ts';
import type { Letters } from '../letters.ts';
import { escapeMarkup } from '../markup.ts';
import { hexColour, type Relations, safeUrl } from '../ooxml.ts';
import { formulaXml } from './formulas.ts';

/** What a paragraph's own style says already. */
export type BaseStyle = Pick<
  TextStyle,
  'font' | 'size' | 'bold' | 'italic' | 'monospace' | 'serif' | 'color'
>;

export interface RunContext {
  relations: Relations;
  families: Map<string, Family>;
  letters: Letters;
  /** Pages that have a bookmark. */
  pages: ReadonlySet<number>;
  /** The number a note has among the footnotes; undefined where notes are not wanted. */
  noteId(note: number): number | undefined;
}

/** Half points; Word knows none below 1 and none above 1638 points. */
export const halfPoints = (size: number): number => Math.min(3276, Math.max(2, Math.round(size * 2)));
export const twips = (points: number): number => Math.round(points * 20);

interface RunOptions {
  rtl?: boolean;
  /** What the size of letters is multiplied by. */
  scale?: number;
  /** What their width is multiplied by beside that. */
  narrowed?: number;
  /** It stands on an image or a filled cell: anywhere else white letters could not be seen. */
  onColour?: boolean;
}

/** White letters stood on a colour that is not part of the text. */
export const inkOf = (color: string): string =>
  /^#[ef][0-9a-f][ef][0-9a-f][ef][0-9a-f]$/i.test(color) ? '#000000' : color;

export function runsXml(
  runs: readonly Run[],
  base: BaseStyle,
  context: RunContext,
  options: RunOptions = {},
): string {
  return runs.map((run) => runXml(run, base, context, options)).join('');
}

function runXml(
  run: Run,
  base: BaseStyle,
  context: RunContext,
  { rtl = false, scale = 1, narrowed = 1, onColour = false }: RunOptions,
): string {
  const properties = propertiesXml(letterStyle(run), base, context, {
    rtl,
    scale,
    narrowed,
    onColour,
    link: run.link !== undefined,
  });
  // A letter alone is written as one.
  if (run.formula && run.formula.node.kind !== 'sign') {
    const trail = /\s+$/.exec(run.text)?.[0] ?? '';
    return formulaXml(run.formula) + (trail === '' ? '' : `<w:r>${properties}${textXml(trail)}</w:r>`);
  }
  const note = run.note === undefined ? undefined : context.noteId(run.note);
  const text = textXml(run.text);
  if (note !== undefined) return callXml(run.text, note, properties);
  if (text === '') return '';
  const written = `<w:r>${properties}${text}</w:r>`;
  if (!run.link) return written;
  if ('page' in run.link) {
    if (!context.pages.has(run.link.page)) return written;
    return `<w:hyperlink w:anchor="${pageBookmark(run.link.page)}">${written}</w:hyperlink>`;
  }
  const url = safeUrl(run.link.url);
  if (url === undefined) return written;
  return `<w:hyperlink r:id="${context.relations.to('hyperlink', url, { external: true })}">${written}</w:hyperlink>`;
}

const letterStyle = ({ style, formula }: Run): TextStyle =>
  formula?.node.kind === 'sign' && formula.node.face === 'italic' ? { ...style, italic: true } : style;

/** Blanks beside the mark are no part of it: with them LibreOffice prints it twice. */
function callXml(text: string, note: number, properties: string): string {
  const blanks = (part: string): string => (part === '' ? '' : `<w:r>${properties}${textXml(part)}</w:r>`);
  const mark = text.trim();
  return (
    blanks(text.slice(0, text.length - text.trimStart().length)) +
    `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>` +
    `<w:footnoteReference${mark === '' ? '' : ' w:customMarkFollows="1"'} w:id="${note}"/>${textXml(mark)}</w:r>` +
    blanks(text.slice(text.trimEnd().length))
  );
}

export const pageBookmark = (page: number): string => `page_${page}`;

/** Tabs and line ends are elements of their own. */
export function textXml(text: string): string {
  return text
    .split(/(\t|\n)/)
    .map((part) => {
      if (part === '\t') return '<w:tab/>';
      if (part === '\n') return '<w:br/>';
      const written = escapeMarkup(part);
      return written === '' ? '' : `<w:t xml:space="preserve">${written}</w:t>`;
    })
    .join('');
}

/** The order of the elements is that of the schema. */
export function propertiesXml(
  style: TextStyle,
  base: BaseStyle,
  { families, letters }: Pick<RunContext, 'families' | 'letters'>,
  { rtl = false, scale = 1, narrowed = 1, onColour = false, link }: RunOptions & { link: boolean },
): string {
  const family = letters.familyOf(style);
  families.set(family.name, family);
  const baseFamily = letters.familyOf(base);
  const color = onColour ? style.color : inkOf(style.color);
  const size = halfPoints(style.size * scale * (style.position ? 1.4 : 1));
  const width = widthOf(style, letters, scale, narrowed);
  const parts = [
    family.name === baseFamily.name ? '' : fontsXml(family.name, style.font),
    style.bold === base.bold ? '' : toggle('b', style.bold) + toggle('bCs', style.bold),
    style.italic === base.italic ? '' : toggle('i', style.italic) + toggle('iCs', style.italic),
    style.strike ? '<w:strike/>' : '',
    color === inkOf(base.color) ? '' : `<w:color w:val="${hexColour(color)}"/>`,
    width === widthOf(base, letters) ? '' : `<w:w w:val="${width}"/>`,
    size === halfPoints(base.size) ? '' : `<w:sz w:val="${size}"/><w:szCs w:val="${size}"/>`,
    style.underline || link ? '<w:u w:val="single"/>' : '',
    style.position ? `<w:vertAlign w:val="${style.position}"/>` : '',
    rtl ? '<w:rtl/>' : '',
  ].join('');
  return parts === '' ? '' : `<w:rPr>${parts}</w:rPr>`;
}

/** How wide letters are drawn, in percent. Smaller ones are of the next half point. */
export function widthOf(style: BaseStyle, letters: Letters, scale = 1, narrowed = 1): number {
  const rounded = halfPoints(style.size * scale) / (halfPoints(style.size) * scale);
  const width = (letters.scaleOf(style) * narrowed * 100) / rounded;
  return Math.max(1, Math.min(600, narrowed < 1 ? Math.floor(width + 0.001) : Math.round(width)));
}

/** Characters of East Asia keep the font the document names: whoever has none finds one by itself. */
export function fontsXml(name: string, own: string): string {
  const written = escapeMarkup(name);
  const eastern = escapeMarkup(cleaned(own) || name);
  return `<w:rFonts w:ascii="${written}" w:hAnsi="${written}" w:eastAsia="${eastern}" w:cs="${written}"/>`;
}

/** Office programs take names of at most 31 characters. */
const cleaned = (font: string): string =>
  font
    .replace(/[^\p{L}\p{N} ._-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 31);

const toggle = (name: string, on: boolean): string => (on ? `<w:${name}/>` : `<w:${name} w:val="0"/>`);

export const baseOf = (style: TextStyle): BaseStyle => ({
  font: style.font,
  size: style.size,
  bold: style.bold,
  italic: style.italic,
  monospace: style.monospace,
  ...(style.serif ? { serif: style.serif } : {}),
  color: style.color,
});
