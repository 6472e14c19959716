import { packedImages, putOnPage, replaceWithPixels } from '../../pdf/images/image-decoding.ts';
import { unpackMixedStreams } from '../../pdf/unpacking.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag } from '../fields.ts';

export default operation({
  summary: 'Remove compression from a PDF',
  description:
    'Unpacks every stream and writes objects and cross-references plainly, so that the file can be read in a ' +
    'text editor. Images stay in their codec unless decodeImages is true.',
  inputs: { fileInput: file('pdf') },
  params: {
    decodeImages: flag('Also decode image codecs (JPEG, JPEG 2000, JBIG2, CCITT)', { default: false }),
  },
  output: pdfFile('_decompressed'),
  uses: ['qpdf', 'pdfium'],
  async run({ fileInput }, { decodeImages }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    unpackMixedStreams(doc);
    for (const image of decodeImages ? packedImages(doc) : []) {
      const sheet = engine.qpdf.create();
      putOnPage(sheet, doc, image);
      using page = engine.pdfium.open({ name: fileInput.name, content: sheet.save() });
      replaceWithPixels(doc, image, page.render(0, { scale: 1, maxPixels: image.width * image.height }).rgba);
      engine.qpdf.close(sheet);
    }
    return { content: doc.save({ decode: decodeImages ? 'all' : 'generalized', objectStreams: 'disable' }) };
  },
});
