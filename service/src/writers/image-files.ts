// The images of a document as files, each once it is asked for, one at a time.
import { writeFile } from 'node:fs/promises';
import type { Block, Figure, LaidOutDocument } from '../layout/model.ts';

export interface WrittenImage {
  name: string;
  path: string;
  format: 'png' | 'jpeg';
}

/** Writes every figure's image; `pathOf` is where a text beside the folder finds it. */
export async function writeImages(
  document: LaidOutDocument,
  folder: string,
  newFile: (extension: string) => string,
): Promise<{ images: WrittenImage[]; pathOf(figure: Figure): string | undefined }> {
  const images: WrittenImage[] = [];
  const names = new Map<Figure, string>();
  for (const { number, blocks } of document.pages) {
    for (const [i, figure] of blocks.flatMap(figuresIn).entries()) {
      const { format } = figure.image;
      const extension = format === 'jpeg' ? 'jpg' : 'png';
      const bytes = await figure.image.bytes();
      if (bytes.length === 0) continue;
      const name = `page${number}_${i + 1}.${extension}`;
      const path = newFile(extension);
      await writeFile(path, bytes);
      images.push({ name, path, format });
      names.set(figure, folder === '' ? name : `${folder}/${name}`);
    }
  }
  return { images, pathOf: (figure) => names.get(figure) };
}

function figuresIn(block: Block): Figure[] {
  if (block.kind === 'figure') return [block];
  return block.kind === 'list' ? block.items.flatMap(({ blocks }) => blocks.flatMap(figuresIn)) : [];
}
