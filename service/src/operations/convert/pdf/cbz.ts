import { rmSync } from 'node:fs';
import type { InputFile } from '../../../contract/files.ts';
import type { Engines } from '../../../engines/engines.ts';
import { DEFAULT_DPI, drawPages } from '../../../procedures/page-images.ts';
import { PackageWriter } from '../../../writers/package.ts';
import { binaryFile, file, operation, type PageWork } from '../../define.ts';
import { integer } from '../../fields.ts';

/** "page_001.png": as many digits as the last page needs, so that names sort in page order. */
const DIGITS = 3;

function open(
  file: InputFile,
  dpi: number | undefined,
  newFile: (extension: string) => string,
  { qpdf, pdfium, sharp }: Pick<Engines, 'qpdf' | 'pdfium' | 'sharp'>,
): PageWork {
  const view = pdfium.openLike(file, qpdf.open(file));
  const look = { format: 'png', tones: 'color', dpi, annotations: true } as const;
  return drawPages(view, [...Array(view.pageCount).keys()], look, { sharp, newFile });
}

export default operation({
  summary: 'Turn a PDF into a comic book archive',
  description: 'Every page becomes a PNG image: page_001.png, page_002.png, and so on, in page order.',
  example: { dpi: 150 },
  inputs: { fileInput: file('pdf') },
  params: {
    dpi: integer(
      `Dots per inch; a page may not exceed 100 megapixels. Absent: ${DEFAULT_DPI}, or less for pages too large for it`,
      { min: 10, max: 600 },
    ),
  },
  output: binaryFile('cbz', '_converted', 'cbz'),
  uses: ['qpdf', 'pdfium', 'sharp'],
  pages: ({ fileInput }, { dpi }, { engine, newFile }) => open(fileInput, dpi, newFile, engine),
  async run({ fileInput }, { dpi }, { engine, newFile, eachPage }) {
    using work = open(fileInput, dpi, newFile, engine);
    const paths = (await eachPage(work)).flatMap((page) => ('path' in page ? [page.path] : []));
    const digits = Math.max(DIGITS, String(paths.length).length);
    const comic = new PackageWriter(newFile('cbz'));
    for (const [index, path] of paths.entries())
      await comic.addPackedFile(`page_${String(index + 1).padStart(digits, '0')}.png`, path);
    const content = await comic.finish();
    for (const path of paths) rmSync(path);
    return { content };
  },
});
