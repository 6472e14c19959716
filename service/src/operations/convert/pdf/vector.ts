import { writeFileSync } from 'node:fs';
import { invalidParameter, Problem } from '../../../contract/problems.ts';
import { contentParts } from '../../../pdf/content/page-content.ts';
import type { PdfDocument } from '../../../pdf/document.ts';
import { fontFileOf } from '../../../pdf/fonts/font-file.ts';
import { type DisplayedPage, displayedPage } from '../../../pdf/geometry/displayed-page.ts';
import { Dict } from '../../../pdf/objects.ts';
import { formatNumber } from '../../../pdf/syntax/object-syntax.ts';
import { binaryFile, file, type MadeEntry, operation } from '../../define.ts';
import { choice } from '../../fields.ts';

/** Programs that draw side by side. */
const AT_ONCE = 2;

export default operation({
  summary: 'Turn pages into vector drawings',
  description:
    'Lines, text and fills stay vectors that scale without loss. ps, and for printers pcl (PCL 6) and xps: one file ' +
    'with all pages, letters as their outlines in xps. svg and eps: one page as that file, several as a ZIP, ' +
    'base_converted.zip, of base_<page>.<format>.',
  example: { outputFormat: 'svg' },
  inputs: { fileInput: file('pdf') },
  params: {
    outputFormat: choice('Format of the drawings', ['svg', 'eps', 'ps', 'pcl', 'xps'], { default: 'svg' }),
  },
  output: binaryFile('svg', '_converted', 'svg', { alternatives: ['eps', 'ps', 'pcl', 'xps'] }),
  makes: ({ outputFormat }) => outputFormat,
  uses: ['qpdf', 'poppler'],
  mayUse: ['ghostscript'],
  async run({ fileInput }, { outputFormat: kind }, { engine, newFile }) {
    const doc = engine.qpdf.open(fileInput);
    const sizes = doc.pages().map((ref) => displayedPage(doc, ref));
    if (kind === 'pcl' || kind === 'xps') refuseAbsentFonts(doc, kind);
    if (kind === 'xps') for (const page of sizes) layPaper(doc, page);
    // As qpdf has opened it: repaired, and without a password.
    const content = doc.save({ keepModificationDate: true });
    const pdf = 'path' in content ? content.path : newFile('pdf');
    if ('bytes' in content) writeFileSync(pdf, content.bytes);
    const drawn = (path: string | undefined, what: string): { path: string } => {
      if (path !== undefined) return { path };
      throw new Problem('invalid_pdf', `${what} of ${fileInput.name} cannot be drawn as ${kind}.`);
    };
    if (kind === 'pcl' || kind === 'xps') {
      const made = await engine.ghostscript.forPrinters({ path: pdf }, kind);
      return { content: drawn(made?.path, 'The pages'), kind };
    }
    if (kind === 'ps') return { content: drawn(await engine.poppler.ps(pdf, sizes), 'The pages'), kind };
    const entries: MadeEntry[] = [];
    const draw = async (index: number): Promise<void> => {
      const page = index + 1;
      const size = sizes[index];
      const path =
        kind === 'svg' || !size
          ? await engine.poppler.svg(pdf, page)
          : await engine.poppler.eps(pdf, page, size);
      const name = `${fileInput.base}_${page}.${kind}`;
      entries[index] = { name, content: drawn(path, `Page ${page}`), kind };
    };
    for (let first = 0; first < sizes.length; first += AT_ONCE)
      await Promise.all([...sizes.keys()].slice(first, first + AT_ONCE).map(draw));
    const [only] = entries;
    if (only && entries.length === 1) return { content: only.content, kind };
    return { entries, suffix: '_converted' };
  },
});

/** Of composite fonts that a document does not bring along, Ghostscript draws other letters in other places. */
function refuseAbsentFonts(doc: PdfDocument, kind: string): void {
  for (const ref of doc.allRefs()) {
    const font = doc.get(ref);
    if (!(font instanceof Dict) || !/^CIDFontType[02]$/.test(doc.name(font.get('Subtype')) ?? '')) continue;
    if (fontFileOf(doc, doc.dict(font.get('FontDescriptor')))) continue;
    const name = doc.name(font.get('BaseFont')) ?? 'one of its fonts';
    throw invalidParameter(`The pages cannot be drawn as ${kind}: ${name} is not in the document.`, {
      hint: 'svg, eps and ps are drawn with another font in its place; convert/pdf/pdfa puts fonts into the document.',
    });
  }
}

/** White under a page: Ghostscript leaves pages without any mark out of an XPS. */
function layPaper(doc: PdfDocument, { ref, box }: DisplayedPage): void {
  const { left, bottom, right, top } = box;
  const area = [left, bottom, right - left, top - bottom].map(formatNumber).join(' ');
  const under = doc.addStream(new Dict(), Buffer.from(`q 1 g ${area} re f Q\n`));
  doc.edit(ref).set('Contents', [under, ...contentParts(doc, ref)]);
}
