import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf } from '../../../testing/documents/written-pdf.ts';
import { missing } from '../../../testing/oracles/programs.ts';
import { InputFile } from '../../contract/files.ts';
import { Problem, type Reason } from '../../contract/problems.ts';
import { createQpdf, probe } from './qpdf.ts';

const dir = mkdtempSync(join(tmpdir(), 'bindery-qpdf-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const newFile = (extension: string) => join(dir, `${randomUUID()}.${extension}`);

const opened = (bytes: Uint8Array, passwords: string[] = []) => {
  const { engine } = createQpdf({ passwords, newFile });
  return engine.open(new InputFile('given.pdf', { bytes }));
};
const refusal = (bytes: Uint8Array, passwords: string[] = []): Reason => {
  try {
    opened(bytes, passwords);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.match(error.detail, /given\.pdf/);
    return error.reason;
  }
  throw new Error('it opened');
};

test('the library tells its version', async () => {
  const state = await probe();
  assert.equal(state.available, true);
  assert.match(state.version ?? '', /^\d+\.\d+/);
});

const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>';
const OPENED: Record<string, { bytes: Buffer; pages: number }> = {
  'a sound file': { bytes: onePage(), pages: 1 },
  'a file without end': { bytes: onePage().subarray(0, onePage().indexOf('startxref')), pages: 1 },
  'a file after rubbish': { bytes: Buffer.concat([Buffer.from('rubbish\n'), onePage()]), pages: 1 },
  'a page listed twice': {
    bytes: pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>',
      page,
    ]),
    pages: 2,
  },
  'a tree with a wrong count': {
    bytes: pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count -7 >>', page]),
    pages: 1,
  },
};
for (const [what, { bytes, pages }] of Object.entries(OPENED)) {
  test(`opens ${what}`, () => {
    const doc = opened(bytes);
    assert.equal(doc.pageCount, pages);
    assert.equal(
      new Set(doc.pages().map((ref) => ref.key)).size,
      pages,
      'every page is an object of its own',
    );
  });
}

const REFUSED: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from('%'),
  text: Buffer.from('This is no PDF, though it speaks of %PDF-1.7 and trailer << /Root 1 0 R >>.'),
  zeros: Buffer.alloc(100_000),
  'a ZIP': Buffer.from('PK\u0003\u0004'.repeat(100), 'latin1'),
  'no pages': pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']),
  'no page tree': pdfOf(['<< /Type /Catalog >>']),
  'a page tree in circles': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R] /Count 1 >>',
  ]),
  'a page tree in wide circles': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Pages /Kids [2 0 R 4 0 R] /Count 1 >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  ]),
  'a catalog that is no dictionary': pdfOf(['[1 2]']),
};
for (const [what, bytes] of Object.entries(REFUSED)) {
  test(`refuses ${what} as invalid_pdf`, () => assert.equal(refusal(bytes), 'invalid_pdf'));
}

test('huge object numbers cost no memory', () => {
  const text = onePage().toString('latin1').replace('/Contents 4 0 R', '/Contents 4 0 R /X 8388606 0 R');
  const bytes = Buffer.from(
    `${text}\n8388606 0 obj\n(far)\nendobj\n2147483646 0 obj\n(farther)\nendobj\n`,
    'latin1',
  );
  const before = process.memoryUsage().rss;
  try {
    const doc = opened(bytes.subarray(0));
    assert.ok(doc.allRefs().length < 20);
    doc.save();
  } catch (error) {
    assert.ok(error instanceof Problem);
  }
  assert.ok(process.memoryUsage().rss - before < 200_000_000);
});

const skip = missing('qpdf');
function encrypted(user: string | Buffer, owner: string, ...options: string[]): Buffer {
  const out = newFile('pdf');
  const file = newFile('txt');
  // Options by a file: arguments of a process could not hold any byte.
  const lines = [
    fixture('text-two-pages.pdf'),
    '--allow-weak-crypto',
    '--encrypt',
    user,
    owner,
    ...options,
    '--',
    out,
  ];
  writeFileSync(file, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
  execFileSync('qpdf', ['--password-mode=bytes', `@${file}`]);
  return readFileSync(out);
}

const PASSWORDS: [what: string, user: string | Buffer, options: string[], given: string][] = [
  ['ASCII, 40 bit', 'secret', ['40'], 'secret'],
  ['ASCII, 128 bit', 'secret', ['128', '--use-aes=y'], 'secret'],
  ['ASCII, 256 bit', 'secret', ['256'], 'secret'],
  ['Latin-1, 128 bit', Buffer.from('J\u00fcrgen', 'latin1'), ['128'], 'J\u00fcrgen'],
  ['UTF-8 where Latin-1 is due', 'J\u00fcrgen', ['128'], 'J\u00fcrgen'],
  ['PDFDocEncoding, 128 bit', Buffer.from([0xa0, 0x35, 0x30]), ['128'], '\u20ac50'],
  ['UTF-8, 256 bit', '\u5bc6\u7801', ['256'], '\u5bc6\u7801'],
  ['decomposed letters, 256 bit', 'J\u00fcrgen', ['256'], 'Ju\u0308rgen'],
  ['compatibility characters, 256 bit', 'fi1', ['256'], '\ufb01\u2460'],
];
for (const [what, user, options, given] of PASSWORDS) {
  test(`password: ${what}`, { skip }, () => {
    const bytes = encrypted(user, 'owner', ...options);
    assert.equal(opened(bytes, [given]).pageCount, 2);
    assert.equal(opened(bytes, ['wrong', given]).pageCount, 2);
    assert.equal(opened(bytes, ['owner']).pageCount, 2);
    assert.equal(refusal(bytes), 'password_required');
    assert.equal(refusal(bytes, ['wrong']), 'wrong_password');
  });
}

test('a file with only an owner password opens without one', { skip }, () => {
  const doc = opened(encrypted('', 'owner', '256'));
  assert.equal(doc.isEncrypted, true);
  assert.equal(doc.pageCount, 2);
});

test('an encryption nobody knows is invalid_pdf', () => {
  const bytes = onePage({ more: ['<< /Filter /Nobody /V 1 >>'], trailer: '/Encrypt 5 0 R /ID [<00><00>]' });
  assert.equal(refusal(bytes), 'invalid_pdf');
});

test('memory does not grow over a thousand documents', () => {
  const bytes = readFileSync(fixture('text-two-pages.pdf'));
  const round = () => {
    const { engine, closeAll } = createQpdf({ passwords: [], newFile });
    const doc = engine.open(new InputFile('a.pdf', { bytes }));
    const copy = engine.create();
    copy.setPages(doc.pages().map((ref) => copy.copyFrom(doc, ref)));
    copy.save();
    doc.edit(doc.catalogRef).set('Round', 1);
    doc.save();
    closeAll();
  };
  for (let i = 0; i < 200; i += 1) round();
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 1000; i += 1) round();
  globalThis.gc?.();
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 60_000_000, `${Math.round(grown / 1e6)} MB`);
});
