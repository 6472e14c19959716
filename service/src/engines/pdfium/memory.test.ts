import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fixture, fixtureBytes, inMemory, quiet } from '../../../testing/documents/small-pdf.ts';
import { MIB } from '../../contract/limits.ts';
import { loadLibrary } from './library.ts';
import { createPdfium } from './pdfium.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-memory-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const library = await loadLibrary();
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;

test('opening and closing five hundred times leaves memory as it was', async (t) => {
  const files = [fixture('form-fields.pdf'), inMemory('x.pdf', fixtureBytes('images-in-forms.pdf'))];
  const work = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i += 1) {
      const pdfium = await createPdfium({ passwords: [], log: quiet });
      for (const file of files) {
        const document = pdfium.open(file);
        document.pageText(0);
        document.hasImage(0);
        document.render(0, { dpi: 30, maxPixels: 1_000_000, annotations: true });
      }
      // Left open on purpose: the end of the job closes them.
      pdfium.close();
    }
  };
  await work(100);
  const before = { rss: process.memoryUsage.rss(), heap: library.heap().length };
  await work(500);
  const rss = process.memoryUsage.rss() - before.rss;
  const heap = library.heap().length - before.heap;
  t.diagnostic(`grown by ${mib(rss)} (process) and ${mib(heap)} (PDFium, now ${mib(library.heap().length)})`);
  assert.equal(heap, 0);
  assert.ok(rss < 48 * MIB);
});

/** A file with holes: pages with a line of text and a grey image of 16 MiB each. */
function writeLargePdf(path: string, pages: number): number {
  const side = 4096;
  const file = openSync(path, 'w');
  const offsets: number[] = [];
  let position = 0;
  const write = (text: string): void => {
    position += writeSync(file, text, position, 'latin1');
  };
  const add = (body: string): void => {
    offsets.push(position);
    write(`${offsets.length} 0 obj\n${body}`);
  };
  write('%PDF-1.7\n');
  const kids = Array.from({ length: pages }, (_, i) => `${4 + i * 3} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>\nendobj\n');
  add(`<< /Type /Pages /Count ${pages} /Kids [${kids}] >>\nendobj\n`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n');
  for (let i = 0; i < pages; i += 1) {
    const own = 4 + i * 3;
    const content = `q 50 0 0 50 0 0 cm /I Do Q BT /F 9 Tf 9 80 Td (Page number ${i + 1}) Tj ET`;
    const resources = `<< /Font << /F 3 0 R >> /XObject << /I ${own + 2} 0 R >> >>`;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents ${own + 1} 0 R /Resources ${resources} >>\nendobj\n`,
    );
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`);
    add(
      `<< /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${side * side} >>\nstream\n`,
    );
    position += side * side;
    write('\nendstream\nendobj\n');
  }
  const start = position;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}`);
  write(`trailer << /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  closeSync(file);
  return position;
}

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

test('a file of half a gigabyte is read through in bounded memory', {
  skip: process.platform !== 'linux' && 'not Linux',
}, async (t) => {
  const path = join(folder, 'large.pdf');
  const size = writeLargePdf(path, 30);
  const descriptors = openDescriptors();
  const heapBefore = library.heap().length;
  const pdfium = await createPdfium({ passwords: [], log: quiet });
  const document = pdfium.open({ name: 'large.pdf', content: { path } });
  assert.ok(library.heap().length - heapBefore < 8 * MIB);
  for (let i = 0; i < document.pageCount; i += 1) {
    assert.equal(document.pageText(i), `Page number ${i + 1}`);
    assert.equal(document.hasImage(i), true);
  }
  const { rgba } = document.render(29, { dpi: 72, maxPixels: 1_000_000 });
  assert.equal(rgba[(90 * 200 + 10) * 4], 0);
  pdfium.close();
  const grown = library.heap().length - heapBefore;
  t.diagnostic(`${mib(size)} read, PDFium grew by ${mib(grown)}`);
  assert.ok(grown < 256 * MIB);
  assert.equal(openDescriptors(), descriptors);
});
