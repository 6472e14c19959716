import { file, operation, pdfFile } from '../define.ts';
import { integer } from '../fields.ts';
import { comparator, stands } from './_comparison.ts';

export default operation({
  summary: 'Let a PDF pass by its number of pages',
  description: 'Returns the file unchanged when it passes, and nothing (204) when it does not.',
  example: { pageCount: 3, comparator: 'Greater' },
  inputs: { fileInput: file('pdf') },
  params: {
    pageCount: integer('Number of pages to compare with', { default: 0, min: 0, max: 1_000_000 }),
    comparator: comparator(),
  },
  output: pdfFile('', { mayBeNothing: true }),
  uses: ['qpdf'],
  async run({ fileInput }, { pageCount, comparator }, { engine }) {
    if (!stands(comparator, engine.qpdf.open(fileInput).pageCount, pageCount)) return null;
    return { content: fileInput.content, name: fileInput.name };
  },
});
