import { readPrintedPage } from '../../../layout/printed-page.ts';
import { XML_END, xmlPage, xmlStart } from '../../../writers/xml.ts';
import { binaryFile, file, operation } from '../../define.ts';

export default operation({
  summary: 'Turn a PDF into XML with places',
  description:
    'Pages, blocks, lines and spans in reading order, each block with its place in points from the top-left corner of ' +
    'the page as displayed, each span with font, size, weight and colour; images with their places.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: binaryFile('xml', '', 'xml'),
  uses: ['qpdf', 'pdfium'],
  async run({ fileInput }, _params, { engine }) {
    using view = engine.pdfium.openLike(fileInput, () => engine.qpdf.open(fileInput));
    const metadata = {
      title: view.information('Title'),
      author: view.information('Author'),
      subject: view.information('Subject'),
      keywords: view.information('Keywords'),
      creator: view.information('Creator'),
      producer: view.information('Producer'),
    };
    const parts = [Buffer.from(xmlStart(view.pageCount, metadata), 'utf8')];
    for (let number = 1; number <= view.pageCount; number += 1)
      parts.push(Buffer.from(xmlPage(readPrintedPage(view, number)), 'utf8'));
    parts.push(Buffer.from(XML_END, 'utf8'));
    return { content: { bytes: Buffer.concat(parts) } };
  },
});
