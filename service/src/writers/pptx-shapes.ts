// The blocks of a page as shapes of a slide: text boxes, pictures and tables at their places.
import type { Block, Box, Figure, Flow, Line, Page, Run, Table } from '../layout/model.ts';
import type { Media } from './docx-figures.ts';
import { pitchOf, sizeOf } from './docx-heights.ts';
import { escapeMarkup } from './markup.ts';
import { emu, type Relations } from './ooxml.ts';
import { tableFrame } from './pptx-tables.ts';
import { paragraphsXml, type TextContext } from './pptx-text.ts';

export interface ShapeContext extends Omit<TextContext, 'fit'> {
  relations: Relations;
  media: Media;
  /** A page larger than the slide is made smaller. */
  fit: number;
}

/** Other fonts are wider: text boxes leave a little room. */
const ROOM = 1.04;
const MAX_SHAPES = 5000;

export function slideShapes(page: Page, notes: readonly Flow[], context: ShapeContext): string {
  const shapes = new Shapes(context);
  const { header, footer } = page.furniture;
  // What covers the page lies behind all else.
  const area = page.width * page.height;
  const isBehind = (block: Block): boolean =>
    block.kind === 'figure' && block.box.width * block.box.height > area / 2;
  for (const block of page.blocks.toSorted((a, b) => Number(isBehind(b)) - Number(isBehind(a))))
    shapes.block(block);
  for (const line of [...header, ...footer]) shapes.lines([line]);
  for (const note of calledNotes(page, notes)) shapes.lines(note.lines, note);
  return shapes.written.join('');
}

function calledNotes(page: Page, notes: readonly Flow[]): Flow[] {
  return page.blocks.flatMap((block) =>
    block.kind === 'paragraph' || block.kind === 'heading'
      ? block.runs.flatMap(({ note }) => (note === undefined ? [] : (notes[note] ?? [])))
      : [],
  );
}

class Shapes {
  readonly written: string[] = [];
  private readonly context: ShapeContext;

  constructor(context: ShapeContext) {
    this.context = context;
  }

  block(block: Block): void {
    if (this.written.length > MAX_SHAPES) return;
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        this.flow(block, block.box);
        break;
      case 'code':
        this.lines(block.lines);
        break;
      case 'list':
        this.text(
          block.items.flatMap(({ marker, blocks }) =>
            blocks.flatMap((inner, index): Paragraphed[] => paragraphsOf(inner, index === 0 ? marker : '')),
          ),
          block.box,
        );
        break;
      case 'table':
        this.table(block);
        break;
      case 'figure':
        this.figure(block);
        break;
    }
  }

  /** Lines that keep their ends. */
  lines(
    lines: readonly Line[],
    flow: Pick<Flow, 'align' | 'direction'> = { align: 'left', direction: 'ltr' },
  ): void {
    const box = boxAround(lines);
    if (!box) return;
    const runs = lines.flatMap(({ runs: own }, index): Run[] => {
      const [first] = own;
      return index > 0 && first ? [{ text: '\n', style: first.style }, ...own] : own;
    });
    this.text([{ runs, lines, ...flow }], box, turnOf(lines));
  }

  private flow(flow: Flow, box: Box): void {
    this.text([flow], box, turnOf(flow.lines));
  }

  private text(paragraphs: readonly Paragraphed[], box: Box, turn = 0): void {
    const content = paragraphsXml(paragraphs, this.context);
    if (content === '') return;
    const lines = paragraphs.flatMap(({ lines: own }) => own);
    // The first line's letters stand lower in their line than its box begins.
    const above = Math.max(0, (pitchOf(lines) - sizeOf(lines)) / 2);
    const place = turn === 0 ? { ...box, y: box.y - above, width: box.width * ROOM + 2 } : box;
    const isShort = lines.length === 1;
    this.shape(
      'TextBox',
      (id, name) =>
        `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>` +
        `<p:spPr>${this.transform(place, turn)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr>` +
        `<p:txBody><a:bodyPr wrap="${isShort ? 'none' : 'square'}" lIns="0" tIns="0" rIns="0" bIns="0" anchor="t"><a:noAutofit/></a:bodyPr>` +
        `<a:lstStyle/>${content}</p:txBody></p:sp>`,
    );
  }

  private table(table: Table): void {
    if (table.caption) this.lines(table.caption.lines, table.caption);
    const frame = tableFrame(table, this.context);
    this.shape(
      'Table',
      (id, name) =>
        `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="${name}"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>` +
        `${this.transform(table.box, 0).replaceAll('a:xfrm', 'p:xfrm')}${frame}</p:graphicFrame>`,
    );
  }

  private figure(figure: Figure): void {
    const { media, relations } = this.context;
    const target = `../media/${media.nameOf(figure.picture)}`;
    const relation = relations.to('image', target);
    const words = figure.alternative ?? '';
    const description = words === '' ? '' : ` descr="${escapeMarkup(words.slice(0, 1000))}"`;
    this.shape(
      'Picture',
      (id, name) =>
        `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="${name}"${description}/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>` +
        `<p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>` +
        `<p:spPr>${this.transform(figure.box, 0)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`,
    );
    if (figure.caption) this.lines(figure.caption.lines, figure.caption);
  }

  private shape(kind: string, write: (id: number, name: string) => string): void {
    const id = this.written.length + 2;
    this.written.push(write(id, `${kind} ${id - 1}`));
  }

  /** Turned writing: the box as it would lie upright, turned about its middle. */
  private transform(box: Box, turn: number): string {
    const { fit } = this.context;
    const isOnItsSide = Math.abs(Math.round(turn / 90)) % 2 === 1;
    const [width, height] = isOnItsSide ? [box.height, box.width] : [box.width, box.height];
    const x = box.x + (box.width - width) / 2;
    const y = box.y + (box.height - height) / 2;
    const angle = turn === 0 ? '' : ` rot="${Math.round((((turn % 360) + 360) % 360) * 60_000)}"`;
    const side = (length: number): number => Math.max(1, emu(Math.max(0.5, length) * fit));
    return (
      `<a:xfrm${angle}><a:off x="${emu(x * fit)}" y="${emu(y * fit)}"/>` +
      `<a:ext cx="${side(width)}" cy="${side(height)}"/></a:xfrm>`
    );
  }
}

/** Text of one paragraph, with the lines it had. */
export interface Paragraphed {
  runs: readonly Run[];
  lines: readonly Line[];
  align: Flow['align'];
  direction: Flow['direction'];
  /** Stands before the text, which hangs behind it. */
  marker?: string;
}

function paragraphsOf(block: Block, marker: string): Paragraphed[] {
  if (block.kind === 'paragraph' || block.kind === 'heading')
    return [{ ...block, ...(marker === '' ? {} : { marker }) }];
  if (block.kind !== 'list') return [];
  return block.items.flatMap((item) =>
    item.blocks.flatMap((inner, index) => paragraphsOf(inner, index === 0 ? item.marker : '')),
  );
}

const turnOf = (lines: readonly Line[]): number => lines[0]?.turn ?? 0;

function boxAround(lines: readonly Line[]): Box | undefined {
  const [first] = lines;
  if (!first) return undefined;
  let { x, y } = first.box;
  let right = x;
  let bottom = y;
  for (const { box } of lines) {
    x = Math.min(x, box.x);
    y = Math.min(y, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x, y, width: right - x, height: bottom - y };
}
