import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { askProgram, missing, pdftotext, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';

const PATH = 'misc/decompress-pdf';
const skip = missing('qpdf', 'pdftotext', 'pdftoppm');
const PACKING = /FlateDecode|LZWDecode|RunLengthDecode|ASCII85Decode|ASCIIHexDecode/;

const run = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  runHere(PATH, { files: { fileInput: { name: 'a.pdf', bytes } }, params });

/** Filters of all streams, each once. */
const filtersIn = (bytes: Uint8Array): string[] => [
  ...new Set(
    Object.values(qpdfObjects(bytes)).flatMap((object) =>
      [object.stream?.dict['/Filter'] ?? []].flat().map(String),
    ),
  ),
];

function checkPlain(bytes: Uint8Array): void {
  assert.doesNotMatch(filtersIn(bytes).join(' '), PACKING);
  const text = Buffer.from(bytes).toString('latin1');
  assert.match(text, /\nxref\n0 \d+\n/);
  assert.doesNotMatch(text, /\/Type ?\/(?:ObjStm|XRef)\b/);
}

test('streams are plain, objects stand alone, the text is the same', { skip }, async () => {
  const bytes = readFileSync(fixture('text-two-pages.pdf'));
  const ran = await run(bytes);
  assert.equal(madeName(ran), 'a_decompressed.pdf');
  checkPlain(made(ran));
  qpdfCheck(made(ran));
  assert.equal(pdftotext(made(ran)), pdftotext(bytes));
});

const hex = (bytes: Uint8Array) => `${Buffer.from(bytes).toString('hex')}>`;
const content = Buffer.from('0 0 1 rg 10 10 50 50 re f ');
const JPEG = skip ? Buffer.alloc(0) : jpegOf(fixture('text-two-pages.pdf'));
const IMAGE =
  '/Type /XObject /Subtype /Image /Width 16 /Height 16 /BitsPerComponent 8 /ColorSpace /DeviceRGB';

const packedOnce: Record<string, string> = {
  Flate: streamOf(deflateSync(content).toString('latin1'), '/Filter /FlateDecode'),
  'Flate under its short name': streamOf(deflateSync(content).toString('latin1'), '/Filter /Fl'),
  'hex around Flate': streamOf(hex(deflateSync(content)), '/Filter [/ASCIIHexDecode /FlateDecode]'),
  RunLength: streamOf(
    `${String.fromCharCode(content.length - 1)}${content.toString('latin1')}\u0080`,
    '/Filter /RunLengthDecode',
  ),
  'Flate with a bad checksum': streamOf(
    deflateSync(content)
      .fill(0, -4 + deflateSync(content).length)
      .toString('latin1'),
    '/Filter /FlateDecode',
  ),
};
for (const [what, stream] of Object.entries(packedOnce)) {
  test(`unpacks ${what}`, { skip }, async () => {
    const bytes = onePage({ more: [stream], catalog: '/Extra 5 0 R' });
    const result = made(await run(bytes));
    checkPlain(result);
    assert.ok(result.includes(content), 'the data can be read');
  });
}

test('packing around an image codec goes, the codec stays', { skip }, async () => {
  const image = streamOf(
    hex(deflateSync(JPEG)),
    `${IMAGE} /Filter [/ASCIIHexDecode /FlateDecode /DCTDecode]`,
  );
  const result = made(await run(onePage({ more: [image], catalog: '/Extra 5 0 R' })));
  assert.deepEqual(filtersIn(result), ['/DCTDecode']);
  assert.ok(result.includes(JPEG), 'the JPEG as it was');
});

for (const filters of ['/RunLengthDecode /JPXDecode', '/RL /CCF', '/ASCIIHexDecode /RL /JBIG2Decode']) {
  test(`of [${filters}] only the codec stays`, { skip }, async () => {
    const runs = Buffer.concat([
      Buffer.from([JPEG.length % 128]),
      Buffer.alloc(1 + (JPEG.length % 128), 'x'),
    ]);
    const packed = filters.startsWith('/ASCIIHex') ? hex(runs) : runs.toString('latin1');
    const image = streamOf(packed, `${IMAGE} /Filter [${filters}]`);
    const result = made(await run(onePage({ more: [image], catalog: '/Extra 5 0 R' })));
    const codec = filters.split(' ').at(-1) ?? '';
    assert.deepEqual(filtersIn(result), [codec === '/CCF' ? '/CCITTFaxDecode' : codec]);
    assert.equal(imageIn(result)[1].toString(), runs.toString().slice(1));
  });
}

/** A group 4 fax of 16 by 2 pixels, the left half black. */
const FAX = bytesOf(`001 00110101 000101 1 111 ${'000000000001'.repeat(2)}`);
const FAX_DICT = '/Type /XObject /Subtype /Image /Width 16 /Height 2 /BitsPerComponent 1';

const CODECS: Record<string, { image: string; shows: (pixels: Buffer) => boolean }> = {
  JPEG: {
    image: streamOf(JPEG.toString('latin1'), `${IMAGE} /Filter /DCTDecode`),
    shows: (pixels) => pixels.length === 16 * 16 * 3,
  },
  CCITT: {
    image: streamOf(
      FAX,
      `${FAX_DICT} /ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 16 /Rows 2 >>`,
    ),
    shows: (pixels) => pixels.equals(Buffer.from([0, 255, 0, 255])),
  },
  'CCITT as a mask, black is 1': {
    image: streamOf(
      FAX,
      `${FAX_DICT} /ImageMask true /Decode [1 0] /Filter [/CCF] /DecodeParms [<< /K -1 /Columns 16 /Rows 2 /BlackIs1 true >>]`,
    ),
    shows: (pixels) => pixels.equals(Buffer.from([255, 0, 255, 0])),
  },
};
for (const [what, { image, shows }] of Object.entries(CODECS)) {
  test(`decodeImages decodes ${what}`, { skip }, async () => {
    const bytes = onePage({ more: [image], catalog: '/Extra 5 0 R' });
    const result = made(await run(bytes, { decodeImages: 'true' }));
    assert.deepEqual(filtersIn(result), []);
    const [dict, pixels] = imageIn(result);
    assert.ok(shows(pixels), pixels.toString('hex').slice(0, 100));
    assert.equal(dict.includes('/ImageMask true'), image.includes('/ImageMask true'));
    assert.equal(
      dict.includes('/Decode [1 0]') || dict.includes('/Decode [ 1 0 ]'),
      image.includes('/Decode [1 0]'),
    );
  });
}

test('an image that cannot be decoded stays as it is', { skip }, async () => {
  const image = streamOf(
    'no picture',
    '/Type /XObject /Subtype /Image /Width 9 /Height 9 /Filter /JPXDecode',
  );
  const result = made(
    await run(onePage({ more: [image], catalog: '/Extra 5 0 R' }), { decodeImages: 'true' }),
  );
  assert.deepEqual(filtersIn(result), ['/JPXDecode']);
  assert.ok(result.includes('no picture'));
});

/** The dictionary and data of the only image. */
function imageIn(bytes: Buffer): [dict: string, data: Buffer] {
  const text = bytes.toString('latin1');
  assert.ok(text.includes('/Subtype /Image'));
  const from = text.indexOf('stream\n', text.indexOf('/Subtype /Image')) + 'stream\n'.length;
  return [
    text.slice(text.lastIndexOf('<<', from), from),
    // The line end before the word does not belong to the data.
    Buffer.from(text.slice(from, text.indexOf('\nendstream', from)), 'latin1'),
  ];
}

function bytesOf(bits: string): string {
  const digits = bits.replaceAll(' ', '');
  return (digits.match(/.{1,8}/g) ?? [])
    .map((eight) => String.fromCharCode(Number.parseInt(eight.padEnd(8, '0'), 2)))
    .join('');
}

/** The first page as an image of 16 by 16 pixels. */
function jpegOf(path: string): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-jpeg-'));
  try {
    execFileSync('pdftoppm', [
      '-jpeg',
      '-singlefile',
      '-scale-to-x',
      '16',
      '-scale-to-y',
      '16',
      path,
      join(dir, 'page'),
    ]);
    return readFileSync(join(dir, 'page.jpg'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test('images of a collection are the same for pdfimages', {
  skip: noCorpus() || missing('pdfimages'),
}, async () => {
  for (const path of corpus('pdf/scanned', 'ocr')) {
    const bytes = readFileSync(path);
    const codecs = askProgram('pdfimages', ['-list', '{}'], bytes);
    if (!/ (?:jpx|jbig2|ccitt) /.test(codecs)) continue;
    const result = made(await run(bytes, { decodeImages: 'true' }));
    assert.doesNotMatch(askProgram('pdfimages', ['-list', '{}'], result), / (?:jpx|jbig2|ccitt) /, path);
    assert.deepEqual(imagesIn(result), imagesIn(bytes), path);
  }
});

/** Checksums of all images as pdfimages decodes them. */
function imagesIn(bytes: Uint8Array): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-pictures-'));
  try {
    writeFileSync(join(dir, 'a.pdf'), bytes);
    execFileSync('pdfimages', [join(dir, 'a.pdf'), join(dir, 'picture')]);
    const names = readdirSync(dir)
      .filter((name) => name.startsWith('picture'))
      .sort();
    return names.map((name) =>
      createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test('decodeImages must be true or false', async () => {
  const problem = failed(await run(onePage(), { decodeImages: 'x' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /^decodeImages/);
});

test('a collection comes out plain', { skip: noCorpus() || skip }, async () => {
  for (const path of corpus(
    'pdf/form',
    'pdf/images',
    'pdf/cjk',
    'pdf/scanned',
    'pdf/qpdf-warn',
    'pdf/malformed',
  )) {
    const ran = await run(readFileSync(path));
    if (ran.state === 'failed' && ran.problem.reason === 'invalid_pdf') continue;
    checkPlain(made(ran));
  }
});
