import { mergeDocuments } from '../../../pdf/merge/merge.ts';
import { editInfo } from '../../../pdf/metadata/metadata.ts';
import { A4, drawSvg } from '../../../procedures/svg-drawing.ts';
import { files, operation, pdfFile } from '../../define.ts';
import { flag } from '../../fields.ts';

export default operation({
  summary: 'Make a PDF of SVG drawings',
  description:
    'Each drawing becomes a page: vectors stay vectors, text stays text. The page is as large as width and height say, ' +
    'else as viewBox does, else A4; a CSS pixel is 0.75 points. Nothing outside a drawing is read and no script runs.',
  example: { combineIntoSinglePdf: true },
  inputs: { fileInput: files('svg', 'Drawings in order') },
  params: {
    combineIntoSinglePdf: flag('Of several files make one PDF; else a ZIP with a PDF of each', {
      default: true,
    }),
  },
  output: pdfFile('', { alternatives: ['zip'] }),
  uses: ['qpdf', 'rsvg'],
  mayUse: ['browser'],
  async run({ fileInput }, { combineIntoSinglePdf }, { engine }) {
    const drawn = [];
    for (const file of fileInput) {
      const doc = await drawSvg(engine, file, 'fileInput', A4);
      // What the programs say of themselves is not of the drawing.
      for (const key of ['CreationDate', 'Creator', 'Title']) editInfo(doc).delete(key);
      drawn.push({ doc, title: file.base });
    }
    if (!combineIntoSinglePdf && drawn.length > 1) {
      const entries = drawn.map(({ doc, title }) => ({ content: doc.save(), name: `${title}.pdf` }));
      return { entries, suffix: '_converted_svgs' };
    }
    const [first, ...others] = drawn;
    if (!first) throw new Error('no drawing');
    mergeDocuments(first, others, { outlineByFile: false, taken: ({ doc }) => engine.qpdf.close(doc) });
    return { content: first.doc.save(), suffix: others.length > 0 ? '_combined' : '' };
  },
});
