import { file, operation, pdfFile } from '../define.ts';
import { integer } from '../fields.ts';
import { comparator, stands } from './_comparison.ts';

export default operation({
  summary: 'Let a PDF pass by its file size',
  description: 'Returns the file unchanged when it passes, and nothing (204) when it does not.',
  example: { fileSize: 1000000, comparator: 'Greater' },
  inputs: { fileInput: file('pdf') },
  params: {
    fileSize: integer('Size in bytes to compare with', { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER }),
    comparator: comparator(),
  },
  output: pdfFile('', { mayBeNothing: true }),
  uses: ['qpdf'],
  async run({ fileInput }, { fileSize, comparator }, { engine }) {
    engine.qpdf.open(fileInput);
    if (!stands(comparator, fileInput.size, fileSize)) return null;
    return { content: fileInput.content, name: fileInput.name };
  },
});
