// How much of a file is read, as the kernel counts it.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { InputFile } from '../../../contract/files.ts';
import { MIB } from '../../../contract/limits.ts';
import { createQpdf } from '../qpdf.ts';
import { FileSource } from './source.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-strict-source-'));
after(() => rmSync(folder, { recursive: true }));

const bytesRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);

/** Pages that are each followed by this much data; each node of the tree tells `count` pages. */
function writeDocument(path: string, pages: number, dataBytes: number, count = pages): void {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  let at = 9;
  const add = (...pieces: (string | Buffer)[]): void => {
    places.push(at);
    for (const piece of [`${places.length} 0 obj\n`, ...pieces, '\nendobj\n']) {
      parts.push(Buffer.from(piece));
      at += piece.length;
    }
  };
  const kids = Array.from({ length: pages }, (_, index) => `${3 + 2 * index} 0 R`).join(' ');
  add('<</Type/Catalog/Pages 2 0 R>>');
  add(`<</Type/Pages/Count ${count}/Kids[${kids}]>>`);
  for (let index = 0; index < pages; index += 1) {
    add(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents ${4 + 2 * index} 0 R>>`);
    add(`<</Length ${dataBytes}>>stream\n`, Buffer.alloc(dataBytes, '% '), '\nendstream');
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = places.length + 1;
  parts.push(
    Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer<</Size ${size}/Root 1 0 R>>\n`),
  );
  parts.push(Buffer.from(`startxref\n${at}\n%%EOF\n`));
  writeFileSync(path, Buffer.concat(parts));
}

const open = (use: (engine: ReturnType<typeof createQpdf>['engine']) => void): number => {
  const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => join(folder, 'out.pdf') });
  try {
    const before = bytesRead();
    use(engine);
    return bytesRead() - before;
  } finally {
    closeAll();
    rmSync(join(folder, 'out.pdf'), { force: true });
  }
};

for (const [what, pages, dataBytes] of [
  ['a small file', 100, 20_000],
  ['a large file', 100, 300_000],
] as const) {
  test(`the pages of ${what} are counted without reading what stands on them`, () => {
    const path = join(folder, 'many.pdf');
    writeDocument(path, pages, dataBytes);
    const file = new InputFile('many.pdf', { path });
    const read = open((engine) => assert.equal(engine.open(file).pageCount, pages));
    assert.ok(read < file.size / 4, `${read} of ${file.size} bytes`);
  });

  test(`saving ${what} reads it about once`, () => {
    const path = join(folder, 'many.pdf');
    writeDocument(path, pages, dataBytes);
    const file = new InputFile('many.pdf', { path });
    const read = open((engine) => void engine.open(file).save());
    assert.ok(read < 1.3 * file.size, `${read} of ${file.size} bytes`);
  });
}

test('a tree that tells another number of pages than it lists is not believed', () => {
  const path = join(folder, 'wrong.pdf');
  writeDocument(path, 5, 100, 7);
  open((engine) => {
    const document = engine.open(new InputFile('wrong.pdf', { path }));
    assert.equal(document.pageCount, 5);
    assert.equal(document.number(document.dict(document.catalog.get('Pages'))?.get('Count')), 5);
  });
});

test('bytes are the same, however they are asked for', () => {
  const path = join(folder, 'bytes');
  const bytes = Buffer.from(Uint32Array.from({ length: MIB / 4 }, (_, index) => index * 2654435761).buffer);
  writeFileSync(path, bytes);
  for (const mayStay of [false, true]) {
    const source = new FileSource(path, bytes.length, mayStay);
    const held: [Uint8Array, number][] = [];
    for (let turn = 0, at = 7; turn < 400; turn += 1, at = (at * 7919 + 13) % bytes.length) {
      if (turn === 300) source.expectMost();
      const length = (at * 31) % 5000;
      const window = source.window(at, length);
      held.push([window.bytes.subarray(window.at, window.at + length), at]);
      const to = Math.min(at + length, bytes.length);
      held.push([source.slice(at, to), at]);
      assert.ok(bytes.subarray(at, to).equals(source.passing(at, to)));
    }
    // What was given stays as it was, whatever was read since.
    for (const [given, at] of held) assert.ok(bytes.subarray(at, at + given.length).equals(given));
    source.close();
  }
});
