// Who draws an SVG: librsvg, which is quick, or the browser for what librsvg knows not or draws otherwise.
import { fileInMemory, type InputFile } from '../../../contract/files.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Engines } from '../../../engines/engines.ts';
import type { QpdfDocument } from '../../../engines/qpdf/qpdf-document.ts';
import { displayedPage } from '../../../pdf/pages/displayed-page.ts';

type Drawing = Pick<Engines, 'qpdf' | 'rsvg' | 'browser'>;

const A4 = { width: '210mm', height: '297mm' };
const POINTS_PER_PIXEL = 0.75;
/** Operations 1.5: "widths and heights above 0 to 14400". */
const MOST_POINTS = 14_400;
const LEAST_POINTS = 0.1;
/** Text along paths, web pages inside, drawings inside drawings, gradients that are turned or have a focus. */
const FOR_BROWSER =
  /<(?:\w+:)?(?:textPath|foreignObject)[\s/>]|data:image\/svg|<(?:\w+:)?radialGradient[^>]*\s(?:gradientTransform|f[xyr])\s*=/i;

/** A document of one page. */
export async function drawSvg(engine: Drawing, file: InputFile): Promise<QpdfDocument> {
  const open = (bytes: Uint8Array): QpdfDocument => engine.qpdf.open(fileInMemory(file.name, bytes));
  const drawn = await boundedDrawing(engine, file, open);
  const [page] = drawn.pages();
  const svg = file.bytes();
  if (!page || !FOR_BROWSER.test(Buffer.from(svg.buffer, svg.byteOffset, svg.length).toString('latin1')))
    return drawn;
  const { width, height } = displayedPage(drawn, page);
  const content = await inBrowser(engine, svg, width, height);
  if (!content) return drawn;
  engine.qpdf.close(drawn);
  return engine.qpdf.open({ ...file, content });
}

/** Drawn smaller where the page would be larger than a page can be, its aspect kept. */
async function boundedDrawing(
  { qpdf, rsvg }: Drawing,
  file: InputFile,
  open: (bytes: Uint8Array) => QpdfDocument,
): Promise<QpdfDocument> {
  const drawn = open(await rsvg.toPdf(file, 'fileInput', A4));
  const [page] = drawn.pages();
  if (!page) return drawn;
  const { width, height } = displayedPage(drawn, page);
  const zoom = MOST_POINTS / Math.max(width, height);
  if (zoom >= 1) return drawn;
  if (Math.min(width, height) * zoom < LEAST_POINTS)
    throw new Problem('unsupported_file_type', `fileInput: ${file.name} is too large a drawing for a page.`);
  qpdf.close(drawn);
  return open(await rsvg.toPdf(file, 'fileInput', A4, zoom));
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
