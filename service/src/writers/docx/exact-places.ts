// Pages as they look: every block in a frame at its place, its lines as they stood.
import type { Block, Box, Flow, Line, Page } from '../../layout/model.ts';
import { type BlockContext, BlockWriter, type Piece, pieceXml, tinyParagraph } from './blocks.ts';
import { drawnShapesXml } from './drawn-shapes.ts';
import { groundOf, shadingXml } from './grounds.ts';
import { AS_IT_WAS, pitchOf } from './heights.ts';
import { pageBookmark, runsXml, twips } from './runs.ts';
import type { PageWriter, SectionPage } from './sections.ts';
import { type CellWriter, tableXml } from './tables.ts';

/** Other fonts are wider: frames leave a little room. */
const ROOM = 1.06;

export class ExactWriter implements PageWriter {
  private readonly context: BlockContext;
  private readonly blocks: BlockWriter;
  private bookmarks = 0;

  constructor(context: BlockContext) {
    this.context = context;
    this.blocks = new BlockWriter(context);
  }

  page({ plan, beginsSection }: SectionPage): Piece[] {
    const { page } = plan;
    const id = this.bookmarks;
    this.bookmarks += 1;
    const bookmark = `<w:bookmarkStart w:id="${id}" w:name="${pageBookmark(page.number)}"/><w:bookmarkEnd w:id="${id}"/>`;
    const figures = page.blocks.filter((block) => block.kind === 'figure');
    const { imageXml } = this.context;
    const drawn = drawnShapesXml(page, (count) => imageXml.numbers(count));
    const images = figures.map((figure) => imageXml.placed(figure, page)).join('');
    const start = tinyParagraph(`${bookmark}${drawn}${images}`, !beginsSection);
    return [start, ...page.blocks.flatMap((block) => this.block(block, page)), tinyParagraph()];
  }

  private block(block: Block, page: Page): Piece[] {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        return [
          this.framed(
            block.lines,
            block.box,
            block,
            page,
            block.kind === 'heading' ? `Heading${block.level}` : undefined,
          ),
        ];
      case 'code':
        return [this.framed(block.lines, block.box, LEFT, page, 'Code')];
      case 'list':
        return block.items.flatMap(({ marker, blocks }) =>
          blocks.flatMap((inner, index) =>
            index === 0 && inner.kind === 'paragraph'
              ? [this.marked(marker, inner, page)]
              : this.block(inner, page),
          ),
        );
      case 'table': {
        const writer: CellWriter = {
          tight: AS_IT_WAS,
          letters: this.context.letters,
          paragraph: ({ flow, place }, isFilled) =>
            pieceXml(
              this.blocks.flow(flow, {
                place,
                tight: AS_IT_WAS,
                ...(isFilled ? { onColour: true } : groundOf(page, flow.lines)),
              }),
            ),
        };
        const table = tableXml(block, 0, writer);
        const caption = block.caption
          ? [this.framed(block.caption.lines, lineBox(block.caption.lines), LEFT, page)]
          : [];
        return [
          { content: table.replace('<w:tblW ', `${floating(block.box)}<w:tblW `) },
          tinyParagraph(),
          ...caption,
        ];
      }
      case 'figure':
        return block.caption
          ? [this.framed(block.caption.lines, lineBox(block.caption.lines), LEFT, page)]
          : [];
    }
  }

  private marked(marker: string, { lines, align, direction }: Flow & { box: Box }, page: Page): Piece {
    const [first, ...rest] = lines;
    const style = first?.runs[0]?.style;
    const held = first?.runs
      .map(({ text }) => text)
      .join('')
      .trimStart()
      .startsWith(marker);
    const whole =
      first && style && !held
        ? [{ ...first, runs: [{ text: `${marker} `, style }, ...first.runs] }, ...rest]
        : lines;
    return this.framed(whole, lineBox(lines), { align, direction }, page);
  }

  private framed(
    lines: readonly Line[],
    box: Box,
    { align, direction }: Pick<Flow, 'align' | 'direction'>,
    page: Page,
    style?: string,
  ): Piece {
    const base = this.context.styles.base(style);
    const { shade, onColour } = groundOf(page, lines);
    const rtl = direction === 'rtl';
    const rows = lines.map(({ runs }) => runsXml(runs, base, this.context, { rtl, onColour }));
    const pitch = Math.max(20, twips(pitchOf(lines)));
    const side =
      align === 'center' ? '<w:jc w:val="center"/>' : align === 'right' ? '<w:jc w:val="right"/>' : '';
    return {
      properties:
        `${style ? `<w:pStyle w:val="${style}"/>` : ''}` +
        `<w:framePr w:w="${Math.max(20, twips(box.width * ROOM + 4))}" w:wrap="around" w:vAnchor="page" w:hAnchor="page" ` +
        `w:x="${Math.max(1, twips(box.x))}" w:y="${Math.max(1, twips(box.y - 1))}"/>` +
        `${shadingXml(shade)}${rtl ? '<w:bidi/>' : ''}` +
        `<w:spacing w:before="0" w:after="0" w:line="${pitch}" w:lineRule="exact"/>${side}`,
      content: rows.join('<w:r><w:br/></w:r>'),
    };
  }
}

const LEFT = { align: 'left', direction: 'ltr' } as const;

const floating = ({ x, y }: Box): string =>
  `<w:tblpPr w:leftFromText="0" w:rightFromText="0" w:vertAnchor="page" w:horzAnchor="page" w:tblpX="${Math.max(1, twips(x))}" w:tblpY="${Math.max(1, twips(y))}"/>`;

function lineBox(lines: readonly Line[]): Box {
  const [first] = lines;
  if (!first) return { x: 0, y: 0, width: 10, height: 10 };
  const right = lines.reduce((most, { box }) => Math.max(most, box.x + box.width), 0);
  const left = lines.reduce((least, { box }) => Math.min(least, box.x), first.box.x);
  return { x: left, y: first.box.y, width: right - left, height: first.box.height };
}
