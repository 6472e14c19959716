import { file, operation, pdfFile } from '../define.ts';
import { flag } from '../fields.ts';

export default operation({
  summary: 'Arrange a PDF for fast web view',
  description: 'A linearized file shows its first page before all of it has arrived.',
  inputs: { fileInput: file('pdf') },
  params: {
    normalize: flag('Write the drawing instructions of pages in a uniform way'),
  },
  output: pdfFile('_linearized'),
  uses: ['qpdf'],
  async run({ fileInput }, { normalize }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    return { content: doc.save({ linearize: true, normalizeContent: normalize }) };
  },
});
