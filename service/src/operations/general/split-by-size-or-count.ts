import type { Content } from '../../contract/files.ts';
import { contentSize } from '../../contract/files.ts';
import { GIB, KIB, MIB } from '../../contract/limits.ts';
import { invalidParameter } from '../../contract/problems.ts';
import { PageExtraction } from '../../pdf/pages/page-extraction.ts';
import { type PageRun, runsInto, runsOf, runsWithin } from '../../pdf/pages/page-parts.ts';
import { archive, file, operation } from '../define.ts';
import { integer, sizeFromText, text } from '../fields.ts';
import { discard, type Part, savePart, saveParts } from './_part-saving.ts';

const BY_SIZE = 0;
const PAGES_EACH = 1;
const MAX_COUNT = 100_000;

export default operation({
  summary: 'Split by size, by page count or into a number of files',
  description:
    'By size, each part takes as many pages as fit; a single page above the size stands alone. Into a number of files, ' +
    'the remainder goes to the first ones. Each part keeps what belongs to its pages; attachments of the document go ' +
    'into the first part.',
  example: { splitType: 1, splitValue: '10' },
  inputs: { fileInput: file('pdf') },
  params: {
    splitType: integer('What splitValue means: 0 largest size, 1 pages per file, 2 number of files', {
      default: BY_SIZE,
      min: 0,
      max: 2,
    }),
    splitValue: text(
      'A size such as 500KB or 10MB (the default) for splitType 0; a whole number for 1 and 2',
      {
        max: 40,
        expects: 'a size from 1 KB to 2 GB, or a whole number',
      },
    ),
  },
  output: archive('', 'pdf'),
  uses: ['qpdf'],
  check({ splitType, splitValue }) {
    splitValueOf(splitType, splitValue);
  },
  async run({ fileInput }, { splitType, splitValue }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const refs = doc.pages();
    const value = splitValueOf(splitType, splitValue);
    const extraction = new PageExtraction(doc);
    const partOf = ({ from, to }: PageRun): Part => ({
      pages: refs.slice(from, to),
      options: { wholeDocumentThings: from === 0 },
    });
    const measure = (run: PageRun) => {
      // A trial that is too large is of no use, however small it could be made.
      const made = savePart(doc, extraction, partOf(run));
      return { made, bytes: contentSize(made) };
    };
    const split = (runs: PageRun[]): Content[] =>
      saveParts(doc, extraction, runs.map(partOf), fileInput.size);
    const contents =
      splitType === BY_SIZE
        ? runsWithin(value, refs.length, measure, discard)
        : split((splitType === PAGES_EACH ? runsOf : runsInto)(value, refs.length));
    return contents.map((content, index) => ({ name: `${fileInput.base}_${index + 1}.pdf`, content }));
  },
});

/** Bytes for a size, else a count. "10MB for 0, req for 1 and 2" */
function splitValueOf(splitType: number, splitValue: string | undefined): number {
  if (splitType === BY_SIZE) {
    const bytes = splitValue === undefined ? 10 * MIB : sizeFromText(splitValue);
    if (typeof bytes === 'number' && bytes >= KIB && bytes <= 2 * GIB) return bytes;
    throw invalidParameter('splitValue must be a size from 1 KB to 2 GB, such as 500KB or 1.5 MB.');
  }
  const count = /^\s*\+?\d{1,9}\s*$/.test(splitValue ?? '') ? Number(splitValue) : Number.NaN;
  if (count >= 1 && count <= MAX_COUNT) return count;
  const isRequired = splitValue === undefined ? 'splitValue is required: ' : 'splitValue must be ';
  throw invalidParameter(`${isRequired}a whole number from 1 to ${MAX_COUNT} with splitType ${splitType}.`);
}
