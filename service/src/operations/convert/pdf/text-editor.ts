import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { editorDocument } from '../../../pdf/editing/editor-document.ts';
import { EDITOR_SCHEMA } from '../../../pdf/editing/editor-schema.ts';
import { drawImages } from '../../../procedures/drawn-images.ts';
import { inBatches } from '../../../writers/batches.ts';
import { file, jsonFile, operation } from '../../define.ts';
import { flag } from '../../fields.ts';

export default operation({
  summary: 'Take a PDF apart for a text editor',
  description:
    'Everything an editor needs to show the document and to put it together again: strings with their fonts, matrices ' +
    'and colours, images with their places, annotations, form fields, font programs and content streams. Coordinates ' +
    'are those of the PDF page: from the lower-left corner, not turned. Members without a value are left out. Font ' +
    'programs and images that pages share are repeated up to 64 MB, then written only where they come first.',
  inputs: { fileInput: file('pdf') },
  params: {
    lightweight: flag('Leave out font programs, image data, content streams and raw dictionaries'),
  },
  output: jsonFile(EDITOR_SCHEMA),
  uses: ['qpdf', 'pdfium', 'sharp'],
  async run({ fileInput }, { lightweight }, { engine, newFile }) {
    const doc = engine.qpdf.open(fileInput);
    const image = lightweight ? async () => undefined : drawImages(engine, fileInput);
    const path = newFile('json');
    await pipeline(
      Readable.from(inBatches(editorDocument(doc, { lightweight, image }))),
      createWriteStream(path),
    );
    return { content: { path }, name: `${fileInput.base}.json` };
  },
});
