// Blocks as paragraphs and tables of WordprocessingML.
import type { Block, Figure, Flow, Heading, Line, List, Paragraph, Run, Table } from '../layout/model.ts';
import type { Drawings } from './docx-figures.ts';
import { type Group, indentOf, isCentred, isPlaced, type PagePlan, rightIndent } from './docx-fit.ts';
import { figureSize, gapAbove, lengthOf, pitchOf, type Tightness } from './docx-heights.ts';
import type { Numbering } from './docx-numbering.ts';
import { type RunContext, runsXml, twips } from './docx-runs.ts';
import type { Styles } from './docx-styles.ts';
import { tableXml } from './docx-tables.ts';

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
  drawings: Drawings;
}

/** Where a paragraph stands. */
interface Placing {
  before: number;
  left: number;
  right: number;
  firstLine: number;
  breakBefore: boolean;
  tight: Tightness;
  style?: string;
  numbering?: { id: number; level: number };
}

const NO_PLACE: Omit<Placing, 'tight'> = { before: 0, left: 0, right: 0, firstLine: 0, breakBefore: false };
const MOST_SPACE = 1580;

/** A paragraph that takes no room. */
export const tinyParagraph = (content = '', breakBefore = false): Piece => ({
  properties: `${breakBefore ? '<w:pageBreakBefore/>' : ''}<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>`,
  content,
});

export class BlockWriter {
  private readonly context: BlockContext;

  constructor(context: BlockContext) {
    this.context = context;
  }

  /** The blocks of a group; `breakBefore` where the page begins with it. */
  group(
    group: Group,
    plan: PagePlan,
    start: { breakBefore: boolean; lead: number; bookmark: string },
  ): Piece[] {
    const { page, tight } = plan;
    const pieces: Piece[] = [];
    let { breakBefore, bookmark } = start;
    let before: Block | undefined;
    let lead = start.lead;
    for (const block of group.blocks) {
      if (isPlaced(block, page)) {
        const drawing = `${bookmark}${this.context.drawings.placed(block, page)}`;
        pieces.push(tinyParagraph(drawing, breakBefore));
        if (block.caption) pieces.push(this.flow(block.caption, { ...NO_PLACE, tight, style: 'Caption' }));
      } else {
        const space = before ? gapAbove(block, before) * tight.space : lead;
        const place: Placing = {
          ...NO_PLACE,
          before: space,
          left: indentOf(group, block.box),
          right: tight.narrow ? rightIndent(group, block) : 0,
          breakBefore,
          tight,
        };
        const made = this.block(
          settled(block, group),
          settledPlace(place, block, group),
          group.columnWidth,
          0,
        );
        const [first, ...rest] = made;
        if (bookmark !== '' && first && first.properties === undefined) {
          // A table cannot begin a page by itself, nor carry a bookmark.
          pieces.push(tinyParagraph(bookmark, breakBefore), ...made);
        } else if (first) pieces.push({ ...first, content: `${bookmark}${first.content}` }, ...rest);
        before = block;
        lead = 0;
      }
      breakBefore = false;
      bookmark = '';
    }
    return pieces;
  }

  private block(block: Block, place: Placing, width: number, depth: number): Piece[] {
    switch (block.kind) {
      case 'paragraph':
        return [this.flow(block, { ...place, firstLine: firstLineOf(block, place) })];
      case 'heading':
        return [this.flow(block, { ...place, style: `Heading${block.level}` })];
      case 'code':
        return [this.code(block.lines, place)];
      case 'list':
        return this.list(block, place, width, depth);
      case 'table':
        return this.table(block, place);
      case 'figure':
        return this.figure(block, place, width);
    }
  }

  flow(flow: Flow, place: Placing): Piece {
    const { context } = this;
    const base = context.styles.base(place.style);
    const options = { rtl: flow.direction === 'rtl', scale: place.tight.size };
    return {
      properties: paragraphXml(flow, place),
      content: runsXml(upright(flow.runs), base, context, options),
    };
  }

  private code(lines: readonly Line[], place: Placing): Piece {
    const base = this.context.styles.base('Code');
    const scale = place.tight.size;
    const rows = lines.map(({ runs }) => runsXml(runs, base, this.context, { scale }));
    const flow: Pick<Flow, 'lines' | 'align' | 'direction'> = {
      lines: [...lines],
      align: 'left',
      direction: 'ltr',
    };
    return {
      properties: paragraphXml(flow, { ...place, style: 'Code' }),
      content: rows.join('<w:r><w:br/></w:r>'),
    };
  }

  private list(list: List, place: Placing, width: number, depth: number): Piece[] {
    const { context } = this;
    const numbering = context.numbering.add(list, depth);
    const indent = place.left + 18;
    let before: Block | undefined;
    return list.items.flatMap(({ marker, blocks }) =>
      blocks.flatMap((block, at): Piece[] => {
        const gap = before ? { before: gapAbove(block, before) * place.tight.space, breakBefore: false } : {};
        const inner = { ...place, left: indent, right: 0, ...gap };
        before = block;
        if (block.kind !== 'paragraph') return this.block(block, inner, width - 18, depth + 1);
        if (at > 0) return [this.flow(block, inner)];
        const style = list.ordered ? 'ListNumber' : 'ListBullet';
        if (numbering) return [this.flow(block, { ...inner, firstLine: -18, style, numbering })];
        const piece = this.flow(block, { ...inner, firstLine: -18, style: 'ListParagraph' });
        const [first] = block.runs;
        const mark: Run[] = first && marker !== '' ? [{ text: `${marker}\t`, style: first.style }] : [];
        const base = context.styles.base('ListParagraph');
        const scale = place.tight.size;
        return [{ ...piece, content: `${runsXml(mark, base, context, { scale })}${piece.content}` }];
      }),
    );
  }

  private table(table: Table, place: Placing): Piece[] {
    const pieces: Piece[] = [];
    const { tight } = place;
    if (table.caption) {
      const flow = this.flow(table.caption, { ...NO_PLACE, tight, before: place.before, style: 'Caption' });
      pieces.push(flow);
    } else if (place.before > 1 || place.breakBefore) {
      pieces.push(spacer(place.before, place.breakBefore));
    }
    const cell = (flow: Flow, style?: string): string =>
      pieceXml(this.flow(flow, { ...NO_PLACE, tight, ...(style ? { style } : {}) }));
    pieces.push({ content: tableXml(table, place.left, tight, cell) });
    // Two tables in a row would become one.
    pieces.push(tinyParagraph());
    return pieces;
  }

  private figure(figure: Figure, place: Placing, width: number): Piece[] {
    const size = figureSize(figure, width, place.tight);
    const isMiddle = Math.abs(place.left - (width - size.width) / 2) < width * 0.08 && place.left > 8;
    const left = isMiddle ? 0 : Math.min(place.left, Math.max(0, width - size.width));
    const properties =
      `${place.breakBefore ? '<w:pageBreakBefore/>' : ''}` +
      `<w:spacing w:before="${twips(Math.min(place.before, MOST_SPACE))}" w:after="0" w:line="240" w:lineRule="auto"/>` +
      `${left > 1 ? `<w:ind w:left="${twips(left)}"/>` : ''}${isMiddle ? '<w:jc w:val="center"/>' : ''}`;
    const pieces: Piece[] = [{ properties, content: this.context.drawings.inline(figure, size) }];
    if (figure.caption)
      pieces.push(this.flow(figure.caption, { ...NO_PLACE, tight: place.tight, style: 'Caption' }));
    return pieces;
  }
}

const spacer = (height: number, breakBefore: boolean): Piece => ({
  properties:
    `${breakBefore ? '<w:pageBreakBefore/>' : ''}` +
    `<w:spacing w:before="0" w:after="0" w:line="${Math.max(20, twips(Math.min(height, 400)))}" w:lineRule="exact"/>`,
  content: '',
});

const isFlow = (block: Block): block is Paragraph | Heading =>
  block.kind === 'paragraph' || block.kind === 'heading';

/** A short line in the middle is meant to be there. */
function settled(block: Block, group: Group): Block {
  if (!isFlow(block) || block.align !== 'left' || block.direction === 'rtl') return block;
  return block.lines.length === 1 && isCentred(group, block.box) ? { ...block, align: 'center' } : block;
}

/** What is centred or set to the right needs no indent; a line that might not fit stands in less. */
function settledPlace(place: Placing, block: Block, group: Group): Placing {
  if (!isFlow(block)) return place;
  const { align } = settled(block, group) as Paragraph | Heading;
  if (align === 'center' && isCentred(group, block.box)) return { ...place, left: 0, right: 0 };
  if (align === 'right') return { ...place, left: 0 };
  if (block.lines.length > 1) return place;
  return { ...place, left: Math.max(0, Math.min(place.left, group.columnWidth - lengthOf(block.lines))) };
}

const firstLineOf = ({ firstLineIndent, align }: Paragraph, { left }: Placing): number =>
  Math.abs(firstLineIndent) < 2 || align === 'center' || align === 'right'
    ? 0
    : Math.max(-left, Math.min(firstLineIndent, 120));

/** Turned writing is set upright: the text flows. Blanks at its ends say nothing. */
function upright(runs: readonly Run[]): Run[] {
  return runs.map((run, index) => {
    let { text } = run;
    if (index === 0) text = text.trimStart();
    if (index === runs.length - 1) text = text.trimEnd();
    return text === run.text ? run : { ...run, text };
  });
}

/** The order of the elements is that of the schema. */
export function paragraphXml(
  { align, direction, lines }: Pick<Flow, 'align' | 'direction' | 'lines'>,
  { before, left, right, firstLine, breakBefore, tight, style, numbering }: Placing,
): string {
  const pitch = Math.max(20, twips(pitchOf(lines) * tight.pitch * tight.size));
  const hanging = firstLine < 0 ? ` w:hanging="${twips(-firstLine)}"` : '';
  const first = firstLine > 0 ? ` w:firstLine="${twips(firstLine)}"` : '';
  const isIndented = left > 1 || right > 1 || hanging !== '' || first !== '' || style?.startsWith('List');
  const rtl = direction === 'rtl';
  return [
    style ? `<w:pStyle w:val="${style}"/>` : '',
    breakBefore ? '<w:pageBreakBefore/>' : '',
    numbering
      ? `<w:numPr><w:ilvl w:val="${numbering.level}"/><w:numId w:val="${numbering.id}"/></w:numPr>`
      : '',
    rtl ? '<w:bidi/>' : '',
    `<w:spacing w:before="${twips(Math.min(before, MOST_SPACE))}" w:after="0" w:line="${pitch}" w:lineRule="exact"/>`,
    isIndented
      ? `<w:ind w:left="${twips(rtl ? right : left)}" w:right="${twips(rtl ? left : right)}"${hanging}${first}/>`
      : '',
    alignment(align, rtl),
  ].join('');
}

/** In a paragraph from right to left, left means its beginning: the right. */
function alignment(align: Flow['align'], rtl: boolean): string {
  if (align === 'justify') return '<w:jc w:val="both"/>';
  if (align === 'center') return '<w:jc w:val="center"/>';
  return (align === 'right') === rtl ? '' : '<w:jc w:val="right"/>';
}
