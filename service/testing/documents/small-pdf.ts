// Writes small PDFs object by object: what no fixture holds.
import { readFileSync } from 'node:fs';
import { createLog } from '../../src/contract/log.ts';
import type { DocumentFile } from '../../src/engines/pdfium/source.ts';

export const quiet = createLog('silent');

export const fixture = (name: string): DocumentFile & { content: { path: string } } => ({
  name,
  content: { path: new URL(`../../../fixtures/${name}`, import.meta.url).pathname },
});

export const fixtureBytes = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(fixture(name).content.path));

export const inMemory = (name: string, bytes: Uint8Array): DocumentFile => ({ name, content: { bytes } });

export const stream = (content: string, entries = ''): string =>
  `<< ${entries} /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`;

/** A page tree of one page; its content is object 4, its font object 5 (/F), further objects count from 6. */
export function onePagePdf(
  content: string,
  { catalog = '', resources = '', page = '', further = [] as string[] } = {},
): Uint8Array {
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R ${page}
      /Resources << /Font << /F 5 0 R >> ${resources} >> >>`,
    stream(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...further,
  ]);
}

/** Objects 1, 2, 3 ... of which the first is the catalog. */
function pdfOf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.lastIndexOf('xref\n0')}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
