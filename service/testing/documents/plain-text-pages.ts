// Pages of plain text, written place by place, and how they read as Markdown.
import { made, runHere } from '../calls/run-here.ts';
import { pdfOf, streamOf } from './written-pdf.ts';

/** Text at a place of an A4 page: from the left, from the bottom, size, words; in Helvetica, bold or Courier. */
export type Written = [x: number, y: number, size: number, text: string, font?: 'F' | 'B' | 'C'];

/** `behind` is drawn on every page. */
export async function markdown(pages: Written[][], behind = ''): Promise<string> {
  const call = { files: { fileInput: { name: 'a.pdf', bytes: writtenPages(pages, behind) } } };
  return made(await runHere('convert/pdf/markdown', call)).toString();
}

export function writtenPages(pages: Written[][], behind = ''): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const fonts = ['F', 'B', 'C'].map(
    (name, index) => `/${name} ${index === 0 ? 3 : 3 + pages.length * 2 + index} 0 R`,
  );
  const objects = pages.flatMap((written, index) => {
    const lines = written.map(
      ([x, y, size, text, font = 'F']) => `BT /${font} ${size} Tf ${x} ${y} Td (${text}) Tj ET`,
    );
    const entries = `/MediaBox [0 0 595 842] /Resources << /Font << ${fonts.join(' ')} >> >> /Contents ${5 + index * 2} 0 R`;
    return [`<< /Type /Page /Parent 2 0 R ${entries} >>`, streamOf([behind, ...lines].join('\n'))];
  });
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...objects,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  ]);
}
