// A readable page of HTML: the document's structure, a small style sheet of our own, pictures beside it.
import type {
  Block,
  Figure,
  Flow,
  LaidOutDocument,
  List,
  Page,
  Run,
  Table,
  TableCell,
} from '../layout/model.ts';
import { runsText } from '../layout/runs.ts';
import { urlOf } from './markdown-text.ts';
import { escapeMarkup } from './markup.ts';

export interface HtmlOptions {
  name: string;
  /** Where the picture of a figure lies; undefined leaves it out. */
  pathOf(figure: Figure): string | undefined;
}

const STYLE = `:root{color-scheme:light dark}
body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.55 Georgia,"Times New Roman",serif}
h1,h2,h3,h4,h5,h6{font-family:system-ui,sans-serif;line-height:1.25;margin:1.8em 0 .6em}
p,ul,ol,pre,figure,table{margin:0 0 1em}
pre{overflow-x:auto;padding:.8em;background:#8881;border-radius:4px}
code,pre{font:.9em ui-monospace,Menlo,Consolas,monospace}
table{border-collapse:collapse;max-width:100%;display:block;overflow-x:auto}
td,th{border:1px solid #8886;padding:.3em .6em;vertical-align:top;text-align:left}
caption,figcaption{font-size:.9em;text-align:left;margin:.4em 0}
img{max-width:100%;height:auto}
.right{text-align:right}.center{text-align:center}
section.notes{border-top:1px solid #8886;font-size:.9em;margin-top:2rem;padding-top:1rem}
`;

/** The document piece by piece, a page at a time. */
export function* writeHtml(document: LaidOutDocument, options: HtmlOptions): Generator<string> {
  const title = document.title ?? options.name;
  const language =
    document.language && /^[\w-]{2,35}$/.test(document.language) ? ` lang="${document.language}"` : '';
  yield `<!DOCTYPE html>\n<html${language}>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>${escapeMarkup(title)}</title>\n`;
  if (document.author) yield `<meta name="author" content="${escapeMarkup(document.author)}">\n`;
  yield `<style>\n${STYLE}</style>\n</head>\n<body>\n<main>\n`;
  for (const page of document.pages) yield htmlPage(page, options);
  if (document.notes.length > 0) yield htmlNotes(document.notes);
  yield '</main>\n</body>\n</html>\n';
}

const htmlPage = ({ number, blocks }: Page, options: HtmlOptions): string =>
  `<section id="page-${number}">\n${blocks.map((block) => htmlBlock(block, options)).join('')}</section>\n`;

function htmlNotes(notes: readonly Flow[]): string {
  const items = notes.map(
    (note, i) => `<li id="note-${i + 1}">${htmlRuns(note.runs)} <a href="#call-${i + 1}">↩</a></li>\n`,
  );
  return `<section class="notes">\n<ol>\n${items.join('')}</ol>\n</section>\n`;
}

function htmlBlock(block: Block, options: HtmlOptions): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}${flowAttributes(block)}>${htmlRuns(withoutBold(block.runs))}</h${block.level}>\n`;
    case 'paragraph':
      return `<p${flowAttributes(block)}>${htmlRuns(block.runs)}</p>\n`;
    case 'code':
      return `<pre><code>${escapeMarkup(block.text)}</code></pre>\n`;
    case 'list':
      return htmlList(block, options);
    case 'table':
      return htmlTable(block, options);
    case 'figure':
      return htmlFigure(block, options);
  }
}

function flowAttributes({ align, direction }: Pick<Flow, 'align' | 'direction'>): string {
  const side =
    align === 'right' && direction === 'ltr' ? ' class="right"' : align === 'center' ? ' class="center"' : '';
  return `${direction === 'rtl' ? ' dir="rtl"' : ''}${side}`;
}

function htmlList({ ordered, start, items }: List, options: HtmlOptions): string {
  const tag = ordered ? 'ol' : 'ul';
  const from = ordered && start !== 1 ? ` start="${start}"` : '';
  const written = items.map(({ blocks }) => {
    const [first, ...rest] = blocks;
    // One paragraph needs no element of its own.
    const text = first?.kind === 'paragraph' ? htmlRuns(first.runs) : first ? htmlBlock(first, options) : '';
    return `<li>${text}${rest.map((block) => `\n${htmlBlock(block, options)}`).join('')}</li>\n`;
  });
  return `<${tag}${from}>\n${written.join('')}</${tag}>\n`;
}

function htmlTable({ rows, headerRows, caption }: Table, options: HtmlOptions): string {
  const written = rows.map(({ cells }, i) => {
    const tag = i < headerRows ? 'th' : 'td';
    return `<tr>${cells.map((cell) => htmlCell(cell, tag, options)).join('')}</tr>\n`;
  });
  const head = headerRows > 0 ? `<thead>\n${written.slice(0, headerRows).join('')}</thead>\n` : '';
  const words = caption ? `<caption>${htmlRuns(caption.runs)}</caption>\n` : '';
  return `<table>\n${words}${head}<tbody>\n${written.slice(headerRows).join('')}</tbody>\n</table>\n`;
}

function htmlCell(
  { blocks, columnSpan, rowSpan, align }: TableCell,
  tag: 'td' | 'th',
  options: HtmlOptions,
): string {
  const spans = `${columnSpan > 1 ? ` colspan="${columnSpan}"` : ''}${rowSpan > 1 ? ` rowspan="${rowSpan}"` : ''}`;
  const side = align === 'left' ? '' : ` class="${align}"`;
  const text = blocks
    .map((block) =>
      block.kind === 'paragraph'
        ? htmlRuns(tag === 'th' ? withoutBold(block.runs) : block.runs)
        : htmlBlock(block, options),
    )
    .join('<br>');
  return `<${tag}${spans}${side}>${text}</${tag}>`;
}

function htmlFigure(figure: Figure, options: HtmlOptions): string {
  const { caption, alternative, box, picture } = figure;
  const path = options.pathOf(figure);
  const words = caption ? `<figcaption>${htmlRuns(caption.runs)}</figcaption>\n` : '';
  if (path === undefined) return words === '' ? '' : `<figure>\n${words}</figure>\n`;
  const label = alternative ?? (caption ? runsText(caption.runs) : '');
  const width = Math.round((box.width * 96) / 72);
  const height = Math.round((width * picture.height) / Math.max(1, picture.width));
  return `<figure>\n<img src="${escapeMarkup(encodeURI(path))}" alt="${escapeMarkup(label)}" width="${width}" height="${height}">\n${words}</figure>\n`;
}

/** Headings are bold by themselves. */
const withoutBold = (runs: readonly Run[]): Run[] =>
  runs.map((run) => (run.style.bold ? { ...run, style: { ...run.style, bold: false } } : run));

export const htmlRuns = (runs: readonly Run[]): string => runs.map(htmlRun).join('').trim();

function htmlRun({ text, style, link, note }: Run): string {
  if (note !== undefined)
    return `<sup><a id="call-${note + 1}" href="#note-${note + 1}">${note + 1}</a></sup>${/\s$/.test(text) ? ' ' : ''}`;
  const [, lead = '', core = '', trail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (core === '') return text;
  let written = escapeMarkup(core);
  if (style.monospace) written = `<code>${written}</code>`;
  if (style.position)
    written = style.position === 'superscript' ? `<sup>${written}</sup>` : `<sub>${written}</sub>`;
  if (style.strike) written = `<s>${written}</s>`;
  if (style.underline && !link) written = `<u>${written}</u>`;
  if (style.italic) written = `<em>${written}</em>`;
  if (style.bold) written = `<strong>${written}</strong>`;
  const target = link && ('page' in link ? `#page-${link.page}` : urlOf(link));
  if (target !== undefined) written = `<a href="${escapeMarkup(target)}">${written}</a>`;
  return lead + written + trail;
}
