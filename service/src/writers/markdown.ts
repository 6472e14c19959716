// GitHub Flavored Markdown: headings, lists, tables, code, links and footnotes; no headers and footers.
import type {
  Block,
  Figure,
  Flow,
  LaidOutDocument,
  List,
  Page,
  Paragraph,
  Run,
  Table,
  TableCell,
} from '../layout/model.ts';
import { inlineMarkdown, plainMarkdown } from './markdown-text.ts';
import { tabbedRows } from './tabbed-rows.ts';

export interface MarkdownOptions {
  /** `<!-- page N -->` before each page's content. */
  pageBreaks: boolean;
  /** The path of a figure's image, where images are written too. */
  pathOf?(figure: Figure): string | undefined;
}

/** The document piece by piece, a page at a time. */
export function* writeMarkdown(document: LaidOutDocument, options: MarkdownOptions): Generator<string> {
  const writer = new MarkdownWriter(document, options);
  let isFirst = true;
  for (const page of document.pages) {
    const text = writer.page(page);
    if (text === '') continue;
    yield isFirst ? `${text}\n` : `\n${text}\n`;
    isFirst = false;
  }
}

class MarkdownWriter {
  private readonly notes: readonly Flow[];
  private readonly options: MarkdownOptions;

  constructor({ notes }: LaidOutDocument, options: MarkdownOptions) {
    this.notes = notes;
    this.options = options;
  }

  page({ number, blocks }: Page): string {
    const parts = blocks.map((block) => this.withNotes(block)).filter((text) => text !== '');
    if (this.options.pageBreaks) parts.unshift(`<!-- page ${number} -->`);
    return parts.join('\n\n');
  }

  /** Footnotes stand behind the block that calls them. */
  private withNotes(block: Block): string {
    const text = this.block(block);
    const called = flowsOf(block).flatMap(({ runs }) =>
      runs.flatMap(({ note }) => (note === undefined ? [] : [note])),
    );
    const notes = called.map((note) => `[^${note + 1}]: ${this.flow(this.notes[note] as Flow)}`);
    return [text, ...notes].filter((part) => part !== '').join('\n\n');
  }

  private block(block: Block): string {
    switch (block.kind) {
      case 'heading':
        return `${'#'.repeat(block.level)} ${inlineMarkdown(block.runs, { emphasis: false })}`;
      case 'paragraph':
        return this.paragraph(block);
      case 'code':
        return fenced(block.text);
      case 'list':
        return this.list(block);
      case 'table':
        return this.table(block);
      case 'figure':
        return this.figure(block);
    }
  }

  /** Rows with gaps keep their ends, by two spaces behind each. */
  private paragraph(paragraph: Paragraph): string {
    const rows = tabbedRows(paragraph);
    if (!rows) return this.flow(paragraph);
    const lines: Run[][] = [[]];
    for (const run of rows) {
      if (run.text === '\n') lines.push([]);
      else lines.at(-1)?.push({ ...run, text: run.text.replaceAll('\t', ' ') });
    }
    return lines.map((runs) => this.flow({ runs })).join('  \n');
  }

  private flow({ runs }: Pick<Flow, 'runs'>): string {
    return inlineMarkdown(runs, { emphasis: true });
  }

  private list({ ordered, start, items }: List): string {
    const loose = items.some(({ blocks }) => blocks.filter(({ kind }) => kind !== 'list').length > 1);
    return items
      .map(({ blocks }, i) => {
        const marker = ordered ? `${start + i}. ` : '- ';
        const text = blocks
          .map((block) => this.withNotes(block))
          .filter((part) => part !== '')
          .join(loose ? '\n\n' : '\n');
        return marker + text.replace(/\n(?=.)/g, `\n${' '.repeat(marker.length)}`);
      })
      .join(loose ? '\n\n' : '\n');
  }

  private table({ columnEdges, rows, caption }: Table): string {
    const width = Math.max(1, columnEdges.length - 1);
    const grid = rows.map(({ cells }) => {
      const texts: string[] = new Array(width).fill('');
      for (const cell of cells) if (cell.column < width) texts[cell.column] = this.cell(cell);
      return `| ${texts.join(' | ')} |`;
    });
    const [head = '', ...body] = grid;
    const table = [head, `|${' --- |'.repeat(width)}`, ...body].join('\n');
    return caption ? `${this.flow(caption)}\n\n${table}` : table;
  }

  private cell({ blocks }: TableCell): string {
    return blocks
      .map((block) =>
        block.kind === 'list'
          ? block.items
              .map(
                ({ marker, blocks: inner }) => `${marker} ${inner.map((part) => plainCell(part)).join(' ')}`,
              )
              .join('<br>')
          : inlineMarkdown(block.runs, { emphasis: true, cell: true }),
      )
      .join('<br>');
  }

  private figure(figure: Figure): string {
    const { caption, alternative } = figure;
    const path = this.options.pathOf?.(figure);
    const words = caption ? this.flow(caption) : '';
    if (path === undefined) return [labelsOf(figure), words].filter((part) => part !== '').join('\n\n');
    const label = (alternative ?? '').replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
    const image = `![${label}](${encodeURI(path)})`;
    return words === '' ? image : `${image}\n\n${words}`;
  }
}

/** What is written on a figure that is not there itself, set apart from the text. */
const labelsOf = ({ labels = [] }: Figure): string =>
  labels.length === 0 ? '' : `> ${labels.map(plainMarkdown).join(' · ')}`;

const plainCell = (block: Block): string =>
  block.kind === 'paragraph' ? inlineMarkdown(block.runs, { emphasis: true, cell: true }) : '';

function flowsOf(block: Block): Pick<Flow, 'runs'>[] {
  if (block.kind === 'paragraph' || block.kind === 'heading') return [block];
  if (block.kind === 'table' || block.kind === 'figure') return block.caption ? [block.caption] : [];
  return [];
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
