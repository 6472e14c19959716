// Blocks as XHTML for books.

import { runsText } from '../../layout/lines/runs.ts';
import type { Block, Figure, Flow, Heading, List, Run, Table, TableCell } from '../../layout/model.ts';
import { escapeMarkup } from '../markup.ts';
import { safeUrl } from '../ooxml.ts';
import { tabbedRows } from '../tabbed-rows.ts';

export interface XhtmlContext {
  /** Where a page begins, from this chapter; undefined where it is not in the book. */
  hrefOfPage(page: number): string | undefined;
  headingId(heading: Heading): string | undefined;
  /** The file of an image; undefined leaves it out. */
  pathOf(figure: Figure): string | undefined;
  /** Notes that are called: written at the end of the chapter. */
  notes: Set<number>;
}

export function xhtmlBlock(block: Block, context: XhtmlContext): string {
  switch (block.kind) {
    case 'heading': {
      const id = context.headingId(block);
      const text = xhtmlRuns(block.runs, context, { bold: false });
      return text === ''
        ? ''
        : `<h${block.level}${id ? ` id="${id}"` : ''}${flowAttributes(block)}>${text}</h${block.level}>\n`;
    }
    case 'paragraph': {
      const text = xhtmlRuns(tabbedRows(block) ?? block.runs, context);
      return text === '' ? '' : `<p${flowAttributes(block)}>${text}</p>\n`;
    }
    case 'code':
      return `<pre><code>${escapeMarkup(block.text)}</code></pre>\n`;
    case 'list':
      return xhtmlList(block, context);
    case 'table':
      return xhtmlTable(block, context);
    case 'figure':
      return xhtmlFigure(block, context);
  }
}

function flowAttributes({ align, direction }: Pick<Flow, 'align' | 'direction'>): string {
  const side =
    align === 'center' ? ' class="center"' : align === 'right' && direction === 'ltr' ? ' class="right"' : '';
  return `${direction === 'rtl' ? ' dir="rtl"' : ''}${side}`;
}

function xhtmlList({ ordered, start, items }: List, context: XhtmlContext): string {
  const tag = ordered ? 'ol' : 'ul';
  const from = ordered && Number.isInteger(start) && start !== 1 ? ` start="${start}"` : '';
  const written = items.map(({ blocks }) => {
    const content = blocks.map((block, index) =>
      index === 0 && block.kind === 'paragraph'
        ? xhtmlRuns(block.runs, context)
        : `\n${xhtmlBlock(block, context)}`,
    );
    return `<li>${content.join('')}</li>\n`;
  });
  return written.length === 0 ? '' : `<${tag}${from}>\n${written.join('')}</${tag}>\n`;
}

function xhtmlTable({ rows, headerRows, caption }: Table, context: XhtmlContext): string {
  const written = rows.map(({ cells }, index) => {
    const tag = index < headerRows ? 'th' : 'td';
    // A row whose cells all reach down from above would be empty.
    return `<tr>${cells.length > 0 ? cells.map((cell) => xhtmlCell(cell, tag, context, rows.length - index)).join('') : `<${tag}/>`}</tr>\n`;
  });
  if (written.length === 0) return '';
  const words = caption ? `<caption>${xhtmlRuns(caption.runs, context)}</caption>\n` : '';
  const head = headerRows > 0 && headerRows < written.length ? headerRows : 0;
  const thead = head > 0 ? `<thead>\n${written.slice(0, head).join('')}</thead>\n` : '';
  return `<table>\n${words}${thead}<tbody>\n${written.slice(head).join('')}</tbody>\n</table>\n`;
}

function xhtmlCell(
  { blocks, columnSpan, rowSpan, align }: TableCell,
  tag: 'td' | 'th',
  context: XhtmlContext,
  rowsLeft: number,
): string {
  const deep = Math.min(rowSpan, rowsLeft);
  const spans = `${columnSpan > 1 ? ` colspan="${columnSpan}"` : ''}${deep > 1 ? ` rowspan="${deep}"` : ''}`;
  const side = align === 'left' ? '' : ` class="${align}"`;
  const text = blocks
    .map((block) =>
      block.kind === 'paragraph' ? xhtmlRuns(block.runs, context) : xhtmlBlock(block, context),
    )
    .filter((part) => part !== '')
    .join(blocks.some(({ kind }) => kind === 'list') ? '' : '<br/>');
  return `<${tag}${spans}${side}>${text}</${tag}>`;
}

function xhtmlFigure(figure: Figure, context: XhtmlContext): string {
  const path = context.pathOf(figure);
  const words = figure.caption ? `<figcaption>${xhtmlRuns(figure.caption.runs, context)}</figcaption>\n` : '';
  if (path === undefined && words === '') return '';
  const label = figure.alternative ?? (figure.caption ? runsText(figure.caption.runs) : '');
  const image = path === undefined ? '' : `<img src="${path}" alt="${escapeMarkup(label)}"/>\n`;
  return `<figure>\n${image}${words}</figure>\n`;
}

export function xhtmlRuns(runs: readonly Run[], context: XhtmlContext, { bold = true } = {}): string {
  return runs
    .map((run) => xhtmlRun(run, context, bold))
    .join('')
    .trim();
}

function xhtmlRun({ text, style, link, note }: Run, context: XhtmlContext, bold: boolean): string {
  if (note !== undefined && !context.notes.has(note)) {
    context.notes.add(note);
    const mark = escapeMarkup(text.trim()) || String(note + 1);
    return `<a epub:type="noteref" role="doc-noteref" id="call-${note + 1}" href="#note-${note + 1}"><sup>${mark}</sup></a>${/\s$/.test(text) ? ' ' : ''}`;
  }
  const [, lead = '', core = '', trail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (core === '') return text === '\n' ? '<br/>\n' : text === '' ? '' : ' ';
  let written = escapeMarkup(core).replaceAll('\t', '\u2003');
  if (style.monospace) written = `<code>${written}</code>`;
  if (style.position)
    written = style.position === 'superscript' ? `<sup>${written}</sup>` : `<sub>${written}</sub>`;
  if (style.strike) written = `<s>${written}</s>`;
  if (style.italic) written = `<em>${written}</em>`;
  if (style.bold && bold) written = `<strong>${written}</strong>`;
  const target = link && ('page' in link ? context.hrefOfPage(link.page) : safeUrl(link.url));
  if (target !== undefined) written = `<a href="${escapeMarkup(target)}">${written}</a>`;
  return (lead && ' ') + written + (trail.includes('\t') ? '\u2003' : trail && ' ');
}

export const BOOK_STYLE = `body{margin:0 5%;line-height:1.45}
h1,h2,h3,h4,h5,h6{line-height:1.2;margin:1.4em 0 .5em;page-break-after:avoid}
p{margin:0 0 .7em}
pre{white-space:pre-wrap;font-size:.85em;margin:.7em 0}
table{border-collapse:collapse;margin:.8em 0;font-size:.9em}
td,th{border:1px solid #999;padding:.2em .4em;vertical-align:top;text-align:left}
figure{margin:1em 0;text-align:center;page-break-inside:avoid}
figcaption,caption{font-size:.9em;margin:.3em 0}
img{max-width:100%;height:auto}
.right{text-align:right}.center{text-align:center}
.cover{margin:0;text-align:center}
.cover img{max-height:100%}
aside{font-size:.85em}
`;
