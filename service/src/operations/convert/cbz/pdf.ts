import { fileInMemory } from '../../../contract/files.ts';
import { sniff } from '../../../contract/kinds.ts';
import { GIB } from '../../../contract/limits.ts';
import { compareNaturally } from '../../../contract/natural-order.ts';
import { Problem } from '../../../contract/problems.ts';
import type { OpenArchive } from '../../../engines/archive/archive.ts';
import type { ArchiveEntry } from '../../../engines/archive/entry.ts';
import type { Sharp } from '../../../engines/sharp/sharp.ts';
import type { ImageXObject } from '../../../pdf/images/image-xobjects.ts';
import type { Ref } from '../../../pdf/objects.ts';
import { addImagePage } from '../../../pdf/pages/pages-from-images.ts';
import { ImageShelf } from '../../../procedures/image-pages.ts';
import { file, operation, pdfFile } from '../../define.ts';
import { flag } from '../../fields.ts';

const LIMITS = { entries: 5000, bytes: 2 * GIB };
const LAYOUT = { fit: 'fitDocumentToImage', autoRotate: false } as const;
const PAGE_NAME = /\.(?:jpe?g|png|gif|bmp|webp)$/i;
const PAGE_KINDS = ['jpeg', 'png', 'gif', 'bmp', 'webp'];
/** What systems leave in archives beside the files. */
const JUNK = /(?:^|\/)(?:__MACOSX\/|\.)/;
/** What e-readers show is small; fewer bytes matter more than fine grain. */
const EBOOK_QUALITY = 75;

export default operation({
  summary: 'Make a PDF of a comic archive',
  description:
    'Each picture of the archive (JPEG, PNG, GIF, BMP, WebP) becomes a page with a point for each pixel, in natural order ' +
    'of their names. JPEG data is embedded as it is. Pictures that cannot be read are skipped. An archive may hold at ' +
    'most 5000 files and 2 GiB unpacked.',
  example: { optimizeForEbook: true },
  inputs: { fileInput: file(['cbz', 'zip'], 'Comic archive') },
  params: {
    optimizeForEbook: flag(
      'Make pictures small for e-readers: at most 150 dpi on their page, and JPEG where that is smaller',
    ),
  },
  output: pdfFile('_converted'),
  uses: ['qpdf', 'sharp', 'archive'],
  async run({ fileInput }, { optimizeForEbook }, { engine }) {
    const archive = await engine.archive.open(fileInput, LIMITS);
    const doc = engine.qpdf.create();
    const shelf = new ImageShelf(engine.qpdf, doc);
    const pages: Ref[] = [];
    // A point for each pixel is 72 dpi: no page has more than the 150 asked for.
    const lossy = optimizeForEbook ? { quality: EBOOK_QUALITY } : undefined;
    for (const entry of imageEntries(archive)) {
      const picture = await imageOf(engine.sharp, archive, entry, lossy);
      if (!picture) continue;
      const { width, height, orientation } = picture;
      shelf.add(picture, (image) => {
        pages.push(addImagePage(doc, image, { width, height, orientation }, LAYOUT));
      });
    }
    shelf.finish();
    if (pages.length === 0) throw noImages(fileInput.name, archive);
    doc.setPages(pages);
    return { content: doc.save() };
  },
});

const imageEntries = ({ entries }: OpenArchive): ArchiveEntry[] =>
  entries
    .filter(({ path }) => PAGE_NAME.test(path) && !JUNK.test(path))
    .sort((one, other) => compareNaturally(one.path, other.path));

/** "Unreadable images are skipped." */
async function imageOf(
  sharp: Sharp,
  archive: OpenArchive,
  entry: ArchiveEntry,
  lossy: { quality: number } | undefined,
): Promise<ImageXObject | undefined> {
  try {
    const bytes = await archive.read(entry);
    if (!PAGE_KINDS.includes(sniff(bytes))) return undefined;
    return await sharp.read(fileInMemory(entry.path, bytes), { field: 'fileInput', lossy });
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function noImages(name: string, { entries }: OpenArchive): Problem {
  const why = entries.some(({ isEncrypted }) => isEncrypted)
    ? 'is protected by a password'
    : 'holds no picture that can be read';
  return new Problem(
    'unsupported_file_type',
    `${name} ${why}; archives with JPEG, PNG, GIF, BMP or WebP pictures are taken.`,
  );
}
