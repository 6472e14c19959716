import { removeImages } from '../../pdf/images/image-removal.ts';
import { file, operation, pdfFile } from '../define.ts';

export default operation({
  summary: 'Remove images',
  description:
    'Images are taken out of the file: those on pages, nested in forms and patterns, written inline, in appearances of ' +
    'annotations, and thumbnails. Text and vector graphics stay; letters that a font draws as small images are text.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: pdfFile('_images_removed'),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    removeImages(doc);
    return { content: doc.save() };
  },
});
