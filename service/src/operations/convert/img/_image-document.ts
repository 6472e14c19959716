// Images as a document: a page for each frame of each file.
import type { Content, InputFile } from '../../../contract/files.ts';
import type { Engines } from '../../../engines/engines.ts';
import type { ReadOptions } from '../../../engines/sharp/read.ts';
import type { Ref } from '../../../pdf/objects.ts';
import { addImagePage, type ImageLayout } from '../../../pdf/pages/pages-from-images.ts';
import { ImageShelf } from '../../../procedures/image-pages.ts';

export async function imageDocument(
  engine: Pick<Engines, 'qpdf' | 'sharp'>,
  files: readonly InputFile[],
  layout: ImageLayout,
  colours?: ReadOptions['colours'],
): Promise<Content> {
  const doc = engine.qpdf.create();
  const shelf = new ImageShelf(engine.qpdf, doc);
  const pages: Ref[] = [];
  for (const file of files) {
    const frames = await engine.sharp.frames(file, 'fileInput');
    for (let frame = 0; frame < frames; frame += 1) {
      const picture = await engine.sharp.read(file, { field: 'fileInput', frame, colours });
      const { width, height, orientation } = picture;
      shelf.add(picture, (image) => {
        pages.push(addImagePage(doc, image, { width, height, orientation }, layout));
      });
    }
  }
  shelf.finish();
  doc.setPages(pages);
  return doc.save();
}
