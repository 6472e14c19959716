import { readDocument } from '../../../layout/read-document.ts';
import { writeHtml } from '../../../writers/html.ts';
import { writeImages } from '../../../writers/image-files.ts';
import { archive, file, operation } from '../../define.ts';

export default operation({
  summary: 'Turn a PDF into a web page',
  description:
    'A ZIP with base.html and its images: headings, paragraphs, lists, tables, figures, links and footnotes as ' +
    'elements of their own, in reading order, in families, sizes and colours like those of the document. Charts and ' +
    'diagrams are images with their labels as alternative text. Nothing is fetched from elsewhere, there are no ' +
    'scripts. Running headers, footers and page numbers are left out.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: archive('ToHtml', 'text', { whole: true }),
  uses: ['qpdf', 'pdfium', 'sharp'],
  async run({ fileInput }, _params, { engine, newFile }) {
    using view = engine.pdfium.openLike(fileInput, () => engine.qpdf.open(fileInput));
    const document = await readDocument(view, {
      encodePng: (pixels) => engine.sharp.encode(pixels, 'png'),
    });
    const { pathOf, images } = await writeImages(document, '', newFile);
    const html = [...writeHtml(document, { name: fileInput.base, pathOf })].join('');
    return [
      {
        name: `${fileInput.base}.html`,
        content: { bytes: Buffer.from(html, 'utf8') },
        kind: 'text' as const,
      },
      ...images.map(({ name, path, format }) => ({ name, content: { path }, kind: format })),
    ];
  },
});
