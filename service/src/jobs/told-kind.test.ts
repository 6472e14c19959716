import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type FileKind, KINDS } from '../contract/kinds.ts';
import type { FileInput } from '../operations/define.ts';
import { OPERATIONS } from '../operations/index.generated.ts';
import { noPdf, notTaken, operationToPdf, toldKind } from './told-kind.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url));

const fileOf = (name: string, bytes: Uint8Array) => ({ name, size: bytes.length, head: () => bytes });

test('the operation named for a kind takes that kind', () => {
  for (const kind of Object.keys(KINDS) as FileKind[]) {
    const path = operationToPdf(kind);
    if (path === undefined) continue;
    const inputs = OPERATIONS[path]?.inputs as Record<string, FileInput>;
    const kinds = inputs.fileInput?.kinds ?? [];
    assert.ok(kinds.includes(kind) || kinds.includes('any'), `${path} takes ${kinds.join()}, not ${kind}`);
  }
});

test('files that real programs made are called what they are, whatever their name says', () => {
  const EXPECTED: Record<string, FileKind> = {
    docx: 'docx',
    xlsx: 'xlsx',
    pptx: 'pptx',
    odt: 'odt',
    epub: 'epub',
  };
  let seen = 0;
  for (const entry of readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })) {
    const extension = /\.([a-z]+)$/.exec(entry)?.[1] ?? '';
    const expected = Object.hasOwn(EXPECTED, extension) ? EXPECTED[extension] : undefined;
    if (expected === undefined) continue;
    seen += 1;
    assert.equal(
      toldKind('document.pdf', readFileSync(join(FIXTURES, entry)).subarray(0, 4096)),
      expected,
      entry,
    );
  }
  assert.ok(seen > 0, 'there are such fixtures');
});

test('a file that is no PDF is told as what it is, with what makes a PDF of it', () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const told = noPdf(fileOf('scan.pdf', png));
  assert.equal(told?.reason, 'invalid_pdf');
  assert.equal(told?.detail, 'scan.pdf is a PNG, not a PDF.');
  assert.match(told?.options.hint ?? '', /convert\/img\/pdf/);
  assert.equal(noPdf(fileOf('a.pdf', new Uint8Array()))?.detail, 'a.pdf is empty.');
  assert.equal(noPdf(fileOf('a.pdf', Buffer.from('%PDF-1.7 broken'))), undefined);
  assert.equal(noPdf(fileOf('a.pdf', Uint8Array.from([1, 2, 3, 0]))), undefined);
  assert.equal(
    notTaken(fileOf('a.pdf', Buffer.from('%PDF-1.7')), ['png', 'jpeg']).detail,
    'a.pdf is a PDF, not of a type this operation takes: PNG, JPEG.',
  );
});
