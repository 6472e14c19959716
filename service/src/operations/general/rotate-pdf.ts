import { rotatePage } from '../../pdf/geometry/page-rotation.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { file, operation, pdfFile } from '../define.ts';
import { integer, pages } from '../fields.ts';

export default operation({
  summary: 'Rotate pages clockwise',
  description:
    'The angle is added to the rotation a page already has. Content, links and fields stay as they are.',
  example: { angle: 90, pageNumbers: '1' },
  inputs: { fileInput: file('pdf') },
  params: {
    angle: integer('Degrees clockwise; a negative angle turns the other way', {
      default: 90,
      multipleOf: 90,
      min: -3600,
      max: 3600,
    }),
    pageNumbers: pages('Pages to rotate', { default: 'all' }),
  },
  output: pdfFile('_rotated'),
  uses: ['qpdf'],
  async run({ fileInput }, { angle, pageNumbers }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const refs = doc.pages();
    for (const page of selectPageSet(pageNumbers, refs.length)) {
      const ref = refs[page - 1];
      if (ref) rotatePage(doc, ref, angle);
    }
    return { content: doc.save() };
  },
});
