import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { indexOf, mobiOf, palmDatabase } from '../../testing/documents/books.ts';
import { InputFile } from '../contract/files.ts';
import { Problem } from '../contract/problems.ts';
import { parseXml, textOf } from '../markup/xml.ts';
import { assemble } from './assemble.ts';
import { resolveAddress } from './book.ts';
import { protectionOf } from './epub-protection.ts';
import { readMobi } from './mobi.ts';
import { unpackPalmDoc } from './mobi-compression.ts';
import { readBook } from './read-book.ts';
import { decodeText } from './text-decoding.ts';

test('addresses are followed inside the book only', () => {
  const cases: [string, string, string | undefined][] = [
    ['a/b.html', 'c.html#x', 'a/c.html#x'],
    ['a/b.html', '../d/%C3%A4.png?v=1', 'd/ä.png#'],
    ['a/b.html', '#y', 'a/b.html#y'],
    ['a/b.html', '/e.css', 'e.css#'],
    ['a/b.html', '../../../../etc/passwd', 'etc/passwd#'],
    ['a/b.html', 'http://x/y', undefined],
    ['a/b.html', '//x/y', undefined],
    ['a/b.html', 'file:///etc/passwd', undefined],
  ];
  for (const [from, address, expected] of cases) {
    const found = resolveAddress(from, address);
    assert.equal(found && `${found.path}#${found.fragment}`, expected, address);
  }
});

test('XML is read tolerantly and its entities do not grow', () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY b "x&c;"><!ENTITY c "&b;&b;">]><a>&b;&amp;&#228;&#x20ac;<b/><c>open</a>';
  assert.equal(textOf(parseXml(bomb)), '&b;&ä€open');
  assert.throws(() => parseXml('<a>'.repeat(100_000)), /nested more than 400 deep/);
});

test('texts tell their character set', () => {
  assert.equal(decodeText(Buffer.from('\ufeffä', 'utf16le')), 'ä');
  assert.equal(
    decodeText(Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>\xcf</a>', 'latin1')).at(-5),
    'П',
  );
  assert.equal(decodeText(Buffer.from('\x80', 'latin1')), '€');
  assert.equal(decodeText(Buffer.from('ä')), 'ä');
});

test('PalmDOC text comes out: letters, spaces, repetitions', () => {
  // "abcabcabc d": three letters, six more from three back, a space with its letter.
  assert.equal(unpackPalmDoc(Buffer.from([0x61, 0x62, 0x63, 0x80, 0x1b, 0xe4])).toString(), 'abcabcabc d');
  assert.equal(unpackPalmDoc(Buffer.from([2, 0xc3, 0xa4, 0x80, 0xff])).toString(), 'ä');
});

const BOOK =
  '<html><head><guide></guide></head><body><p>Start äöü</p><a filepos=0000000XXX>go</a><mbp:pagebreak/><h1>One</h1>' +
  `<p>${'words and words '.repeat(600)}</p><img recindex="00001"/></body></html>`;
const position = BOOK.indexOf('<h1>') + 3;
const TEXT = Buffer.from(BOOK.replace('XXX', String(position).padStart(3, '0')));

for (const compression of ['none', 'palmdoc', 'huff'] as const) {
  for (const trailing of [false, true]) {
    test(`a MOBI book packed by ${compression}${trailing ? ', with data behind its records,' : ''} is read`, async () => {
      const image = Buffer.from('\xff\xd8\xff picture', 'latin1');
      const ncx = indexOf(
        [
          [1, 1],
          [3, 1],
          [4, 1],
        ],
        [['0', [[position], [0], [0]]]],
        ['Chapter Öne'],
      );
      const file = mobiOf({
        text: TEXT,
        compression,
        trailing,
        images: [image],
        indexes: new Map([[244, ncx]]),
      });
      const book = readMobi(file, 'a.mobi');
      assert.equal(book.title, 'Kindle Book');
      assert.equal(book.author, 'Bob Writer');
      assert.equal(book.cover, undefined);
      const html = book.chapters[0]?.html ?? '';
      assert.match(html, /Start äöü/);
      assert.equal(html.split('words and words').length, 601);
      assert.match(html, new RegExp(`href="#filepos${position}"`));
      assert.match(html, new RegExp(`<a id="filepos${position}"></a><h1>`));
      assert.match(html, /<img src="images\/1"/);
      assert.deepEqual(book.contents, [
        { title: 'Chapter Öne', target: `book.html#filepos${position}`, children: [] },
      ]);
      assert.deepEqual((await book.resource('images/1'))?.bytes, image);
      assert.equal(await book.resource('images/9'), undefined);
    });
  }
}

/** Two files of a skeleton and fragments each, and a style sheet. */
function kf8(): Buffer {
  const files = [
    {
      skeleton: [
        '<html><head><link rel="stylesheet" href="kindle:flow:0001?mime=text/css"/></head><body>',
        '</body></html>',
      ],
      parts: ['<p>First <a href="kindle:pos:fid:0002:off:0000000003">there</a></p>', '<p>Second</p>'],
    },
    {
      skeleton: ['<html><body>', '</body></html>'],
      parts: ['<p>x</p><h1>Target</h1><img src="kindle:embed:0001?mime=image/png"/>'],
    },
  ];
  let text = '';
  const skeletons: [string, number[][]][] = [];
  const fragments: [string, number[][]][] = [];
  for (const [number, { skeleton, parts }] of files.entries()) {
    const [before = '', after = ''] = skeleton;
    const start = text.length;
    skeletons.push([`SKEL${number}`, [[parts.length], [start, before.length + after.length]]]);
    let place = start + before.length;
    for (const part of parts) {
      fragments.push([
        String(place).padStart(10, '0'),
        [[0], [number], [fragments.length], [0, part.length]],
      ]);
      place += part.length;
    }
    text += before + after + parts.join('');
  }
  const css = 'p{color:red;background:url(kindle:embed:0001?mime=image/png)}';
  const fdst = Buffer.alloc(12 + 16);
  fdst.write('FDST', 0, 'latin1');
  fdst.writeUInt32BE(12, 4);
  fdst.writeUInt32BE(2, 8);
  for (const [index, value] of [0, text.length, text.length, text.length + css.length].entries())
    fdst.writeUInt32BE(value, 12 + 4 * index);
  const ncx = indexOf(
    [
      [3, 1],
      [4, 1],
      [6, 2],
    ],
    [['0', [[0], [0], [2, 8]]]],
    ['The Target'],
  );
  return mobiOf({
    text: Buffer.from(text + css),
    version: 8,
    compression: 'palmdoc',
    images: [Buffer.from('\x89PNG picture', 'latin1')],
    indexes: new Map([
      [192, [fdst]],
      [
        252,
        indexOf(
          [
            [1, 1],
            [6, 2],
          ],
          skeletons,
        ),
      ],
      [
        248,
        indexOf(
          [
            [2, 1],
            [3, 1],
            [4, 1],
            [6, 2],
          ],
          fragments,
          ['aid'],
        ),
      ],
      [244, ncx],
    ]),
  });
}

test('an AZW3 book is put together from skeletons and fragments', async () => {
  const book = readMobi(kf8(), 'a.azw3');
  assert.equal(book.chapters.length, 2);
  const [first, second] = book.chapters.map(({ html }) => html.replace(/<a id="pos\d+"><\/a>/g, '@'));
  assert.match(first ?? '', /<body><p>First <a href="part1#pos\d+">there<\/a><\/p><p>Second<\/p><\/body>/);
  assert.match(second ?? '', /<body><p>@x<\/p>@<h1>Target<\/h1><img src="\/images\/1"\/><\/body>/);
  assert.equal(book.contents[0]?.title, 'The Target');
  assert.match(Buffer.from((await book.resource('flows/1'))?.bytes ?? []).toString(), /url\(\/images\/1\)/);
  const page = await assemble(book, { contentsTitle: 'Contents' });
  const id = page.contents[0]?.id ?? '';
  assert.ok(page.html.includes(`<a id="${id}"></a><h1`) && page.html.includes(`href="#${id}"`), id);
  assert.match(page.html, /url\("book\/images\/1"\)/);
});

test('Kindle books under DRM are refused', () => {
  for (const encryption of [1, 2]) {
    assert.throws(
      () => readMobi(mobiOf({ text: TEXT, encryption }), 'a.mobi'),
      (error) =>
        error instanceof Problem && error.reason === 'unsupported_file_type' && /DRM/.test(error.detail),
    );
  }
});

test('damaged Kindle books are refused or read, never worse', () => {
  const whole = [kf8(), mobiOf({ text: TEXT, compression: 'huff' }), palmDatabase([Buffer.alloc(20)])];
  for (const file of whole) {
    for (let seed = 1; seed < 150; seed += 1) {
      const broken = Buffer.from(file);
      for (let n = 0; n < 8; n += 1)
        broken[(seed * 7919 + n * 104729) % broken.length] = (seed * 31 + n * 17) & 0xff;
      for (const bytes of [broken, broken.subarray(0, (broken.length * seed) / 150)]) {
        try {
          readMobi(bytes, 'a.mobi');
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
        }
      }
    }
  }
});

test('fonts are freed of their masks', async () => {
  const opf = parseXml(
    '<package unique-identifier="u"><metadata><identifier id="u">urn:uuid:00112233-4455-6677-8899-aabbccddeeff</identifier></metadata></package>',
  ).children[0];
  assert.ok(opf && typeof opf !== 'string');
  const font = Buffer.from(Array.from({ length: 1100 }, (_, index) => index & 0xff));
  const keys: [string, Buffer, number][] = [
    [
      'http://www.idpf.org/2008/embedding',
      createHash('sha1').update('urn:uuid:00112233-4455-6677-8899-aabbccddeeff').digest(),
      1040,
    ],
    ['http://ns.adobe.com/pdf/enc#RC', Buffer.from('00112233445566778899aabbccddeeff', 'hex'), 1024],
  ];
  for (const [algorithm, key, length] of keys) {
    const xml = `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="OPS/f.ttf"/></CipherData></EncryptedData></encryption>`;
    const { clear } = await protectionOf(async () => xml, opf, 'a.epub');
    const masked = Buffer.from(
      font.map((byte, at) => (at < length ? byte ^ (key[at % key.length] ?? 0) : byte)),
    );
    assert.deepEqual(Buffer.from(clear('OPS/f.ttf', masked)), font);
    assert.deepEqual(Buffer.from(clear('OPS/other.ttf', masked)), masked);
  }
});

test('plain text is a book by its name only', async () => {
  const read = (name: string, text: string) =>
    readBook(new InputFile(name, { bytes: Buffer.from(text) }, 'b'), async () => assert.fail());
  const book = await read('b.txt', 'Chapter 1\n\nIt was <so>.\n\nCHAPTER II. The end\n\nx');
  assert.deepEqual(
    book.contents.map(({ title }) => title),
    ['Chapter 1', 'CHAPTER II. The end'],
  );
  assert.match(book.chapters[0]?.html ?? '', /It was &lt;so&gt;\./);
  for (const [name, text] of [
    ['b.doc', 'words'],
    ['b.txt', 'a\0b'],
    ['b.txt', ''],
  ] as const)
    await assert.rejects(read(name, text), /epub, mobi, azw3, fb2, txt and docx/);
});
