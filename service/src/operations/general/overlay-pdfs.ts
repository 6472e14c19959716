import { invalidParameter } from '../../contract/problems.ts';
import { drawAnnotations } from '../../pdf/annotations/flatten-pages.ts';
import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { raiseVersion } from '../../pdf/merge/merge.ts';
import { bringLayers, OverlaySource, overlayOrder } from '../../pdf/merge/overlays.ts';
import { PageOverlay } from '../../pdf/pages/page-overlay.ts';
import { pdfVersion } from '../../pdf/pdf-version.ts';
import { file, files, operation, pdfFile } from '../define.ts';
import { choice, integer, list } from '../fields.ts';

const BACKGROUND = 1;

export default operation({
  summary: 'Draw pages of other PDFs over or under pages',
  description:
    'Overlays are placed unscaled, with the lower-left corners of the displayed pages matched. SequentialOverlay: the pages ' +
    'of all overlays, file after file, one per page, starting again at the end. InterleavedOverlay: the files take turns, ' +
    "each giving its next page. FixedRepeatOverlay: each file's pages in turn, the whole file repeated as counts says, " +
    'then the next file; pages left over stay untouched. What overlay pages show is placed, with their layers; annotations ' +
    'and form fields are drawn as they look, links and tags are left out.',
  example: { overlayMode: 'SequentialOverlay' },
  inputs: {
    fileInput: file('pdf'),
    overlayFiles: files('pdf', 'The overlays, in order', { max: 100, takesRest: true }),
  },
  params: {
    overlayMode: choice(
      'Which overlay page each page gets',
      ['SequentialOverlay', 'InterleavedOverlay', 'FixedRepeatOverlay'],
      { default: 'SequentialOverlay' },
    ),
    counts: list(
      'Repeats of each overlay file, for FixedRepeatOverlay: one number per file',
      integer('Repeats', { required: true, min: 1, max: 10_000 }),
      { min: 1, max: 100 },
    ),
    overlayPosition: integer('0 foreground, 1 background', { default: 0, min: 0, max: 1 }),
  },
  output: pdfFile('_overlayed'),
  uses: ['qpdf', 'text'],
  unused: ({ overlayMode }) => (overlayMode === 'FixedRepeatOverlay' ? [] : ['counts']),
  check({ overlayMode, counts }, { overlayFiles }) {
    if (overlayMode !== 'FixedRepeatOverlay') return;
    // In a pipeline the overlays may be the files of the step before, not known yet.
    if (!counts || overlayFiles > 0) expectCounts(counts, overlayFiles);
  },
  async run({ fileInput, overlayFiles }, { overlayMode, counts, overlayPosition }, { engine }) {
    if (overlayMode === 'FixedRepeatOverlay') expectCounts(counts, overlayFiles.length);
    const doc = engine.qpdf.open(fileInput);
    const opened = overlayFiles.map((overlay) => engine.qpdf.open(overlay));
    for (const overlay of opened) drawAnnotations(overlay, engine.text.layout);
    const sources = opened.map((overlay) => new OverlaySource(doc, overlay));
    const bases = doc.pages().map((ref) => displayedPage(doc, ref));
    const order = overlayOrder(
      overlayMode,
      bases.length,
      opened.map((overlay) => overlay.pageCount),
      counts ?? [],
    );
    const overlay = new PageOverlay(doc, overlayPosition === BACKGROUND ? 'background' : 'foreground');
    bases.forEach((base, index) => {
      const chosen = order[index];
      const form = chosen && sources[chosen.file]?.form(chosen.page);
      // "placed unscaled, lower-left corners of the displayed pages matched"
      if (form) overlay.draw(base, [{ form }]);
    });
    bringLayers(doc, sources);
    const version = Math.max(...opened.map((each) => pdfVersion(each, each.headerVersion)));
    raiseVersion(doc, doc.headerVersion, version);
    return { content: doc.save() };
  },
});

function expectCounts(counts: readonly number[] | undefined, overlays: number): void {
  if (counts?.length === overlays) return;
  const given = counts === undefined ? 'counts is required' : `counts has ${counts.length} numbers`;
  throw invalidParameter(
    `${given}: FixedRepeatOverlay wants one number from 1 to 10000 per overlay file${overlays > 0 ? `, here ${overlays}` : ''}.`,
  );
}
