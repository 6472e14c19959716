import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  docx,
  flatOdf,
  odf,
  paragraph,
  pptx,
  xlsx,
  zipped,
} from '../../../testing/documents/office-documents.ts';
import { given } from '../../../testing/oracles/office-program.ts';
import { Problem } from '../../contract/problems.ts';
import { officeKindOf } from './document-kind.ts';

const kindOf = (bytes: Uint8Array, name = 'named-otherwise.bin') => officeKindOf(given(name, bytes));

const FOUND = [
  ['docx', docx(paragraph('x'))],
  ['xlsx', xlsx('')],
  ['pptx', pptx('')],
  ['odt', odf('text', { body: '' })],
  ['ods', odf('spreadsheet', { body: '' })],
  ['odp', odf('presentation', { body: '' })],
  ['odg', odf('graphics', { body: '' })],
  ['fodt', flatOdf('text', { body: '' })],
  ['rtf', Buffer.from('{\\rtf1 x}')],
  ['docx', zipped({ 'word/document.xml': '<w:document/>', '[Content_Types].xml': '<Types/>' })],
] as const;

for (const [kind, bytes] of FOUND) {
  test(`${kind} is told by its content`, async () => assert.equal(await kindOf(await bytes), kind));
}

const OTHERS: readonly [string, Promise<Uint8Array> | Uint8Array][] = [
  ['plain text', Buffer.from('text')],
  ['a ZIP of something else', zipped({ 'a.txt': 'a' })],
  ['a book', zipped({ mimetype: 'application/epub+zip' })],
  ['nothing', Buffer.alloc(0)],
  ['a compound file cut off', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['a compound file of zeros', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)])],
  ['a compound file whose chains run in circles', circular()],
];

/** Sectors of 512 bytes; the allocation table says of each that it follows itself. */
function circular(): Buffer {
  const bytes = Buffer.alloc(512 * 4);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  bytes.writeUInt32LE(0, 76);
  for (let index = 0; index < 128; index += 1) bytes.writeUInt32LE(index, 512 + index * 4);
  return bytes;
}

for (const [what, bytes] of OTHERS) {
  test(`${what} is no office document`, async () => assert.equal(await kindOf(await bytes), undefined));
}

async function refused(bytes: Uint8Array): Promise<string> {
  try {
    await kindOf(bytes, 'doc.bin');
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.reason, 'unsupported_file_type');
    return error.detail;
  }
  throw new Error('not refused');
}

test('a package that unpacks beyond all measure is refused before it is unpacked', async () => {
  const bomb = await docx('', [], { 'word/document.xml': Buffer.alloc(64 * 1024 * 1024, 0x20) });
  assert.ok(bomb.length < 256 * 1024);
  assert.match(await refused(bomb), /doc\.bin unpacks to more than 250 times its size/);
});

test('a package of very many parts is refused', async () => {
  const parts = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, '']));
  assert.match(await refused(await zipped(parts)), /10000/);
});

test('a text document whose parts are enciphered is called protected', async () => {
  const locked = await odf('text', {
    body: '',
    more: {
      'META-INF/manifest.xml':
        '<manifest:manifest><manifest:file-entry><manifest:encryption-data manifest:checksum="x"/></manifest:file-entry></manifest:manifest>',
    },
  });
  assert.match(await refused(locked), /doc\.bin is protected by a password/);
});

test('a Word document that is enciphered as a whole is called protected', async () => {
  assert.match(await refused(compound('EncryptedPackage')), /protected by a password/);
  assert.equal(await kindOf(compound('WordDocument')), 'doc');
});

/** A compound file with one empty stream of that name. */
function compound(stream: string): Buffer {
  const bytes = Buffer.alloc(512 * 3, 0);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  bytes.writeUInt32LE(0, 76);
  bytes.writeUInt32LE(4096, 56);
  for (let index = 0; index < 128; index += 1) bytes.writeUInt32LE(0xfffffffe, 512 + index * 4);
  const name = Buffer.from(`${stream}\u0000`, 'utf16le');
  name.copy(bytes, 1024);
  bytes.writeUInt16LE(name.length, 1024 + 64);
  bytes.writeUInt8(2, 1024 + 66);
  return bytes;
}
