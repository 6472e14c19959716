// Word knows no paper larger than 22 inches: larger pages, such as posters and plans, are made smaller with all that
// stands on them.
import { computeOnce } from '../../contract/maps.ts';
import type {
  Block,
  Box,
  Flow,
  LaidOutDocument,
  Line,
  Page,
  PageBackground,
  Run,
  TableCell,
  TextStyle,
} from '../../layout/model.ts';

const LARGEST = 1584;

export function fitToPaper<Kind extends Pick<LaidOutDocument, 'pages' | 'notes'>>(document: Kind): Kind {
  if (document.pages.every((page) => factorOf(page) === 1)) return document;
  const notes = [...document.notes];
  const pages = document.pages.map((page) => {
    const factor = factorOf(page);
    if (factor === 1) return page;
    const smaller = new Smaller(factor);
    for (const { note = -1 } of page.blocks.flatMap((block) => ('runs' in block ? block.runs : []))) {
      const called = document.notes[note];
      if (called) notes[note] = smaller.flow(called);
    }
    return smaller.page(page);
  });
  return { ...document, pages, notes };
}

const factorOf = ({ width, height }: Page): number => Math.min(1, LARGEST / Math.max(1, width, height));

class Smaller {
  private readonly factor: number;
  /** Text of one look stays of one look. */
  private readonly styles = new Map<TextStyle, TextStyle>();

  constructor(factor: number) {
    this.factor = factor;
  }

  page(page: Page): Page {
    const { factor } = this;
    const { header, footer } = page.headersAndFooters;
    return {
      ...page,
      width: page.width * factor,
      height: page.height * factor,
      body: this.box(page.body),
      ...(page.background ? { background: this.background(page.background) } : {}),
      blocks: page.blocks.map((block) => this.block(block)),
      headersAndFooters: {
        header: header.map((line) => this.line(line)),
        footer: footer.map((line) => this.line(line)),
      },
    };
  }

  flow<Kind extends Flow>(flow: Kind): Kind {
    return {
      ...flow,
      runs: flow.runs.map((run) => this.run(run)),
      lines: flow.lines.map((line) => this.line(line)),
    };
  }

  private block<Kind extends Block>(block: Kind): Kind;
  private block(block: Block): Block {
    const { factor } = this;
    const box = this.box(block.box);
    const caption = 'caption' in block && block.caption ? { caption: this.flow(block.caption) } : {};
    switch (block.kind) {
      case 'paragraph': {
        const { firstLineIndent, indent, spaceBefore, dropCap } = block;
        const spaces = { indent: indent * factor, spaceBefore: spaceBefore * factor };
        const cap = dropCap ? { dropCap: { ...dropCap, room: dropCap.room * factor } } : {};
        return { ...this.flow(block), box, firstLineIndent: firstLineIndent * factor, ...spaces, ...cap };
      }
      case 'heading':
        return { ...this.flow(block), box };
      case 'code':
        return { ...block, box, lines: block.lines.map((line) => this.line(line)) };
      case 'list': {
        const items = block.items.map(({ markerLeft, ...item }) => ({
          ...item,
          ...(markerLeft === undefined ? {} : { markerLeft: markerLeft * factor }),
          blocks: item.blocks.map((inner) => this.block(inner)),
        }));
        return { ...block, box, items };
      }
      case 'table': {
        const rows = block.rows.map(({ cells, height }) => ({
          height: height * factor,
          cells: cells.map(
            (cell): TableCell => ({ ...cell, blocks: cell.blocks.map((inner) => this.block(inner)) }),
          ),
        }));
        const columnEdges = block.columnEdges.map((edge) => edge * factor);
        return { ...block, ...caption, box, rows, columnEdges };
      }
      case 'figure':
        return { ...block, ...caption, box };
    }
  }

  private background({ images, areas, lines }: PageBackground): PageBackground {
    const { factor } = this;
    return {
      images: images.map((image) => this.block(image)),
      areas: areas.map(({ box, color }) => ({ box: this.box(box), color })),
      lines: lines.map((rule) => ({
        ...rule,
        at: rule.at * factor,
        from: rule.from * factor,
        to: rule.to * factor,
        thickness: rule.thickness * factor,
      })),
    };
  }

  private line({ stops, ...line }: Line): Line {
    const { factor } = this;
    return {
      ...line,
      runs: line.runs.map((run) => this.run(run)),
      box: this.box(line.box),
      ...(stops ? { stops: stops.map(({ at, x }) => ({ at, x: x * factor })) } : {}),
    };
  }

  private run(run: Run): Run {
    const style = computeOnce(this.styles, run.style, () => ({
      ...run.style,
      size: run.style.size * this.factor,
    }));
    return { ...run, style };
  }

  private box({ x, y, width, height }: Box): Box {
    const { factor } = this;
    return { x: x * factor, y: y * factor, width: width * factor, height: height * factor };
  }
}
