// Archives of all kinds: entries that lead out of them, and ones that unpack to more than anybody has.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import yazl from 'yazl';
import { epubOf, xhtml } from '../../service/testing/documents/books.ts';
import { docx, odf, paragraph } from '../../service/testing/documents/office-documents.ts';
import { pdfOf, streamOf } from '../../service/testing/documents/written-pdf.ts';
import { zipEntries } from '../../service/testing/oracles/archives.ts';
import { bomb } from '../hostile-documents.ts';
import { memoryOf } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';
import { type Canaries, hideCanaries } from './canaries.ts';

let service: RunningService;
let canaries: Canaries;
before(async () => {
  canaries = hideCanaries();
  // Without isolation: what holds here is the reading of archives itself.
  service = await startService({ env: { BINDERY_ISOLATION: 'none' } });
});
after(async () => {
  await service?.remove();
  canaries?.remove();
});

interface Entry {
  path: string;
  bytes: string | Uint8Array;
  mode?: number;
}

/** The library refuses such names: they are written under others of the same length, which are then exchanged. */
async function zipWith(base: Buffer, extra: Entry[]): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const exchanged: [from: string, to: string][] = [];
  for (const { name, bytes } of await zipEntries(base))
    zip.addBuffer(bytes, name, { compress: name !== 'mimetype' });
  for (const { path, bytes, mode } of extra) {
    const stand = `${exchanged.length}`.padEnd(Buffer.byteLength(path), 'q');
    exchanged.push([stand, path]);
    zip.addBuffer(Buffer.from(bytes), stand, mode === undefined ? {} : { mode });
  }
  zip.end();
  let text = (await buffer(zip.outputStream)).toString('latin1');
  for (const [from, to] of exchanged) text = text.replaceAll(from, Buffer.from(to).toString('latin1'));
  return Buffer.from(text, 'latin1');
}

const photo = readFileSync(fixture('photo.jpg'));
async function plainZip(path: string, bytes: string | Uint8Array): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(bytes), path);
  zip.end();
  return buffer(zip.outputStream);
}

/** Archives that callers send, by the operation that reads them. */
const ARCHIVES: Readonly<Record<string, { op: string; name: string; make(): Promise<Buffer> }>> = {
  'a comic (CBZ)': { op: 'convert/cbz/pdf', name: 'a.cbz', make: () => plainZip('1.jpg', photo) },
  'a web page (ZIP)': {
    op: 'convert/html/pdf',
    name: 'a.zip',
    make: () => plainZip('index.html', '<p>page'),
  },
  'Markdown (ZIP)': { op: 'convert/markdown/pdf', name: 'a.zip', make: () => plainZip('index.md', 'page') },
  'a book (EPUB)': {
    op: 'convert/ebook/pdf',
    name: 'a.epub',
    make: () => epubOf({ chapters: { 'one.xhtml': xhtml('<p>page</p>') } }),
  },
  'a Word document (DOCX)': { op: 'convert/file/pdf', name: 'a.docx', make: () => docx(paragraph('page')) },
  'a text document (ODT)': {
    op: 'convert/file/pdf',
    name: 'a.odt',
    make: () => odf('text', { body: '<text:p>page</text:p>' }),
  },
};

const post = (op: string, bytes: Uint8Array, name: string): Promise<Response> =>
  service.post(op, form({ fileInput: filePart(new Uint8Array(bytes), name) }));

for (const [what, { op, name, make }] of Object.entries(ARCHIVES)) {
  test(`archive traversal (zip slip): ${what} writes nothing outside`, async () => {
    const { name: canary } = canaries;
    const paths = [
      ...[`../${canary}`, `../../../../../../../../tmp/${canary}`, `/tmp/${canary}`, `a/../../${canary}`],
      ...[`..\\..\\${canary}`, `C:\\${canary}`, `\\\\host\\${canary}`, `....//${canary}`, `%2e%2e/${canary}`],
      ...[`file:///tmp/${canary}`, `\uff0e\uff0e/${canary}`],
    ];
    for (const path of paths) {
      const archive = await zipWith(await make(), [{ path, bytes: photo }]);
      const response = await post(op, archive, name);
      assert.ok(response.status < 500, `${path}: ${response.status} ${await response.clone().text()}`);
    }
    assert.deepEqual(canaries.written(service.dataDir, join(service.dataDir, 'work')), []);
    const left = readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' });
    assert.ok(!left.some((path) => path.includes(canary)), left.join('\n'));
  });

  test(`archive links: ${what} shows no file that a symbolic link in it names`, async () => {
    const link = (path: string): Entry => ({ path, bytes: canaries.secretFile, mode: 0o120777 });
    const links = ['2.jpg', 'a.html', 'Pictures/a.svg', 'OPS/two.xhtml', 'word/media/a.svg', 'a.css'].map(
      link,
    );
    const response = await post(op, await zipWith(await make(), links), name);
    assert.ok(response.status < 500);
    assert.ok(!canaries.shows(await response.bytes()));
    // In the place of a file that is read for certain.
    const inPlace = new yazl.ZipFile();
    const main = { 'a.cbz': '1.jpg', 'a.zip': op.includes('html') ? 'index.html' : 'index.md' }[name];
    if (main === undefined) return;
    inPlace.addBuffer(Buffer.from(canaries.secretFile), main, { mode: 0o120777 });
    inPlace.end();
    const refused = await post(op, await buffer(inPlace.outputStream), name);
    assert.equal(refused.status, 400);
    assert.ok(!canaries.shows(await refused.bytes()));
  });
}

test('archive traversal: attachments of hostile names come out under harmless ones', async () => {
  const names = ['../../up.txt', '/etc/abs.txt', 'C:\\\\win.txt', 'a/b.txt', '..', '.', '', 'x\\0y.txt'];
  const files = names.map((_, n) => `(k${n}) ${5 + 2 * n} 0 R`).join(' ');
  const pdf = pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [${files}] >> >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
    'null',
    ...names.flatMap((name, n) => [
      `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F ${6 + 2 * n} 0 R >> >>`,
      streamOf(`content ${n}`, '/Type /EmbeddedFile'),
    ]),
  ]);
  const response = await service.post(
    'misc/extract-attachments',
    form({ fileInput: filePart(new Uint8Array(pdf)) }),
  );
  assert.equal(response.status, 200, await response.clone().text());
  const entries = await zipEntries(Buffer.from(await response.bytes()));
  assert.equal(entries.length, names.length, 'nothing is lost');
  for (const { name } of entries) assert.match(name, /^(?!\.\.?$)[^/\\:\0]+$/);
});

/** Zeros, packed about a thousand times. */
const zeros = (mib: number): Buffer => Buffer.alloc(mib * 1024 ** 2);

function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, 'latin1');
    data.copy(out, 8);
    out.writeInt32BE(crc(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(zeros(4))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc(bytes: Buffer): number {
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value;
}

test('decompression bombs are refused, and the service stays small', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"><rect width="1" height="1"/></svg>';
  const big = zeros(60);
  const bombs: [what: string, op: string, bytes: Uint8Array, name: string][] = [
    ['a page packed twice', 'general/rotate-pdf', bomb(2, 'twice'), 'a.pdf'],
    ['a page drawn', 'convert/pdf/img', bomb(2, 'twice'), 'a.pdf'],
    ['a comic', 'convert/cbz/pdf', await plainZip('1.png', big), 'a.cbz'],
    ['a web page', 'convert/html/pdf', await plainZip('index.html', big), 'a.zip'],
    ['Markdown', 'convert/markdown/pdf', await plainZip('index.md', big), 'a.zip'],
    [
      'a book',
      'convert/ebook/pdf',
      await epubOf({ chapters: { 'a.xhtml': xhtml('x') }, files: { 'b.css': big } }),
      'a.epub',
    ],
    [
      'a Word document',
      'convert/file/pdf',
      await docx(paragraph('x'), [], { 'word/media/a.bmp': big }),
      'a.docx',
    ],
    ['a picture of 10 gigapixels', 'convert/img/pdf', pngOf(100_000, 100_000), 'a.png'],
    ['a picture in a comic', 'convert/cbz/pdf', await plainZip('1.png', pngOf(100_000, 100_000)), 'a.cbz'],
    ['a drawing of a square kilometre', 'convert/svg/pdf', Buffer.from(svg), 'a.svg'],
  ];
  for (const [what, op, bytes, name] of bombs) {
    const startedAt = Date.now();
    const response = await post(op, bytes, name);
    const said = response.ok ? 'made' : (await problemOf(response)).reason;
    // A bomb that nobody needs to unpack does no harm.
    assert.notEqual(said, 'internal', `${what}: ${said}`);
    assert.ok(Date.now() - startedAt < 60_000, `${what} took ${Date.now() - startedAt} ms`);
  }
  assert.ok(memoryOf(service.apiPid(), 'VmHWM') < 500 * 1024 ** 2, 'the API process unpacks nothing');
  const after = await post('general/rotate-pdf', readFileSync(fixture('text-two-pages.pdf')), 'a.pdf');
  assert.equal(after.status, 200);
});
