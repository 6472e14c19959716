// Who draws an SVG: librsvg, which is quick, or the browser for what librsvg knows not or draws otherwise.
import { fileInMemory, type InputFile } from '../contract/files.ts';
import { MIB } from '../contract/limits.ts';
import { Problem } from '../contract/problems.ts';
import type { Engines } from '../engines/engines.ts';
import type { QpdfDocument } from '../engines/qpdf/qpdf-document.ts';
import type { Size } from '../engines/rsvg/drawing-size.ts';
import { displayedPage } from '../pdf/geometry/displayed-page.ts';
import { Dict, name, PdfString, type Ref } from '../pdf/objects.ts';
import { forPaper, needsBrowser } from './beyond-librsvg.ts';
import { repairMarkup } from './markup-repair.ts';

type Drawing = Pick<Engines, 'qpdf' | 'rsvg' | 'browser'>;

export const A4: Size = { width: '210mm', height: '297mm' };
const POINTS_PER_PIXEL = 0.75;
/** Operations 1.5: "widths and heights above 0 to 14400". */
const MOST_POINTS = 14_400;
const LEAST_POINTS = 0.1;
const MOST_REPAIRED_BYTES = 20 * MIB;

/**
 * A document of one page. Problems name the field that brought the file. With `paper` it is a page for itself: as large
 * as that where the drawing says no size, and within what pages can be; without, it is as large as what is drawn.
 */
export async function drawSvg(
  engine: Drawing,
  file: InputFile,
  field: string,
  paper?: Size,
): Promise<QpdfDocument> {
  try {
    return await documentOf(engine, file, field, paper);
  } catch (error) {
    const isRefused = error instanceof Problem && error.reason === 'unsupported_file_type';
    const bytes = isRefused && file.size <= MOST_REPAIRED_BYTES ? repairMarkup(file.bytes()) : undefined;
    if (!bytes) throw error;
    return documentOf(engine, fileInMemory(file.name, bytes), field, paper);
  }
}

async function documentOf(
  engine: Drawing,
  file: InputFile,
  field: string,
  paper: Size | undefined,
): Promise<QpdfDocument> {
  const open = (bytes: Uint8Array): QpdfDocument => engine.qpdf.open(fileInMemory(file.name, bytes));
  const drawn = paper
    ? await boundedDrawing(engine, file, { field, paper, open })
    : open(await engine.rsvg.toPdf(file, field));
  const [page] = drawn.pages();
  const svg = file.bytes();
  if (!page || !needsBrowser(svg)) return drawn;
  const { width, height } = displayedPage(drawn, page);
  const content = await inBrowser(engine, forPaper(svg), width, height);
  if (!content) return drawn;
  const shown = engine.qpdf.open(file.with(content));
  takeLinks(shown, drawn, page);
  engine.qpdf.close(drawn);
  return shown;
}

/** Links lead out of a drawing, but not out of an image of one; where they are is as before. */
function takeLinks(doc: QpdfDocument, drawn: QpdfDocument, page: Ref): void {
  const links = (drawn.array(drawn.dict(page)?.get('Annots')) ?? []).flatMap((value) => {
    const annotation = drawn.dict(value);
    const target = drawn.resolve(drawn.dict(annotation?.get('A'))?.get('URI'));
    const sides = drawn.array(annotation?.get('Rect'))?.map((side) => drawn.number(side) ?? 0);
    if (!(target instanceof PdfString) || sides?.length !== 4) return [];
    const action = Dict.of({ S: name('URI'), URI: target });
    const entries = { Type: name('Annot'), Subtype: name('Link'), Rect: sides, Border: [0, 0, 0], A: action };
    return [doc.add(Dict.of(entries))];
  });
  const [first] = doc.pages();
  if (first && links.length > 0) doc.edit(first).set('Annots', links);
}

/** Drawn smaller where the page would be larger than a page can be, its aspect kept. */
async function boundedDrawing(
  { qpdf, rsvg }: Drawing,
  file: InputFile,
  { field, paper, open }: { field: string; paper: Size; open: (bytes: Uint8Array) => QpdfDocument },
): Promise<QpdfDocument> {
  const drawn = open(await rsvg.toPdf(file, field, paper));
  const [page] = drawn.pages();
  if (!page) return drawn;
  const { width, height } = displayedPage(drawn, page);
  const zoom = MOST_POINTS / Math.max(width, height);
  if (zoom >= 1) return drawn;
  if (Math.min(width, height) * zoom < LEAST_POINTS)
    throw new Problem('unsupported_file_type', `${field}: ${file.name} is too large a drawing for a page.`);
  qpdf.close(drawn);
  return open(await rsvg.toPdf(file, field, paper, zoom));
}

/** As an image of a page: then no script runs and nothing else is loaded. */
async function inBrowser({ browser }: Drawing, bytes: Uint8Array, width: number, height: number) {
  const size = `width:${width / POINTS_PER_PIXEL}px;height:${height / POINTS_PER_PIXEL}px`;
  const html = `<!doctype html><body style="margin:0;overflow:hidden"><img style="display:block;${size}" src="drawing.svg">`;
  const resource = async (path: string) =>
    path === 'drawing.svg' ? { bytes, mediaType: 'image/svg+xml' } : undefined;
  const margins = { top: 0, right: 0, bottom: 0, left: 0 };
  try {
    return await browser.print(
      { html, scripts: false, resource },
      { paper: { width, height }, margins, preferCssPageSize: false, pageRanges: '1', tagged: false },
    );
  } catch (error) {
    // Without a browser, or one that cannot print pages so large, there is still the other drawing.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
