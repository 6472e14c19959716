import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { IMAGES } from '../../../testing/documents/images.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { AWKWARD_PAGES, assertLooksLike } from '../../../testing/oracles/drawn-pages.ts';
import { missing, pdftotext, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';

const OP = 'misc/add-stamp';
const skip = missing('pdftotext', 'pdftoppm', 'qpdf');
const pages = { name: 'awkward.pages.pdf', bytes: AWKWARD_PAGES };

type Params = Record<string, string>;
type Files = Record<string, string | { name: string; bytes: Uint8Array }>;
const run = (params: Params, files: Files = {}) =>
  runHere(OP, { files: { fileInput: pages, ...files }, params });
const stampImage = async (name: string): Promise<Files> => ({
  stampImage: { name, bytes: (await IMAGES())[name] ?? Buffer.alloc(0) },
});
const readable = (text: string): string =>
  text.replace(/[\u200e\u200f\u202a-\u202e\f]/g, '').replace(/\s+/g, ' ');

const SAMPLES = JSON.parse(readFileSync(fixture('drawn-text.json'), 'utf8')) as {
  name: string;
  text: string;
}[];

for (const rotation of ['0', '-90', '33']) {
  for (const [index, { name, text }] of SAMPLES.entries()) {
    if (rotation !== '0' && index % 4 !== 0) continue;
    // What reads from right to left is joined by pdftotext only where lines stand level or upright.
    if (rotation === '33' && /\p{Script=Hebrew}|\p{Script=Arabic}/u.test(text)) continue;
    test(`${name} at ${rotation} degrees is found by pdftotext`, { skip }, async () => {
      const pdf = made(await run({ stampText: text, rotation, fontSize: '9', position: '5' }));
      // Ligatures of presentation are told apart by their letters.
      const found = readable(pdftotext(pdf)).normalize('NFKC');
      assert.ok(found.includes(readable(text).normalize('NFKC')), `${found} lacks ${text}`);
    });
  }
}

test('placeholders are filled in', { skip }, async () => {
  const stampText = '@filename|@filename_full|@page/@page_number|@total_pages/@page_count|@@x|@title|@author';
  const titled = pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 900 400] >>',
      '<< /Title (A title) >>',
    ],
    { trailer: '/Info 4 0 R' },
  );
  const pdf = made(
    await run({ stampText, fontSize: '12' }, { fileInput: { name: 'the.file.pdf', bytes: titled } }),
  );
  assert.match(pdftotext(pdf), /^the\.file\|the\.file\.pdf\|1\/1\|1\/1\|@x\|A title\|$/m);
});

test('dates are today in UTC, the uuid is one for all pages', { skip }, async () => {
  const stampText = '@date @time @datetime @year @month @day\\n@date{dd.MM.yy}\\n@uuid';
  const pdf = made(await run({ stampText, fontSize: '8' }));
  const text = pdftotext(pdf);
  const today = new Date().toISOString().slice(0, 10);
  const [year = '', month = '', day = ''] = today.split('-');
  assert.ok(text.includes(`${today} `) && text.includes(`${year} ${month} ${day}`), text);
  assert.match(text, /\d\d:\d\d:\d\d \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
  assert.ok(text.includes(`${day}.${month}.${year.slice(2)}`));
  const uuids = text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  assert.equal(uuids.length, 4);
  assert.equal(new Set(uuids).size, 1);
});

const LOOKS: [string, Params, string?][] = [
  ['stamp-default', { customColor: '#3050c0' }],
  [
    'stamp-turned',
    {
      stampText: 'Top left\\nsecond line',
      position: '1',
      rotation: '30',
      fontSize: '30',
      opacity: '1',
      customColor: '#c03030',
      customMargin: 'x-large',
    },
  ],
  [
    'stamp-at-a-point',
    {
      stampText: 'at 100, 150',
      overrideX: '100',
      overrideY: '150',
      rotation: '90',
      fontSize: '24',
      customColor: '#208020',
    },
  ],
  ['stamp-png', { stampType: 'image', fontSize: '120', position: '5', rotation: '-20' }, 'alpha.png'],
  [
    'stamp-jpeg',
    { stampType: 'image', fontSize: '90', position: '9', opacity: '1', customMargin: 'small' },
    'turned.jpg',
  ],
  ['stamp-svg', { stampType: 'image', fontSize: '100', position: '6', opacity: '0.6' }, 'drawing.svg'],
];

for (const [name, params, image] of LOOKS) {
  test(`it looks right on every kind of page: ${name}`, {
    skip: skip || (image?.endsWith('.svg') && missing('rsvg-convert')),
  }, async () => {
    const files = image ? await stampImage(image) : {};
    const pdf = made(await run(params, files));
    qpdfCheck(pdf);
    await assertLooksLike(name, pdf);
  });
}

test('one stamp is shared by all pages; pages that differ in nothing share all that is added', {
  skip,
}, async () => {
  const count = 300;
  const kids = Array.from({ length: count }, (_, index) => `${index + 4} 0 R`).join(' ');
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} /MediaBox [0 0 200 200] >>`,
    streamOf('0 0 10 10 re f'),
    ...Array.from(
      { length: count },
      () => '<< /Type /Page /Parent 2 0 R /Contents 3 0 R /Resources << >> >>',
    ),
  ]);
  const pdf = made(await run({ fontSize: '20' }, { fileInput: { name: 'many.pdf', bytes } }));
  const objects = Object.keys(qpdfObjects(pdf)).length;
  assert.ok(objects < count + 25, `${objects} objects`);
  assert.match(pdftotext(pdf, '-f', '300'), /CONFIDENTIAL/);
});

test('only the selected pages are stamped', { skip }, async () => {
  const ran = await run({ pageNumbers: '2n', stampText: 'STAMPED' });
  assert.equal(madeName(ran), 'awkward.pages_stamped.pdf');
  const said = [1, 2, 3, 4].map((page) =>
    pdftotext(made(ran), '-f', `${page}`, '-l', `${page}`).includes('STAMPED'),
  );
  assert.deepEqual(said, [false, true, false, true]);
});

test('pages whose content leaves something open are stamped all the same', { skip }, async () => {
  const left = [
    '(a',
    '[ (a',
    '<< /A [ 1',
    '<41',
    'BT',
    '/OC /L BDC',
    '% a',
    '[ q 2 0 0 2 0 0 cm',
    'q [ Q',
    'q q',
  ];
  left.push('BI /W 8 /H 8 /CS /G /BPC 8 ID abc', 'BI /W 8 /H 8 /CS /RGB /BPC 8 /F /Fl ID x\x9c');
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${left.length} /Kids [${left.map((_, at) => `${2 * at + 3} 0 R`).join(' ')}] >>`,
    ...left.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents ${2 * at + 4} 0 R >>`,
      streamOf(`0 0 9 9 re f ${content}`),
    ]),
  ]);
  const ran = await run({ stampText: 'STAMPED' }, { fileInput: { name: 'a.pdf', bytes } });
  const said = pdftotext(made(ran)).split('\f').slice(0, -1);
  assert.deepEqual(
    left.filter((_, at) => !said[at]?.includes('STAMPED')),
    [],
  );
});

const REFUSED: [string, Params, string, string?][] = [
  ['stampText', { stampText: '' }, 'invalid_parameter'],
  ['stampText', { stampText: '  \n ' }, 'invalid_parameter'],
  ['stampText', { stampText: '@date{QQQ}' }, 'invalid_parameter'],
  ['stampText', { stampText: `@date{${'y'.repeat(51)}}` }, 'invalid_parameter'],
  ['stampText', { stampText: 'a\u{10ffff}' }, 'invalid_parameter'],
  ['stampImage', { stampType: 'image' }, 'invalid_parameter'],
  ['overrideX', { overrideX: '-0.5' }, 'invalid_parameter'],
  ['overrideY', { overrideY: '-0.01' }, 'invalid_parameter'],
  ['stampImage', { stampType: 'image' }, 'unsupported_file_type', 'broken.png'],
  ['stampImage', { stampType: 'image' }, 'unsupported_file_type', 'broken.jpg'],
  ['stampImage', { stampType: 'image' }, 'unsupported_file_type', 'broken.svg'],
];

for (const [field, params, reason, image] of REFUSED) {
  test(`refused, naming ${field}: ${JSON.stringify(params).slice(0, 60)} ${image ?? ''}`, {
    skip: image?.endsWith('.svg') && missing('rsvg-convert'),
  }, async () => {
    const files = image ? await stampImage(image) : {};
    const problem = failed(await run(params, files));
    assert.equal(problem.reason, reason, problem.detail);
    assert.ok(problem.detail.includes(field), problem.detail);
  });
}

test('what the chosen kind of stamp does not use is not looked at', { skip }, async () => {
  const files = await stampImage('alpha.png');
  made(await run({ stampType: 'image', stampText: '' }, files));
  made(await run({ stampType: 'text' }, files));
});
