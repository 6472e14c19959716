import { unpackMixedStreams } from '../../pdf/filters/unpacking.ts';
import { packedImages } from '../../pdf/images/image-decoding.ts';
import { unpackImages } from '../../procedures/unpacked-images.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag } from '../fields.ts';

export default operation({
  summary: 'Remove compression from a PDF',
  description:
    'Unpacks every stream and writes objects and cross-references plainly, so that the file can be read in a ' +
    'text editor. Images stay in their codec unless decodeImages is true.',
  inputs: { fileInput: file('pdf') },
  params: {
    decodeImages: flag('Also decode image codecs (JPEG, JPEG 2000, JBIG2, CCITT)'),
  },
  output: pdfFile('_decompressed'),
  uses: ['qpdf', 'pdfium'],
  async run({ fileInput }, { decodeImages }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    unpackMixedStreams(doc);
    if (decodeImages) unpackImages(engine, doc, packedImages(doc));
    return { content: doc.save({ decode: decodeImages ? 'all' : 'generalized', objectStreams: 'disable' }) };
  },
});
