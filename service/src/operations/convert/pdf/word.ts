import { readDocument } from '../../../layout/read-document.ts';
import { encodeFigure } from '../../../procedures/figure-files.ts';
import { ownFile } from '../../../procedures/office-formats.ts';
import { writeDocx } from '../../../writers/docx/write-docx.ts';
import { binaryFile, file, operation } from '../../define.ts';
import { choice } from '../../fields.ts';

export default operation({
  summary: 'Turn a PDF into a Word document',
  description:
    'Editable text: paragraphs, headings, lists, tables, images, links, footnotes, formulas (Office Math, in docx), ' +
    'columns, headers and footers, page by ' +
    'page as they stood. doc and odt are made from the docx by LibreOffice.',
  example: { outputFormat: 'docx' },
  inputs: { fileInput: file('pdf') },
  params: {
    outputFormat: choice('Format of the document', ['docx', 'doc', 'odt'], { default: 'docx' }),
    mode: choice(
      'flow: text that can be edited; exact: every block in a frame at its place',
      ['flow', 'exact'],
      {
        default: 'flow',
      },
    ),
  },
  output: binaryFile('docx', '', 'docx', { alternatives: ['doc', 'odt'] }),
  makes: ({ outputFormat }) => outputFormat,
  uses: ['qpdf', 'pdfium', 'sharp'],
  mayUse: ['office'],
  async run({ fileInput }, { outputFormat, mode }, { engine, newFile, progress }) {
    using view = engine.pdfium.openLike(fileInput, () => engine.qpdf.open(fileInput));
    const document = await readDocument(view, {
      onPage: (page) => progress(page - 1, view.pageCount),
      // LibreOffice leaves out formulas of a docx where its part for them is not there.
      formulas: outputFormat === 'docx',
      join: mode === 'flow' ? 'words' : 'none',
      behind: 'grounds',
      dropCaps: mode === 'flow',
      encodePng: (pixels) => encodeFigure(engine.sharp, pixels),
    });
    const content = await writeDocx(newFile('docx'), document, { mode });
    if (outputFormat === 'docx') return { content };
    const name = `${fileInput.base}.${outputFormat}`;
    const converted = await engine.office.convert(
      ownFile(`${fileInput.base}.docx`, content),
      'docx',
      outputFormat,
    );
    return { content: converted, name, kind: outputFormat };
  },
});
