// Blocks as paragraphs and tables of WordprocessingML.
import { isDisplayed } from '../../layout/formulas/formula.ts';
import type { Code, Figure, Flow, Line, List, Page, Paragraph, Run, Table } from '../../layout/model.ts';
import { type Border, borderXml } from './borders.ts';
import { isCaption } from './captions.ts';
import type { Beside, Column, Item } from './column-bands.ts';
import { dropCapParagraph, splitInitial } from './drop-caps.ts';
import type { PagePlan } from './fit-pages.ts';
import { formulaParagraphXml, formulaXml } from './formulas.ts';
import { groundOf, shadingXml } from './grounds.ts';
import { figureSize, pitchOf, sizeOf, type Tightness } from './heights.ts';
import type { ImageXml } from './images.ts';
import type { Place } from './indents.ts';
import type { Numbering } from './numbering.ts';
import { type RunContext, runsXml, twips } from './runs.ts';
import { type TabStop, typesetFlow } from './set-lines.ts';
import type { Styles } from './styles.ts';
import { besideXml, type CellWriter, tableXml } from './tables.ts';

/** A paragraph or a table; what comes last may still get the end of a section. */
export interface Piece {
  /** Undefined for a table. */
  properties?: string;
  content: string;
}

export const pieceXml = ({ properties, content }: Piece, section = ''): string =>
  properties === undefined
    ? content
    : `<w:p>${properties === '' && section === '' ? '' : `<w:pPr>${properties}${section}</w:pPr>`}${content}</w:p>`;

export interface BlockContext extends RunContext {
  styles: Styles;
  numbering: Numbering;
  imageXml: ImageXml;
}

/** How a paragraph is to be written. */
interface Setting {
  place: Place;
  tight: Tightness;
  breakBefore?: boolean;
  onColour?: boolean;
  shade?: string;
  border?: Border | undefined;
  style?: string;
  numbering?: { id: number; level: number };
}

const MOST_SPACE = 1580;
const NO_INDENTS = { before: 0, left: 0, right: 0, firstLine: 0 };

/** In a cell, or under an image. */
export const placeIn = (columnWidth: number, align: Flow['align'], before = 0): Place => ({
  ...NO_INDENTS,
  before,
  columnWidth,
  columnLeft: 0,
  align,
});

/** A paragraph that takes no room. */
export const tinyParagraph = (content = '', breakBefore = false): Piece => ({
  properties: emptyLine(1, breakBefore),
  content,
});

const emptyLine = (height: number, breakBefore: boolean): string =>
  `${breakBefore ? '<w:pageBreakBefore/>' : ''}` +
  `<w:spacing w:before="0" w:after="0" w:line="${Math.max(20, twips(Math.min(height, MOST_SPACE)))}" w:lineRule="exact"/>`;

export class BlockWriter {
  private readonly context: BlockContext;

  constructor(context: BlockContext) {
    this.context = context;
  }

  /** The blocks of a column; `lead` goes into the first paragraph, `breakBefore` where the page begins with it. */
  column(column: Column, plan: PagePlan, start: { breakBefore: boolean; lead: string }): Piece[] {
    const pieces: Piece[] = [];
    let { breakBefore, lead } = start;
    const space = plan.leads.get(column) ?? 0;
    if (space > 1) {
      pieces.push({ properties: emptyLine(space, breakBefore), content: lead });
      breakBefore = false;
      lead = '';
    }
    for (const block of column.items) {
      const [first, ...rest] = this.block(block, plan, breakBefore, 0);
      if (lead !== '' && first && first.properties === undefined) {
        // A table cannot begin a page by itself, nor carry a bookmark.
        pieces.push(tinyParagraph(lead, breakBefore), first, ...rest);
      } else if (first) pieces.push({ ...first, content: `${lead}${first.content}` }, ...rest);
      else continue;
      breakBefore = false;
      lead = '';
    }
    return lead === '' ? pieces : [tinyParagraph(lead, breakBefore), ...pieces];
  }

  private block(block: Item, plan: PagePlan, breakBefore: boolean, depth: number): Piece[] {
    const { tight } = plan;
    if (block.kind === 'list') return this.list(block, plan, breakBefore, depth);
    const place = plan.places.get(block) ?? placeIn(100, 'left');
    const ground = {
      ...groundOf(plan.page, 'lines' in block ? block.lines : []),
      border: plan.borders?.get(block),
    };
    switch (block.kind) {
      case 'beside':
        return this.beside(block, plan, place.before, breakBefore);
      case 'paragraph': {
        const setting = { place, tight, breakBefore, ...ground, ...captionStyle(block) };
        return this.withDropCap(block, setting) ?? [this.flow(block, setting)];
      }
      case 'heading':
        return [this.flow(block, { place, tight, breakBefore, ...ground, style: `Heading${block.level}` })];
      case 'code':
        return [this.code(block, { place, tight, breakBefore, ...ground })];
      case 'table':
        return this.table(block, plan.page, { place, tight, breakBefore });
      case 'figure':
        return this.figure(block, { place, tight, breakBefore });
    }
  }

  private beside({ columns }: Beside, plan: PagePlan, before: number, breakBefore: boolean): Piece[] {
    const contents = columns.map((column) => {
      const pieces = this.column(column, plan, { breakBefore: false, lead: '' });
      // A cell ends with a paragraph.
      return [...pieces, ...(pieces.at(-1)?.properties === undefined ? [tinyParagraph()] : [])]
        .map((piece) => pieceXml(piece))
        .join('');
    });
    const above = before > 1 || breakBefore ? [spacer(before, breakBefore)] : [];
    return [...above, { content: besideXml(columns, contents) }, tinyParagraph()];
  }

  flow(flow: Flow, setting: Setting): Piece {
    const { context } = this;
    if (isDisplayed(flow)) return this.formula(flow, setting);
    const base = context.styles.base(setting.style);
    const { narrowed = 1 } = setting.place;
    const options = {
      rtl: flow.direction === 'rtl',
      scale: setting.tight.size,
      narrowed,
      onColour: setting.onColour,
    };
    const { left, right, columnWidth } = setting.place;
    const set = typesetFlow(flow, columnWidth - left - right, context.letters);
    return {
      properties: paragraphXml(flow, setting, set.tabs),
      content: runsXml(set.runs, base, context, options),
    };
  }

  /** The letter in a frame before the rest of its paragraph. */
  private withDropCap(block: Paragraph, setting: Setting): Piece[] | undefined {
    const split = block.dropCap && splitInitial(block.runs);
    if (!block.dropCap || !split) return undefined;
    const { place, tight, breakBefore = false } = setting;
    const height = { pitch: pitchOf(block.lines) * tight.pitch * tight.size, size: sizeOf(block.lines) };
    return [
      // A frame takes no space above along with it.
      ...(place.before > 1 || breakBefore ? [spacer(place.before, breakBefore)] : []),
      dropCapParagraph(split.initial, block.dropCap, height, this.context),
      this.flow(
        { ...block, runs: split.rest },
        { ...setting, place: { ...place, before: 0 }, breakBefore: false },
      ),
    ];
  }

  /** In the middle of its column; its number at the right edge. */
  private formula({ runs }: Flow, { place, tight, breakBefore = false }: Setting): Piece {
    const { context } = this;
    const [run] = runs;
    const formula = run?.formula;
    if (!run || !formula) return { properties: '', content: '' };
    const { before, columnWidth } = place;
    const spacing = `<w:spacing w:before="${twips(Math.min(before, MOST_SPACE))}" w:after="0" w:line="240" w:lineRule="auto"/>`;
    const head = breakBefore ? '<w:pageBreakBefore/>' : '';
    if (!formula.number)
      return { properties: `${head}${spacing}<w:jc w:val="center"/>`, content: formulaParagraphXml(formula) };
    const tab = { text: '\t', style: run.style };
    const number = { text: `\t${formula.number}`, style: run.style };
    const base = context.styles.base(undefined);
    const write = (written: Run): string => runsXml([written], base, context, { scale: tight.size });
    return {
      properties:
        `${head}<w:tabs><w:tab w:val="center" w:pos="${twips(columnWidth / 2)}"/>` +
        `<w:tab w:val="right" w:pos="${twips(columnWidth)}"/></w:tabs>${spacing}`,
      content: write(tab) + formulaXml(formula) + write(number),
    };
  }

  private code({ lines, text }: Code, setting: Setting): Piece {
    const base = this.context.styles.base('Code');
    const scale = setting.tight.size;
    const { onColour } = setting;
    const rows = indented(lines, text).map((runs) => runsXml(runs, base, this.context, { scale, onColour }));
    const flow: Pick<Flow, 'lines' | 'direction'> = { lines, direction: 'ltr' };
    return {
      properties: paragraphXml(flow, { ...setting, style: 'Code' }),
      content: rows.join('<w:r><w:br/></w:r>'),
    };
  }

  private list(list: List, plan: PagePlan, breakBefore: boolean, depth: number): Piece[] {
    const { context } = this;
    const { tight } = plan;
    const numbering = context.numbering.add(list, depth);
    let breaks = breakBefore;
    return list.items.flatMap(({ marker, blocks }) =>
      blocks.flatMap((block, at): Piece[] => {
        const isFirst = breaks;
        breaks = false;
        const place = plan.places.get(block);
        if (block.kind !== 'paragraph' || !place || at > 0)
          return this.block(block, plan, isFirst, depth + 1);
        const setting = { place, tight, breakBefore: isFirst, ...groundOf(plan.page, block.lines) };
        const style = list.ordered ? 'ListNumber' : 'ListBullet';
        if (numbering) return [this.flow(block, { ...setting, style, numbering })];
        const piece = this.flow(block, { ...setting, style: 'ListParagraph' });
        const [first] = block.runs;
        const mark: Run[] = first && marker !== '' ? [{ text: `${marker}\t`, style: first.style }] : [];
        const base = context.styles.base('ListParagraph');
        return [
          { ...piece, content: `${runsXml(mark, base, context, { scale: tight.size })}${piece.content}` },
        ];
      }),
    );
  }

  private table(table: Table, page: Page, { place, tight, breakBefore = false }: Setting): Piece[] {
    const pieces: Piece[] = [];
    const { before, left } = place;
    if (before > 1 || breakBefore) pieces.push(spacer(before, breakBefore));
    const writer: CellWriter = {
      tight,
      letters: this.context.letters,
      paragraph: ({ flow, place: inCell }, isFilled) =>
        pieceXml(
          this.flow(flow, {
            place: inCell,
            tight,
            ...(isFilled ? { onColour: true } : groundOf(page, flow.lines)),
          }),
        ),
    };
    pieces.push({ content: tableXml(table, left, writer) });
    // Two tables in a row would become one.
    pieces.push(tinyParagraph());
    return pieces;
  }

  private figure(figure: Figure, { place, tight, breakBefore }: Setting): Piece[] {
    const { columnWidth: width, before } = place;
    const size = figureSize(figure, width, tight);
    const isMiddle = Math.abs(place.left - (width - size.width) / 2) < width * 0.04 && place.left > 8;
    const left = isMiddle ? 0 : Math.min(place.left, Math.max(0, width - size.width));
    const properties =
      `${breakBefore ? '<w:pageBreakBefore/>' : ''}` +
      `<w:spacing w:before="${twips(Math.min(before, MOST_SPACE))}" w:after="0" w:line="240" w:lineRule="auto"/>` +
      `${left > 1 ? `<w:ind w:left="${twips(left)}"/>` : ''}${isMiddle ? '<w:jc w:val="center"/>' : ''}` +
      // Letters of the usual size would make the line higher than the image.
      '<w:rPr><w:sz w:val="2"/></w:rPr>';
    return [{ properties, content: this.context.imageXml.inline(figure, size) }];
  }
}

const captionStyle = (block: object): { style?: string } => (isCaption(block) ? { style: 'Caption' } : {});

/** Lines of code with the spaces they begin with. */
function indented(lines: readonly Line[], text: string): Run[][] {
  const written = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map(({ runs }, i) => {
    const spaces = /^ */.exec(written[i] ?? '')?.[0] ?? '';
    const [first, ...rest] = runs;
    return first && spaces !== '' ? [{ ...first, text: spaces + first.text }, ...rest] : runs;
  });
}

const spacer = (height: number, breakBefore: boolean): Piece => ({
  properties:
    `${breakBefore ? '<w:pageBreakBefore/>' : ''}` +
    `<w:spacing w:before="${Math.max(0, twips(Math.min(height, MOST_SPACE) - 1))}" w:after="0" w:line="20" w:lineRule="exact"/>`,
  content: '',
});

/** The order of the elements is that of the schema. */
export function paragraphXml(
  { direction, lines }: Pick<Flow, 'direction' | 'lines'>,
  { place, tight, breakBefore, style, numbering, shade, border }: Setting,
  tabs: readonly TabStop[] = [],
): string {
  const { before, left, right, firstLine, align } = place;
  const pitch = Math.max(20, twips(pitchOf(lines) * tight.pitch * tight.size));
  const hanging = firstLine < 0 ? ` w:hanging="${twips(-firstLine)}"` : '';
  // Lists of their own accord have a first line that hangs out.
  const first = firstLine > 0 || (numbering && firstLine === 0) ? ` w:firstLine="${twips(firstLine)}"` : '';
  const isIndented =
    left > 1 || Math.abs(right) > 1 || hanging !== '' || first !== '' || style?.startsWith('List');
  const rtl = direction === 'rtl';
  return [
    style ? `<w:pStyle w:val="${style}"/>` : '',
    breakBefore ? '<w:pageBreakBefore/>' : '',
    numbering
      ? `<w:numPr><w:ilvl w:val="${numbering.level}"/><w:numId w:val="${numbering.id}"/></w:numPr>`
      : '',
    borderXml(border),
    shadingXml(shade),
    tabsXml(tabs, place),
    rtl ? '<w:bidi/>' : '',
    `<w:spacing w:before="${twips(Math.min(before, MOST_SPACE))}" w:after="0" w:line="${pitch}" w:lineRule="${hasFormula(lines) ? 'atLeast' : 'exact'}"/>`,
    isIndented
      ? `<w:ind w:left="${twips(rtl ? right : left)}" w:right="${twips(rtl ? left : right)}"${hanging}${first}/>`
      : '',
    alignment(align, rtl),
  ].join('');
}

/** Lines with formulas may have to be higher than they were. */
const hasFormula = (lines: readonly Line[]): boolean =>
  lines.some(({ runs }) => runs.some(({ formula }) => formula));

function tabsXml(tabs: readonly TabStop[], { columnLeft, columnWidth, markerTab }: Place): string {
  const marker: TabStop[] =
    markerTab === undefined ? [] : [{ x: columnLeft + markerTab, align: 'left', leader: false }];
  const all = [...marker, ...tabs].toSorted((a, b) => a.x - b.x);
  if (all.length === 0) return '';
  const stops = all.map(({ x, align, leader }) => {
    const position = twips(Math.max(1, Math.min(x - columnLeft, columnWidth)));
    return `<w:tab w:val="${align}"${leader ? ' w:leader="dot"' : ''} w:pos="${position}"/>`;
  });
  return `<w:tabs>${stops.join('')}</w:tabs>`;
}

/** In a paragraph from right to left, left means its beginning: the right. */
function alignment(align: Flow['align'], rtl: boolean): string {
  if (align === 'justify') return '<w:jc w:val="both"/>';
  if (align === 'center') return '<w:jc w:val="center"/>';
  return (align === 'right') === rtl ? '' : '<w:jc w:val="right"/>';
}
