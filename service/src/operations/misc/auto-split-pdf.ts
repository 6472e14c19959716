import { Problem } from '../../contract/problems.ts';
import { splitAtDividers } from '../../pdf/pages/divider-pages.ts';
import { PageExtraction } from '../../pdf/pages/page-extraction.ts';
import { archive, file, operation } from '../define.ts';
import { flag, text } from '../fields.ts';

/** Texts on divider sheets that are in use. */
const USUAL_MARKERS: readonly string[] = [
  'https://github.com/Stirling-Tools/Stirling-PDF',
  'https://github.com/Frooodle/Stirling-PDF',
  'https://stirlingpdf.com',
  'pdf-split',
];
const ANY_MARKER = '*';

/** A code that a coarse look misses is found at the resolution of a good scan. */
const LOOKS = [
  { dpi: 120, maxPixels: 4_000_000 },
  { dpi: 300, maxPixels: 16_000_000 },
] as const;

export default operation({
  summary: 'Split at pages with a QR code',
  description:
    'A page with a matching QR code, anywhere on it and in any rotation, is a divider: it is dropped, and a new part ' +
    'begins after it. Each part keeps what belongs to its pages; attachments of the document go into the first part.',
  example: { duplexMode: true },
  inputs: { fileInput: file('pdf') },
  params: {
    duplexMode: flag('Drop the page after a divider too: the back of a sheet'),
    markerText: text(
      'Exact text of the QR code on a divider; * for any; absent: the texts of common divider sheets, and pdf-split',
      { min: 1, max: 1000 },
    ),
  },
  output: archive('', 'pdf'),
  uses: ['qpdf', 'pdfium', 'codes'],
  refuses: ['nothing_found'],
  async run({ fileInput }, { duplexMode, markerText }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const pages = doc.pages();
    using view = engine.pdfium.openLike(fileInput, doc);
    const isMarker = (found: string): boolean =>
      markerText === ANY_MARKER || (markerText === undefined ? USUAL_MARKERS : [markerText]).includes(found);
    const isDivider = async (index: number): Promise<boolean> => {
      if (view.isEmpty(index)) return false;
      for (const look of LOOKS) {
        const image = view.render(index, { ...look, annotations: true });
        const found = await engine.codes.readQrCodes(image);
        if (found.some(isMarker)) return true;
      }
      return false;
    };
    const dividers: number[] = [];
    for (const index of pages.keys()) if (await isDivider(index)) dividers.push(index);
    const runs = splitAtDividers(dividers, pages.length, duplexMode);
    if (runs.length === 0)
      throw new Problem('nothing_found', 'There is nothing but dividers in the document.');
    const extraction = new PageExtraction(doc);
    return runs.map(({ from, to }, part) => {
      extraction.keep(pages.slice(from, to), { wholeDocumentThings: part === 0 });
      return { name: `${fileInput.base}_${part + 1}.pdf`, content: doc.save() };
    });
  },
});
