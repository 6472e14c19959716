import { rmSync } from 'node:fs';
import { drawnImages } from '../../pdf/images/drawn-images.ts';
import { becomeImages } from '../../pdf/pages/image-pages.ts';
import { gatherImage } from '../../procedures/gathered-images.ts';
import { archive, file, type MadeEntry, operation } from '../define.ts';
import { choice } from '../fields.ts';

export default operation({
  summary: 'Extract the images of a PDF',
  description:
    'Every image that is drawn, nested and inline ones and those of annotations included, in its own pixels and with ' +
    'its mask applied; each distinct image once, under the first page that draws it. What a mask leaves clear is ' +
    'clear in PNG and GIF and white in JPEG. An image too large for the memory of a worker is refused. ' +
    'Without images the ZIP is empty.',
  example: { format: 'png' },
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
      const { pixels, digest, isSeen } = gatherImage(view, index, `An image of page ${page + 1}`, newFile);
      if (!isSeen) log.info('image shows nothing', { page: page + 1 });
      if (!isSeen || made.has(digest)) continue;
      made.add(digest);
      const number = (onPage.get(page) ?? 0) + 1;
      onPage.set(page, number);
      const path = newFile(kind);
      await engine.sharp.encodeTo(path, pixels, kind);
      if ('tiff' in pixels) rmSync(pixels.tiff);
      entries.push({
        name: `${fileInput.base}_page_${page + 1}_${number}.${format}`,
        content: { path },
        kind,
      });
    }
    return entries;
  },
});
