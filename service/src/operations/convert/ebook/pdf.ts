import { fileInMemory, type InputFile } from '../../../contract/files.ts';
import { sniff } from '../../../contract/kinds.ts';
import { Problem } from '../../../contract/problems.ts';
import type { PackageFiles } from '../../../ebook/book.ts';
import type { PageResource } from '../../../engines/browser/print.ts';
import type { Engines } from '../../../engines/engines.ts';
import { file, operation, pdfFile } from '../../define.ts';
import { flag } from '../../fields.ts';
import { printOfficeBook } from './_office-book.ts';
import { printBook } from './_print.ts';

/** What e-readers show is small: A4 at 150 dpi has no more pixels. */
const EBOOK_IMAGES = { quality: 75, width: 1240, height: 1754 };

export default operation({
  summary: 'Make a PDF of an e-book',
  description:
    'Chapters follow in their order with the style of the book, on A4; books with laid-out pages keep their page size. ' +
    'Bookmarks come from the contents of the book, links inside it work. Fonts are always embedded. Books under digital ' +
    'rights management (DRM) are refused. Scripts do not run and nothing is fetched from outside.',
  example: { includeTableOfContents: true, includePageNumbers: true },
  inputs: { fileInput: file(['epub', 'mobi', 'azw3', 'fb2', 'text', 'docx'], 'E-book without DRM') },
  params: {
    embedAllFonts: flag('Embed standard fonts too; they are embedded in any case'),
    includeTableOfContents: flag('Append a page of contents'),
    includePageNumbers: flag('Print page numbers'),
    optimizeForEbook: flag(
      'Make pictures small for e-readers: at most 150 dpi on the page, and JPEG where that is smaller',
    ),
  },
  output: pdfFile('_convertedToPDF'),
  uses: ['qpdf', 'browser', 'archive', 'sharp'],
  mayUse: ['office', 'text'],
  async run({ fileInput }, params, { engine }) {
    const { includeTableOfContents, includePageNumbers, optimizeForEbook } = params;
    const { readBook } = await import('../../../ebook/read-book.ts');
    const asked = { listContents: includeTableOfContents, numberPages: includePageNumbers };
    if (sniff(fileInput.head()) === 'zip' && (await engine.office.kindOf(fileInput)) === 'docx')
      return { content: await printOfficeBook(engine, fileInput, asked) };
    const book = await readBook(fileInput, () => unpacked(engine.archive, fileInput));
    const serve = optimizeForEbook ? smaller(engine.sharp) : plain;
    const content = await printBook(
      engine,
      { ...book, title: book.title || fileInput.base },
      { ...asked, serve },
    );
    return { content };
  },
});

async function unpacked(archive: Engines['archive'], book: InputFile): Promise<PackageFiles> {
  const { entries, find, read } = await archive.open(book);
  return {
    paths: entries.map(({ path }) => path),
    async read(path) {
      const entry = find(path);
      return entry && read(entry);
    },
  };
}

const plain = async (bytes: Uint8Array, mediaType: string | undefined): Promise<PageResource> =>
  mediaType ? { bytes, mediaType } : { bytes };

const smaller =
  (sharp: Engines['sharp']) =>
  async (bytes: Uint8Array, mediaType: string | undefined): Promise<PageResource> => {
    const kind = sniff(bytes);
    if (!['jpeg', 'png', 'webp', 'gif', 'bmp'].includes(kind)) return plain(bytes, mediaType);
    try {
      const lossy = EBOOK_IMAGES;
      const { coding, data, orientation } = await sharp.read(fileInMemory('picture', bytes), {
        field: 'fileInput',
        lossy,
      });
      return coding === 'jpeg' && orientation === 1
        ? { bytes: data, mediaType: 'image/jpeg' }
        : plain(bytes, mediaType);
    } catch (error) {
      if (error instanceof Problem) return plain(bytes, mediaType);
      throw error;
    }
  };
