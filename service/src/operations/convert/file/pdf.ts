import { findPage } from '../../../procedures/page-archives.ts';
import { A4, drawSvg } from '../../../procedures/svg-drawing.ts';
import { file, operation, pdfFile } from '../../define.ts';
import { choice } from '../../fields.ts';
import { imageDocument } from '../img/_image-document.ts';
import { ACCEPTED, DOCUMENT_KINDS, documentKind } from './_document-kind.ts';
import { COMMENTS, convertOffice } from './_office-document.ts';

export default operation({
  summary: 'Make a PDF of an office document, text or picture',
  description:
    `Takes ${ACCEPTED}; the content decides, the extension only for text, Markdown, CSV and HTML. ` +
    'The result is tagged and has bookmarks for headings. A picture is fitted onto A4. A PDF is returned unchanged. ' +
    'Macros and scripts never run, and nothing is fetched from outside: such resources stay blank. Documents that are ' +
    'protected by a password are refused.',
  example: { comments: 'margin' },
  inputs: { fileInput: file(DOCUMENT_KINDS, 'The document to convert') },
  params: {
    comments: choice(
      'Comments of office documents: annotations: notes that viewers open; margin: written beside the pages, which become wider; none: left out',
      COMMENTS,
      { default: 'annotations' },
    ),
  },
  output: pdfFile('_convertedToPDF'),
  uses: ['qpdf'],
  mayUse: ['office', 'text', 'archive', 'browser', 'markdown', 'sharp', 'rsvg'],
  async run({ fileInput }, { comments }, { engine }) {
    const document = await documentKind(engine.office, fileInput);
    switch (document.is) {
      case 'pdf':
        // Operations 1.3: what cannot be read, or asks for a password, is refused all the same.
        engine.qpdf.open(fileInput);
        return { content: fileInput.content };
      case 'office':
        return { content: await convertOffice(engine, fileInput, document.kind, comments) };
      case 'picture':
        return {
          content: await imageDocument(engine, [fileInput], {
            fit: 'maintainAspectRatio',
            autoRotate: true,
          }),
        };
      case 'svg':
        return { content: (await drawSvg(engine, fileInput, 'fileInput', A4)).save() };
      case 'html':
      case 'markdown': {
        const { bytes, path } = await findPage(engine.archive, fileInput, document.is);
        const html = document.is === 'html' ? bytes : engine.markdown.toPage(bytes, fileInput.base);
        // Operations 3: "Scripts run only in html/pdf and url/pdf".
        return {
          content: await engine.browser.print({
            html,
            path: `${path}.html`,
            scripts: false,
            title: fileInput.base,
          }),
        };
      }
    }
  },
});
