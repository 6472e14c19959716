import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const PATH = 'misc/repair';
const skip = missing('qpdf', 'pdfinfo', 'pdftotext');
const run = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  runHere(PATH, { files: { fileInput: { name: 'a.pdf', bytes } }, params });
const repaired = async (bytes: Uint8Array) => {
  const ran = await run(bytes);
  assert.equal(madeName(ran), 'a_repaired.pdf');
  const result = made(ran);
  qpdfCheck(result, { tolerant: true });
  return result;
};

const sound = readFileSync(fixture('text-two-pages.pdf'));
const latin1 = (change: (text: string) => string) => Buffer.from(change(sound.toString('latin1')), 'latin1');
const tail = sound.lastIndexOf('startxref');

const DAMAGE: Record<string, Buffer> = {
  'nothing wrong': sound,
  'a wrong startxref': latin1((text) => text.replace(/startxref\s+\d+/, 'startxref\n7')),
  'no startxref': sound.subarray(0, tail),
  'junk before the header': Buffer.concat([Buffer.from('GARBAGE\n'.repeat(50)), sound]),
  'junk after the end': Buffer.concat([sound, Buffer.alloc(5000, 'x')]),
  'no cross-reference table and no trailer': latin1((text) =>
    text.replaceAll('trailer', 'tra1ler').replaceAll('xref', 'xr3f'),
  ),
  'no catalog': latin1((text) => text.replaceAll('/Catalog', '/Katalog')),
  'no header': latin1((text) => text.replace('%PDF-', '%QQQ-')),
};
for (const [what, bytes] of Object.entries(DAMAGE)) {
  test(`pages and text come back: ${what}`, { skip }, async () => {
    const result = await repaired(bytes);
    assert.equal(pdfinfo(result).Pages, '2');
    assert.equal(pdftotext(result).trim(), pdftotext(sound).trim());
  });
}

test('a file cut off before its catalog keeps the pages that are left', { skip }, async () => {
  const whole = pdfOf([
    '<< /Type /Page /Parent 9 0 R /MediaBox [0 0 100 100] /Contents 2 0 R >>',
    streamOf('BT ET'),
    '<< /Type /Page /Parent 9 0 R /Contents 2 0 R >>',
    streamOf('q Q '.repeat(100)),
  ]);
  const result = await repaired(whole.subarray(0, whole.indexOf('q Q ') + 50));
  const info = pdfinfo(result, '-l', '2');
  assert.equal(info.Pages, '2');
  assert.match(info['Page    1 size'] ?? '', /^100 x 100/);
  assert.match(info['Page    2 size'] ?? '', /^612 x 792/, 'Letter where the size is lost');
});

test('objects in object streams are found without cross-references', { skip }, async () => {
  const first = '1 0 2 34 3 80 ';
  const objects =
    '<< /Type /Catalog /Pages 2 0 R >> << /Type /Pages /Kids [3 0 R] /Count 1 >>     << /Type /Page /Parent 2 0 R /MediaBox [0 0 70 80] >>';
  const packed = deflateSync(Buffer.from(first + objects)).toString('latin1');
  const container = streamOf(packed, `/Type /ObjStm /N 3 /First ${first.length} /Filter /FlateDecode`);
  const bytes = Buffer.from(`%PDF-1.5\n7 0 obj\n${container}\nendobj\n`, 'latin1');
  const result = await repaired(bytes);
  assert.match(pdfinfo(result)['Page size'] ?? '', /^70 x 80/);
});

/** Pages whose object numbers are in another order than they are; each says its number, all are cut off the trailer. */
const tree = (pages: string, nodes: string[]): Buffer => {
  const said = (text: string) => streamOf(`BT /F 9 Tf 10 10 Td (${text}) Tj ET`);
  const whole = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /Lang (de-AT) >>',
    pages,
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    said('third'),
    '<< /Type /Page /Parent 9 0 R /Contents 6 0 R >>',
    said('first'),
    '<< /Type /Page /Parent 9 0 R /Contents 8 0 R /MediaBox [0 0 50 60] >>',
    said('second'),
    ...nodes,
  ]);
  return whole.subarray(0, whole.lastIndexOf('xref\n0'));
};
const FONT = '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';

test('without a trailer pages keep their order and what they inherit', { skip }, async () => {
  const result = await repaired(
    tree(`<< /Type /Pages /Kids [9 0 R 3 0 R] /Count 3 ${FONT} /MediaBox [0 0 70 80] >>`, [
      '<< /Type /Pages /Parent 2 0 R /Kids 10 0 R /Count 2 /Rotate 90 >>',
      '[5 0 R 7 0 R]',
    ]),
  );
  assert.deepEqual(pdftotext(result).split(/\s+/).filter(Boolean), ['first', 'second', 'third']);
  const info = pdfinfo(result, '-l', '3');
  assert.deepEqual(
    [1, 2, 3].map((page) => [info[`Page    ${page} size`], info[`Page    ${page} rot`]]),
    [
      ['70 x 80 pts', '90'],
      ['50 x 60 pts', '90'],
      ['70 x 80 pts', '0'],
    ],
  );
  assert.match(askProgram('qpdf', ['--qdf', '{}', '-'], result), /\/Lang \(de-AT\)/);
});

test('pages that had been taken out stay out, those whose tree is lost come back', { skip }, async () => {
  const taken = await repaired(tree(`<< /Type /Pages /Kids [7 0 R 3 0 R] /Count 2 ${FONT} >>`, []));
  assert.deepEqual(pdftotext(taken).split(/\s+/).filter(Boolean), ['second', 'third']);
  const lost = await repaired(tree(`<< /Type /Pages /Kids [7 0 R 12 0 R 3 0 R] /Count 3 ${FONT} >>`, []));
  assert.equal(pdfinfo(lost).Pages, '3');
  assert.match(pdftotext(lost), /^second\s+third/);
});

const PAGES: Record<string, { page: string; size?: RegExp }> = {
  'no media box': { page: '/MediaBox null', size: /^612 x 792/ },
  'a media box of rubbish': { page: '/MediaBox [1 (x)]', size: /^612 x 792/ },
  'an empty crop box': { page: '/CropBox [0 0 0 0]', size: /^612 x 792/ },
  'contents that are no stream': { page: '/Contents 1 0 R' },
  'annotations that are no list': { page: '/Annots 7' },
};
for (const [what, { page, size }] of Object.entries(PAGES)) {
  test(`a page is mended: ${what}`, { skip }, async () => {
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Kids [3 0 R 7 null] /Count 44 >>',
      `<< /Parent 2 0 R ${page} >>`,
    ];
    const info = pdfinfo(await repaired(pdfOf(objects)));
    assert.equal(info.Pages, '1');
    if (size) assert.match(info['Page size'] ?? '', size);
  });
}

test('what still decodes of a damaged stream is kept', { skip }, async () => {
  const content = Array.from({ length: 300 }, (_, i) => `BT /F1 9 Tf 10 ${i} Td (line${i}) Tj ET\n`).join('');
  const packed = deflateSync(Buffer.from(content), { level: 0 });
  packed.fill(0xff, packed.length >> 1, (packed.length >> 1) + 1);
  packed.fill(0, packed.length - 4);
  const cut = deflateSync(Buffer.from(content)).subarray(0, -200);
  for (const data of [packed, cut]) {
    const bytes = pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      streamOf(data.toString('latin1'), '/Filter /FlateDecode'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ]);
    assert.match(pdftotext(await repaired(bytes)), /line42\b/);
  }
});

test('a filter with wrong letters is read as Flate', { skip }, async () => {
  const bytes = onePage({
    page: '/Contents 5 0 R',
    more: [streamOf(deflateSync('q 1 0 0 1 7 7 cm Q').toString('latin1'), '/Filter /FlazeDecode')],
  });
  const text = Buffer.from(bytes).toString('latin1').replace('/Contents 4 0 R /Contents', '/Contents');
  qpdfCheck(await repaired(Buffer.from(text, 'latin1')), { tolerant: true });
});

const HOPELESS: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  text: Buffer.from('hello'),
  'a header alone': Buffer.from('%PDF-1.7\n'),
  'objects without a page': Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Font >>\nendobj\n'),
  'zero bytes': Buffer.alloc(10_000),
};
for (const [what, bytes] of Object.entries(HOPELESS)) {
  test(`no page recoverable: ${what}`, async () => {
    const problem = failed(await run(bytes));
    assert.equal(problem.reason, 'invalid_pdf');
    assert.match(problem.detail, /a\.pdf/);
  });
}

test('an encrypted document asks for its password and comes out without', { skip }, async () => {
  const encrypted = made(
    await runHere('security/add-password', {
      files: { fileInput: { name: 'a.pdf', bytes: sound } },
      params: { password: 'u' },
    }),
  );
  assert.equal(failed(await run(encrypted)).reason, 'password_required');
  assert.equal(failed(await run(encrypted, { inputPassword: 'x' })).reason, 'wrong_password');
  assert.equal(pdfinfo(made(await run(encrypted, { inputPassword: 'u' }))).Encrypted, 'no');
});

test('no damage whatever is an internal error', { skip }, async () => {
  let seed = 11;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < 60; round += 1) {
    const bytes = Buffer.from(sound.subarray(0, round % 2 ? random(sound.length) : sound.length));
    for (let flips = random(40); flips > 0 && bytes.length > 0; flips -= 1)
      bytes[random(bytes.length)] = random(256);
    const ran = await run(bytes);
    if (ran.state === 'failed') assert.equal(ran.problem.reason, 'invalid_pdf', ran.cause);
  }
});

test('damaged files of a collection come out sound', { skip: noCorpus() || skip }, async () => {
  const hopeless = /bug1020226|AESkeylength256|bug_344|plumber__empty/;
  for (const path of corpus('pdf/malformed', 'pdf/broken-xref', 'pdf/unopenable', 'pdf/qpdf-warn')) {
    const ran = await run(readFileSync(path));
    if (hopeless.test(path)) assert.equal(failed(ran).reason, 'invalid_pdf', path);
    else qpdfCheck(made(ran), { tolerant: true });
  }
});
