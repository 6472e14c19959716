import { drawsImage } from '../../pdf/images/drawn-images.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { file, operation, pdfFile } from '../define.ts';
import { pages } from '../fields.ts';

export default operation({
  summary: 'Let a PDF pass that contains an image',
  description:
    'Inline images count, and those nested in forms, patterns and the looks of annotations. Returns the file ' +
    'unchanged when it passes, and nothing (204) when it does not.',
  inputs: { fileInput: file('pdf') },
  params: { pageNumbers: pages('Pages to search', { default: 'all' }) },
  output: pdfFile('', { mayBeNothing: true }),
  uses: ['qpdf'],
  async run({ fileInput }, { pageNumbers }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const searched = selectPageSet(pageNumbers, doc.pageCount);
    if (!searched.some((page) => drawsImage(doc, page - 1))) return null;
    return { content: fileInput.content, name: fileInput.name };
  },
});
