// A book that is an office document: LibreOffice lays it out, contents and page numbers are added afterwards.
import { type Content, InputFile } from '../../../contract/files.ts';
import type { Engines } from '../../../engines/engines.ts';
import type { QpdfDocument } from '../../../engines/qpdf/qpdf-document.ts';
import { escapeHtml } from '../../../markup/escape-html.ts';
import { paintOf } from '../../../pdf/content/paint.ts';
import { displayedPage } from '../../../pdf/geometry/displayed-page.ts';
import { mergeDocuments } from '../../../pdf/merge/merge.ts';
import { PageOverlay } from '../../../pdf/pages/page-overlay.ts';
import { cornerAt, rotatedPlacement } from '../../../pdf/pages/placement.ts';
import { type Bookmark, readBookmarks } from '../../../pdf/structure/bookmarks.ts';
import { textForm } from '../../../pdf/text/drawn-text-form.ts';
import { EmbeddedFonts } from '../../../pdf/text/font-embedding.ts';

type Doors = Pick<Engines, 'qpdf' | 'browser' | 'office' | 'text'>;

const BOTTOM_CENTRE = 8;

export async function printOfficeBook(
  engine: Doors,
  file: InputFile,
  { listContents, numberPages }: { listContents: boolean; numberPages: boolean },
): Promise<Content> {
  const content = await engine.office.convert(file, 'docx', 'pdf');
  if (!listContents && !numberPages) return content;
  const doc = engine.qpdf.open(file.with(content));
  if (listContents) await appendContents(engine, doc);
  if (numberPages) drawNumbers(engine, doc);
  return doc.save();
}

async function appendContents({ qpdf, browser }: Doors, doc: QpdfDocument): Promise<void> {
  const bookmarks = readBookmarks(doc);
  if (bookmarks.length === 0) return;
  const list = (entries: readonly Bookmark[]): string =>
    `<ol>${entries.map(({ title, pageNumber, children }) => `<li><p><span>${escapeHtml(title)}</span><span>${pageNumber}</span></p>${list(children)}</li>`).join('')}</ol>`;
  const style =
    'body{font:10pt "Liberation Serif",serif}ol{list-style:none;padding:0 0 0 1.4em;margin:0}body>ol{padding:0}p{display:flex;justify-content:space-between;margin:0;gap:1em}';
  const html = `<!doctype html><style>${style}</style><h2>Contents</h2>${list(bookmarks)}`;
  const content = await browser.print({ html, title: 'Contents', scripts: false }, { tagged: false });
  const contents = qpdf.open(new InputFile('contents.pdf', content));
  mergeDocuments({ doc, title: '' }, [{ doc: contents, title: '' }], { outlineByFile: false });
}

function drawNumbers({ text }: Doors, doc: QpdfDocument): void {
  const fonts = new EmbeddedFonts(doc);
  const overlay = new PageOverlay(doc);
  for (const [index, ref] of doc.pages().entries()) {
    const laidOut = text.layout(String(index + 1), { size: 9, align: 'center', field: 'includePageNumbers' });
    const form = textForm(doc, laidOut, fonts, { paint: paintOf('#000000') });
    const shown = displayedPage(doc, ref);
    const { x, y } = cornerAt(BOTTOM_CENTRE, laidOut, shown, 'medium');
    overlay.draw(shown, [{ form, matrix: rotatedPlacement(x, y, laidOut, 0) }]);
  }
  fonts.finish();
}
