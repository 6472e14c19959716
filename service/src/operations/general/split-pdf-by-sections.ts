import { invalidParameter } from '../../contract/problems.ts';
import { PageExtraction } from '../../pdf/pages/page-extraction.ts';
import { cutIntoSections } from '../../pdf/pages/page-sections.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, flag, integer, pages } from '../fields.ts';

export default operation({
  summary: 'Cut pages into sections',
  description:
    'Pages as displayed are cut by lines at equal distances; sections follow column by column, each from top to bottom. ' +
    'Other pages stay whole, in place. Links, form fields and other annotations stay with the section that shows most of ' +
    'them, destinations lead to the section that holds the place, and every section has the label of its page. Tags of a ' +
    'page that was cut belong to its first section. A section shows only its part; the rest of the page is hidden, not ' +
    'removed (general/crop removes).',
  example: { horizontalDivisions: 1, verticalDivisions: 1 },
  inputs: { fileInput: file('pdf') },
  params: {
    horizontalDivisions: integer('Columns are this number plus 1', { default: 0, min: 0, max: 50 }),
    verticalDivisions: integer('Rows are this number plus 1', { default: 1, min: 0, max: 50 }),
    merge: flag('One PDF with all sections; false: a ZIP with a PDF for each', { default: true }),
    splitMode: choice(
      'Pages that are cut',
      [
        'SPLIT_ALL',
        'SPLIT_ALL_EXCEPT_FIRST',
        'SPLIT_ALL_EXCEPT_LAST',
        'SPLIT_ALL_EXCEPT_FIRST_AND_LAST',
        'CUSTOM',
      ],
      { default: 'SPLIT_ALL' },
    ),
    pageNumbers: pages('Pages that are cut, for CUSTOM', {}),
  },
  output: pdfFile('_split', { alternatives: ['zip'] }),
  uses: ['qpdf'],
  unused: ({ splitMode }) => (splitMode === 'CUSTOM' ? [] : ['pageNumbers']),
  check({ splitMode, pageNumbers }) {
    if (splitMode === 'CUSTOM' && pageNumbers === undefined)
      throw invalidParameter('pageNumbers is required with splitMode CUSTOM.');
  },
  async run({ fileInput }, values, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const count = doc.pageCount;
    const { splitMode, pageNumbers } = values;
    const [from, to] = [splitMode.includes('FIRST') ? 2 : 1, splitMode.includes('LAST') ? count - 1 : count];
    const numbers =
      splitMode === 'CUSTOM' && pageNumbers !== undefined
        ? selectPageSet(pageNumbers, count)
        : Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    const division = { columns: values.horizontalDivisions + 1, rows: values.verticalDivisions + 1 };
    const sections = cutIntoSections(doc, numbers, division);
    if (values.merge) return { content: doc.save() };
    const extraction = new PageExtraction(doc);
    const entries = sections.map(({ ref, page, section }, index) => {
      extraction.keep([ref], { wholeDocumentThings: index === 0 });
      return { name: `${fileInput.base}_split_${page}_${section}.pdf`, content: doc.save() };
    });
    return { entries, suffix: '_split' };
  },
});
