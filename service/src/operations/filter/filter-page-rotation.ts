import { rotationOf } from '../../pdf/geometry/page-rotation.ts';
import { file, operation, pdfFile } from '../define.ts';
import { integer } from '../fields.ts';
import { comparator, stands } from './_comparison.ts';

export default operation({
  summary: 'Let a PDF pass by the rotation of its first page',
  description:
    "The first page's rotation is 0, 90, 180 or 270 degrees clockwise. Returns the file unchanged when it " +
    'passes, and nothing (204) when it does not.',
  example: { rotation: 90, comparator: 'Equal' },
  inputs: { fileInput: file('pdf') },
  params: {
    rotation: integer('Degrees to compare with', { default: 0, min: 0, max: 360 }),
    comparator: comparator(),
  },
  output: pdfFile('', { mayBeNothing: true }),
  uses: ['qpdf'],
  async run({ fileInput }, { rotation, comparator }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    if (!stands(comparator, rotationOf(doc, doc.page(0)), rotation)) return null;
    return { content: fileInput.content, name: fileInput.name };
  },
});
