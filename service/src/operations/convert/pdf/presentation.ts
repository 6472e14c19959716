import { readDocument } from '../../../layout/read-document.ts';
import { encodeFigure } from '../../../procedures/figure-files.ts';
import { ownFile } from '../../../procedures/office-formats.ts';
import { writePptx } from '../../../writers/pptx/write-pptx.ts';
import { binaryFile, file, operation } from '../../define.ts';
import { choice } from '../../fields.ts';

export default operation({
  summary: 'Turn a PDF into a presentation',
  description:
    'One slide for each page, as large as the page: paragraphs, headings and lists as text boxes at their places, ' +
    'images, tables, lines and coloured areas, all of which can be edited. ppt and odp are made from the pptx by LibreOffice.',
  example: { outputFormat: 'pptx' },
  inputs: { fileInput: file('pdf') },
  params: {
    outputFormat: choice('Format of the presentation', ['pptx', 'ppt', 'odp'], { default: 'pptx' }),
  },
  output: binaryFile('pptx', '', 'pptx', { alternatives: ['ppt', 'odp'] }),
  makes: ({ outputFormat }) => outputFormat,
  uses: ['qpdf', 'pdfium', 'sharp'],
  mayUse: ['office'],
  async run({ fileInput }, { outputFormat }, { engine, newFile }) {
    using view = engine.pdfium.openLike(fileInput, () => engine.qpdf.open(fileInput));
    const document = await readDocument(view, {
      join: 'none',
      behind: 'all',
      dropCaps: false,
      encodePng: (pixels) => encodeFigure(engine.sharp, pixels),
    });
    const content = await writePptx(newFile('pptx'), document);
    if (outputFormat === 'pptx') return { content };
    const name = `${fileInput.base}.${outputFormat}`;
    const made = ownFile(`${fileInput.base}.pptx`, content);
    const converted = await engine.office.convert(made, 'pptx', outputFormat);
    return { content: converted, name, kind: outputFormat };
  },
});
