import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { drawnImages } from '../../pdf/drawn-images.ts';
import { becomeImages, leanPixels } from '../../pdf/image-pages.ts';
import { archive, file, type MadeEntry, operation } from '../define.ts';
import { choice } from '../fields.ts';

/** An image with more pixels is made smaller: its pixels would not fit into a worker. */
const MAX_PIXELS = 100_000_000;

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
  output: archive('_extracted-images', 'any'),
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
      const { width, height, rgba } = view.render(index, {
        scale: 1,
        maxPixels: MAX_PIXELS,
        clear: true,
        forms: false,
      });
      const digest = createHash('sha1').update(`${width}x${height} `).update(rgba).digest('base64');
      const pixels = made.has(digest) ? undefined : leanPixels(rgba);
      if (!pixels) {
        if (!made.has(digest)) log.info('image shows nothing', { page: page + 1 });
        continue;
      }
      made.add(digest);
      const number = (onPage.get(page) ?? 0) + 1;
      onPage.set(page, number);
      const path = newFile(kind);
      writeFileSync(path, await engine.sharp.encode({ width, height, ...pixels }, kind));
      entries.push({
        name: `${fileInput.base}_page_${page + 1}_${number}.${format}`,
        content: { path },
        kind,
      });
    }
    return entries;
  },
});
