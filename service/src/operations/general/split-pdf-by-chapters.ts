import { Problem } from '../../contract/problems.ts';
import { chapterFileNames, chaptersOf } from '../../pdf/pages/chapters.ts';
import { PageExtraction } from '../../pdf/pages/page-extraction.ts';
import { archive, file, operation } from '../define.ts';
import { flag, integer } from '../fields.ts';
import { saveParts } from './_part-saving.ts';

export default operation({
  summary: 'Split at bookmarks',
  description:
    'Each bookmark down to the chosen level begins a part, which runs to the page before the next one and has at least one ' +
    'page. Entries are named by their number, from 0, and the title of the bookmark. Each part keeps what belongs to its ' +
    'pages; attachments of the document go into the first part.',
  example: { bookmarkLevel: 0, includeMetadata: true },
  inputs: { fileInput: file('pdf') },
  params: {
    bookmarkLevel: integer('Deepest level that cuts; 0 is the top level', { default: 0, min: 0, max: 31 }),
    includeMetadata: flag('Copy the document information into the parts'),
    allowDuplicates: flag('Bookmarks on the same page make separate parts; false: one part, titles joined'),
    includeFrontMatter: flag('Pages before the first bookmark make a part too, titled "front"'),
  },
  output: archive('', 'pdf'),
  uses: ['qpdf'],
  refuses: ['nothing_found'],
  async run({ fileInput }, values, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const chapters = chaptersOf(doc, {
      deepest: values.bookmarkLevel,
      separate: values.allowDuplicates,
      frontMatter: values.includeFrontMatter,
    });
    if (chapters.length === 0)
      throw new Problem('nothing_found', 'The document has no bookmark that leads to a page.');
    const names = chapterFileNames(chapters);
    const refs = [...doc.pages()];
    if (!values.includeMetadata) {
      doc.setTrailer('Info', undefined);
      doc.edit(doc.catalogRef).delete('Metadata');
    }
    const extraction = new PageExtraction(doc);
    const parts = chapters.map(({ from, to }, index) => ({
      pages: refs.slice(from, to),
      options: { wholeDocumentThings: index === 0 },
    }));
    return saveParts(doc, extraction, parts, fileInput.size).map((content, index) => ({
      name: names[index] ?? `${index}.pdf`,
      content,
    }));
  },
});
