import { createHash } from 'node:crypto';
import { drawnImages } from '../../pdf/images/drawn-images.ts';
import { LeanPixels } from '../../pdf/images/lean-pixels.ts';
import { becomeImages } from '../../pdf/pages/image-pages.ts';
import { archive, file, type MadeEntry, operation } from '../define.ts';
import { choice } from '../fields.ts';

/** An image with more pixels is made smaller: its pixels would not fit into a worker. */
const MAX_PIXELS = 100_000_000;
const STRIP_PIXELS = 16_000_000;

export default operation({
  summary: 'Extract the images of a PDF',
  description:
    'Every image that is drawn, nested and inline ones and those of annotations included, in its own pixels and with ' +
    'its mask applied; each distinct image once, under the first page that draws it. What a mask leaves clear is ' +
    'clear in PNG and GIF and white in JPEG. Images above 100 megapixels are made smaller. Without images the ' +
    'ZIP is empty.',
  inputs: { fileInput: file('pdf') },
  params: {
    format: choice('Format of the images', ['png', 'jpeg', 'jpg', 'gif'], { default: 'png' }),
  },
  output: archive('_extracted-images', 'png'),
  makes: ({ format }) => (format === 'jpg' ? 'jpeg' : format),
  uses: ['qpdf', 'pdfium', 'sharp'],
  async run({ fileInput }, { format }, { engine, newFile, log }) {
    const doc = engine.qpdf.open(fileInput);
    const images = drawnImages(doc);
    if (images.length === 0) return [];
    becomeImages(doc, images);
    using view = engine.pdfium.open({
      name: fileInput.name,
      content: doc.save({ keepModificationDate: true }),
    });
    const kind = format === 'jpg' ? 'jpeg' : format;
    const made = new Set<string>();
    const onPage = new Map<number, number>();
    const entries: MadeEntry[] = [];
    for (const [index, { page }] of images.entries()) {
      const options = { scale: 1, maxPixels: MAX_PIXELS, clear: true, forms: false };
      const { width, height } = view.drawnSize(index, options);
      const pixels = new LeanPixels({ width, height });
      const hash = createHash('sha1').update(`${width}x${height} `);
      for (const { rgba } of view.renderStrips(index, options, STRIP_PIXELS)) {
        pixels.add(rgba);
        hash.update(rgba);
      }
      const digest = hash.digest('base64');
      if (!pixels.isSeen) log.info('image shows nothing', { page: page + 1 });
      if (!pixels.isSeen || made.has(digest)) continue;
      made.add(digest);
      const number = (onPage.get(page) ?? 0) + 1;
      onPage.set(page, number);
      const path = newFile(kind);
      await engine.sharp.encodeTo(
        path,
        { width, height, channels: pixels.channels, data: pixels.data },
        kind,
      );
      entries.push({
        name: `${fileInput.base}_page_${page + 1}_${number}.${format}`,
        content: { path },
        kind,
      });
    }
    return entries;
  },
});
