// A readable page of HTML: the document's structure in its own look, a small style sheet, images beside it.

import { runsText } from '../layout/lines/runs.ts';
import type {
  Block,
  Figure,
  Flow,
  Heading,
  LaidOutDocument,
  List,
  Page,
  Paragraph,
  Run,
  Table,
  TableCell,
  TextStyle,
} from '../layout/model.ts';
import { typesetFlow } from './docx/set-lines.ts';
import { Looks, mainStyle } from './html-looks.ts';
import { Letters } from './letters.ts';
import { urlOf } from './markdown-text.ts';
import { escapeMarkup } from './markup.ts';
import { tabbedRows } from './tabbed-rows.ts';

export interface HtmlOptions {
  name: string;
  /** Where the image of a figure lies; undefined leaves it out. */
  pathOf(figure: Figure): string | undefined;
}

const STYLE = `body{max-width:44rem;margin:2rem auto;padding:0 1rem;line-height:1.5;color:#000;background:#fff;overflow-wrap:break-word}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:1.5em 0 .6em;font-size:1em}
p,ul,ol,pre,figure,table{margin:0 0 1em}
pre{overflow-x:auto;padding:.8em;background:#f4f4f4;line-height:1.35}
code,pre{font-family:"Courier New",Courier,monospace}
table{border-collapse:collapse;max-width:100%;display:block;overflow-x:auto}
td,th{padding:.25em .6em;vertical-align:top;text-align:left;border-bottom:1px solid #ccc}
.ruled td,.ruled th{border:1px solid #888}
caption,figcaption{text-align:left;margin:.4em 0}
img{max-width:100%;height:auto}
.right{text-align:right}.center{text-align:center}.plain{font-weight:400}
.notes{border-top:1px solid #888;font-size:.9em;margin-top:2rem;padding-top:1rem}
`;

/** The document piece by piece, a page at a time. */
export function* writeHtml(document: LaidOutDocument, options: HtmlOptions): Generator<string> {
  const writer = new HtmlWriter(document, options);
  // Which looks there are is known when all is written.
  const pages = document.pages.map((page) => writer.page(page));
  const notes = document.notes.length > 0 ? writer.notes(document.notes) : '';
  const title = document.title ?? options.name;
  const language =
    document.language && /^[\w-]{2,35}$/.test(document.language) ? ` lang="${document.language}"` : '';
  const direction = readsToLeft(document) ? ' dir="rtl"' : '';
  yield `<!DOCTYPE html>\n<html${language}${direction}>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>${escapeMarkup(title)}</title>\n`;
  if (document.author) yield `<meta name="author" content="${escapeMarkup(document.author)}">\n`;
  yield `<style>\n${STYLE}${writer.looks.sheet()}</style>\n</head>\n<body>\n<main>\n`;
  yield* pages;
  yield `${notes}</main>\n</body>\n</html>\n`;
}

function readsToLeft({ pages }: LaidOutDocument): boolean {
  const blocks = pages.flatMap((page) => page.blocks).filter((block) => 'direction' in block);
  return blocks.filter((block) => block.direction === 'rtl').length * 2 > blocks.length;
}

class HtmlWriter {
  readonly looks: Looks;
  private readonly letters: Letters;
  private readonly options: HtmlOptions;

  constructor(document: LaidOutDocument, options: HtmlOptions) {
    this.options = options;
    this.letters = new Letters(document);
    this.looks = new Looks(document, this.letters);
  }

  page({ number, blocks }: Page): string {
    return `<section id="page-${number}">\n${blocks.map((block) => this.block(block)).join('')}</section>\n`;
  }

  notes(notes: readonly Flow[]): string {
    const items = notes.map(
      (note, i) =>
        `<li id="note-${i + 1}">${this.runs(note.runs, mainStyle(note.runs))} <a href="#call-${i + 1}">↩</a></li>\n`,
    );
    return `<section class="notes">\n<ol>\n${items.join('')}</ol>\n</section>\n`;
  }

  private block(block: Block): string {
    switch (block.kind) {
      case 'heading':
        return this.heading(block);
      case 'paragraph':
        return this.flow('p', block);
      case 'code':
        return `<pre><code>${escapeMarkup(block.text)}</code></pre>\n`;
      case 'list':
        return this.list(block);
      case 'table':
        return this.table(block);
      case 'figure':
        return this.figure(block);
    }
  }

  private heading(heading: Heading): string {
    const isBold = heading.runs.some(({ style, text }) => style.bold && text.trim() !== '');
    return this.flow(
      `h${heading.level}`,
      { ...heading, runs: withoutBold(heading.runs) },
      isBold ? [] : ['plain'],
    );
  }

  private flow(tag: string, block: Paragraph | Heading, classes: string[] = []): string {
    const main = mainStyle(block.runs);
    const look = this.looks.classOf(main, this.looks.body);
    return `<${tag}${attributes(block, [...classes, ...(look ? [look] : [])])}>${this.flowing(block, main)}</${tag}>\n`;
  }

  /** Line ends and gaps that were meant are kept. */
  private flowing(flow: Flow & Pick<Paragraph, 'box'>, main: TextStyle): string {
    return this.runs(tabbedRows(flow) ?? typesetFlow(flow, flow.box.width, this.letters).runs, main);
  }

  private list({ ordered, start, items }: List): string {
    const tag = ordered ? 'ol' : 'ul';
    const from = ordered && start !== 1 ? ` start="${start}"` : '';
    const written = items.map(({ blocks }) => {
      const [first, ...rest] = blocks;
      // One paragraph needs no element of its own.
      const text =
        first?.kind === 'paragraph' ? this.runs(first.runs, this.looks.body) : first ? this.block(first) : '';
      return `<li>${text}${rest.map((block) => `\n${this.block(block)}`).join('')}</li>\n`;
    });
    return `<${tag}${from}>\n${written.join('')}</${tag}>\n`;
  }

  private table({ rows, headerRows, caption, ruled }: Table): string {
    const cells = rows.flatMap((row) => row.cells.flatMap(({ blocks }) => blocks));
    const main = mainStyle(cells.flatMap((block) => (block.kind === 'paragraph' ? block.runs : [])));
    const look = this.looks.classOf({ ...main, color: this.looks.body.color }, this.looks.body);
    const written = rows.map(({ cells: own }, i) => {
      const tag = i < headerRows ? 'th' : 'td';
      return `<tr>${own.map((cell) => this.cell(cell, tag, main)).join('')}</tr>\n`;
    });
    const head = headerRows > 0 ? `<thead>\n${written.slice(0, headerRows).join('')}</thead>\n` : '';
    const words = caption ? `<caption>${this.runs(caption.runs, main)}</caption>\n` : '';
    const classes = classesOf([ruled ? 'ruled' : undefined, look]);
    return `<table${classes}>\n${words}${head}<tbody>\n${written.slice(headerRows).join('')}</tbody>\n</table>\n`;
  }

  private cell(
    { blocks, columnSpan, rowSpan, align, fill }: TableCell,
    tag: 'td' | 'th',
    main: TextStyle,
  ): string {
    const spans = `${columnSpan > 1 ? ` colspan="${columnSpan}"` : ''}${rowSpan > 1 ? ` rowspan="${rowSpan}"` : ''}`;
    const colour = fill && /^#[0-9a-f]{6}$/i.test(fill) ? this.looks.named(`background:${fill}`) : undefined;
    const text = blocks
      .map((block) =>
        block.kind === 'paragraph'
          ? this.runs(
              tag === 'th' ? withoutBold(block.runs) : block.runs,
              { ...main, color: this.looks.body.color },
              colour !== undefined,
            )
          : this.block(block),
      )
      .join('<br>');
    return `<${tag}${spans}${classesOf([align === 'left' ? undefined : align, colour])}>${text}</${tag}>`;
  }

  private figure(figure: Figure): string {
    const { caption, alternative, box, image } = figure;
    const path = this.options.pathOf(figure);
    const words = caption ? `<figcaption>${this.runs(caption.runs, this.looks.body)}</figcaption>\n` : '';
    if (path === undefined) return words === '' ? '' : `<figure>\n${words}</figure>\n`;
    const label = alternative ?? (caption ? runsText(caption.runs) : '');
    const width = Math.round((box.width * 96) / 72);
    const height = Math.round((width * image.height) / Math.max(1, image.width));
    return `<figure>\n<img src="${escapeMarkup(encodeURI(path))}" alt="${escapeMarkup(label)}" width="${width}" height="${height}">\n${words}</figure>\n`;
  }

  private runs(runs: readonly Run[], within: TextStyle, isOnColour = false): string {
    return runs
      .map((run) => htmlRun(run, this.looks.classOf(run.style, within, { isOnColour })))
      .join('')
      .trim();
  }
}

const classesOf = (names: readonly (string | undefined)[]): string => {
  const known = names.filter((name) => name !== undefined);
  return known.length === 0 ? '' : ` class="${known.join(' ')}"`;
};

function attributes(
  { align, direction }: Pick<Flow, 'align' | 'direction'>,
  classes: readonly string[],
): string {
  const side = align === 'right' && direction === 'ltr' ? 'right' : align === 'center' ? 'center' : undefined;
  return `${direction === 'rtl' ? ' dir="rtl"' : ''}${classesOf([side, ...classes])}`;
}

/** Headings are bold by themselves. */
const withoutBold = (runs: readonly Run[]): Run[] =>
  runs.map((run) => (run.style.bold ? { ...run, style: { ...run.style, bold: false } } : run));

function htmlRun({ text, style, link, note }: Run, look: string | undefined): string {
  if (note !== undefined)
    return `<sup><a id="call-${note + 1}" href="#note-${note + 1}">${note + 1}</a></sup>${/\s$/.test(text) ? ' ' : ''}`;
  const [, lead = '', core = '', trail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (core === '') return spaced(text);
  let written = spaced(escapeMarkup(core));
  if (style.monospace) written = `<code>${written}</code>`;
  if (style.position)
    written = style.position === 'superscript' ? `<sup>${written}</sup>` : `<sub>${written}</sub>`;
  if (style.strike) written = `<s>${written}</s>`;
  if (style.underline && !link) written = `<u>${written}</u>`;
  if (style.italic) written = `<em>${written}</em>`;
  if (style.bold) written = `<strong>${written}</strong>`;
  const target = link && ('page' in link ? `#page-${link.page}` : urlOf(link));
  if (target !== undefined) written = `<a href="${escapeMarkup(target)}">${written}</a>`;
  else if (look && !style.monospace) written = `<span class="${look}">${written}</span>`;
  return spaced(lead) + written + spaced(trail);
}

/** Line ends and gaps as HTML has them. */
const spaced = (text: string): string => text.replaceAll('\n', '<br>\n').replaceAll('\t', '&emsp;');
