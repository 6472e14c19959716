// The blocks of a page as shapes of a slide: what lies behind, images, tables and text boxes at their places.

import { isSameTarget } from '../../layout/lines/runs.ts';
import type {
  Block,
  Box,
  Code,
  Figure,
  Flow,
  Line,
  LinkTarget,
  List,
  Page,
  Run,
  Table,
} from '../../layout/model.ts';
import type { Media } from '../docx/images.ts';
import { escapeMarkup } from '../markup.ts';
import { emu } from '../ooxml.ts';
import { backgroundShapes, blendColours } from './background-shapes.ts';
import { splitColumns } from './columns.ts';
import { groupItems, typesetItems } from './lists.ts';
import {
  boxAround,
  type SetParagraph,
  type TypesetText,
  topOf,
  typesetLines,
  typesetText,
} from './set-text.ts';
import { tableFrame } from './tables.ts';
import { linkXml, paragraphsXml, type TextContext } from './text.ts';

export interface ShapeContext extends TextContext {
  media: Media;
}

const MAX_SHAPES = 5000;

export function slideShapes(page: Page, notes: readonly Flow[], context: ShapeContext): string {
  const shapes = new Shapes(page, context);
  const { header, footer } = page.headersAndFooters;
  shapes.behind();
  // What covers the page lies under all else.
  const area = page.width * page.height;
  const isUnder = (block: Block): boolean =>
    block.kind === 'figure' && block.box.width * block.box.height > area / 2;
  for (const block of page.blocks.toSorted((a, b) => Number(isUnder(b)) - Number(isUnder(a))))
    shapes.block(block);
  for (const line of [...header, ...footer]) shapes.flow(asFlow([line]));
  for (const note of calledNotes(page, notes)) shapes.flow(note);
  return shapes.written.join('');
}

const asFlow = (lines: readonly Line[]): Flow => ({
  runs: lines.flatMap(({ runs }) => runs),
  lines: [...lines],
  align: 'left',
  direction: lines[0]?.direction ?? 'ltr',
});

function calledNotes(page: Page, notes: readonly Flow[]): Flow[] {
  return page.blocks.flatMap((block) =>
    block.kind === 'paragraph' || block.kind === 'heading'
      ? block.runs.flatMap(({ note }) => (note === undefined ? [] : (notes[note] ?? [])))
      : [],
  );
}

class Shapes {
  readonly written: string[] = [];
  private readonly page: Page;
  private readonly context: ShapeContext;
  /** Images, on which pale text is seen. */
  private readonly images: Box[];

  constructor(page: Page, context: ShapeContext) {
    this.page = page;
    this.context = context;
    this.images = page.blocks.flatMap((block) => (block.kind === 'figure' ? [block.box] : []));
  }

  behind(): void {
    const { background } = this.page;
    if (!background) return;
    for (const { kind, xml } of backgroundShapes(background, this.context.fit)) this.shape(kind, xml);
    for (const figure of background.images) this.figure(figure);
  }

  block(block: Block): void {
    if (this.written.length > MAX_SHAPES) return;
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        this.flow(block);
        break;
      case 'code':
        this.code(block);
        break;
      case 'list':
        this.list(block);
        break;
      case 'table':
        this.table(block);
        break;
      case 'figure':
        this.figure(block);
        break;
    }
  }

  flow(flow: Flow): void {
    const { letters } = this.context;
    for (const column of splitColumns(flow, letters)) {
      const seen = this.seen(column);
      const set = column === flow ? typesetText(seen, letters) : typesetLines(seen, letters);
      if (set) this.text(set, column.lines);
    }
  }

  /** Columns of characters as they stand. */
  private code({ lines }: Code): void {
    const left = Math.min(...lines.map(({ box }) => box.x));
    const indented = lines.map((line): Line => {
      const [first, ...rest] = line.runs;
      const letters = line.runs.reduce((sum, { text }) => sum + text.length, 0);
      const wide = letters > 0 ? line.box.width / letters : 6;
      const spaces = Math.min(MAX_SPACES, Math.max(0, Math.round((line.box.x - left) / wide)));
      if (!first || spaces === 0) return line;
      const box = { ...line.box, x: left, width: line.box.x + line.box.width - left };
      return { ...line, box, runs: [{ ...first, text: ' '.repeat(spaces) + first.text }, ...rest] };
    });
    const set = typesetLines(this.seen(asFlow(indented)), this.context.letters);
    if (set) this.text(set, indented);
  }

  private list(list: List): void {
    for (const items of groupItems(list)) {
      const set = typesetItems(
        items.map((item) => ({ ...item, flow: this.seen(item.flow) })),
        this.context.letters,
      );
      if (set) this.text(set, items[0]?.flow.lines ?? []);
    }
  }

  private text({ paragraphs, box, wraps }: TypesetText, lines: readonly Line[]): void {
    // What is a link as a whole is one as a box: links in text are underlined whether they were or not.
    const link = onlyLink(paragraphs);
    const content = paragraphsXml(link ? paragraphs.map(withoutLinks) : paragraphs, this.context);
    if (content === '') return;
    const turn = lines[0]?.turn ?? 0;
    const place = turn === 0 ? { ...box, y: topOf(lines, paragraphs[0]?.pitch ?? 0) } : box;
    const height = turn === 0 ? Math.max(box.height, box.y + box.height - place.y) : box.height;
    this.shape(
      'TextBox',
      (id, name) =>
        `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}">${linkXml(link, this.context)}</p:cNvPr><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>` +
        `<p:spPr>${this.transform({ ...place, height }, turn)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr>` +
        `<p:txBody><a:bodyPr wrap="${wraps ? 'square' : 'none'}" lIns="0" tIns="0" rIns="0" bIns="0" anchor="t"><a:noAutofit/></a:bodyPr>` +
        `<a:lstStyle/>${content}</p:txBody></p:sp>`,
    );
  }

  private table(table: Table): void {
    if (table.caption) this.flow(table.caption);
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
    const target = `../media/${media.nameOf(figure.image)}`;
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
    if (figure.caption) this.flow(figure.caption);
  }

  /** In colours that are seen on what is drawn here. */
  private seen<Kind extends Flow>(flow: Kind): Kind {
    const { background } = this.page;
    const change = (runs: readonly Run[], box: Box): Run[] =>
      runs.map((run) => {
        const color = blendColours(run.style.color, box, background, this.images);
        return color === run.style.color ? run : { ...run, style: { ...run.style, color } };
      });
    if (flow.lines.length === 0) return flow;
    const lines = flow.lines.map((line) => ({ ...line, runs: change(line.runs, line.box) }));
    return { ...flow, lines, runs: change(flow.runs, boxAround(flow.lines)) };
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

function onlyLink(paragraphs: readonly SetParagraph[]): LinkTarget | undefined {
  const runs = paragraphs.flatMap((paragraph) => paragraph.runs).filter(({ text }) => text.trim() !== '');
  const link = runs[0]?.link;
  return link && runs.every((run) => isSameTarget(run.link, link)) ? link : undefined;
}

const withoutLinks = (paragraph: SetParagraph): SetParagraph => ({
  ...paragraph,
  runs: paragraph.runs.map(({ link: _, ...run }) => run),
});

const MAX_SPACES = 200;
