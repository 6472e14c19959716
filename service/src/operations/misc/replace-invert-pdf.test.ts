import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { IMAGES } from '../../../testing/documents/images.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { AWKWARD_PAGES, assertLooksLike } from '../../../testing/oracles/drawn-pages.ts';
import {
  askProgram,
  askProgramBytes,
  missing,
  pdftotext,
  qpdfCheck,
} from '../../../testing/oracles/programs.ts';

const OP = 'misc/replace-invert-pdf';
const skip = missing('pdftotext', 'pdftoppm', 'pdfimages', 'qpdf');

/** Everything that has a colour: areas, lines, gradients, patterns, inks, stencils, glyphs, forms, annotations, images. */
async function colourful(): Promise<Buffer> {
  const jpeg = ((await IMAGES())['plain.jpg'] as Buffer).toString('latin1');
  const content = [
    '1 g 0 0 300 400 re f',
    '0 0 0.4 rg 0 350 300 50 re f',
    'BT 1 1 1 rg /F1 20 Tf 20 365 Td (White on dark) Tj ET',
    'BT 0 g /F1 14 Tf 20 325 Td (Black words) Tj 1 0 0 rg 110 0 Td (Red words) Tj ET',
    '0 0.5 0 RG 2 w 20 310 m 280 310 l S',
    '0.2 g 20 300 260 1 re f',
    'q 20 240 60 50 re W n /Sh sh Q',
    '/Pattern cs /P1 scn 100 240 60 50 re f',
    '/Spot cs 0.8 scn 180 240 40 50 re f',
    '/LabSpace cs 60 60 30 scn 240 240 40 50 re f',
    'q 0.1 0.1 0.1 rg 50 0 0 50 20 170 cm BI /W 8 /H 8 /IM true /BPC 1 ID \xf0\xf0\xf0\xf0\x0f\x0f\x0f\x0f EI Q',
    'q 60 0 0 40 100 175 cm /Photo Do Q',
    'q 60 0 0 40 180 175 cm BI /W 2 /H 1 /CS /RGB /BPC 8 /F /AHx ID ff8000 0080ff> EI Q',
    'q 1 0 0 1 20 100 cm /Fm Do Q',
    'BT /T3 30 Tf 180 110 Td (a) Tj ET',
    'q /Mix gs 1 1 0 rg 15 320 90 20 re f Q',
    '0 1 1 0 k 20 30 60 40 re f 0.5 0 0 0 K 4 w 100 30 60 40 re S',
    '/Icc cs 0.2 0.6 0.4 sc 180 30 60 40 re f',
  ].join('\n');
  const resources = `/Font << /F1 5 0 R /T3 6 0 R >> /Shading << /Sh 7 0 R >> /Pattern << /P1 8 0 R >>
    /ColorSpace << /Spot [/Separation /Orange /DeviceRGB 9 0 R] /LabSpace [/Lab << /WhitePoint [0.95 1 1.09] >>] /Icc [/ICCBased 15 0 R] >>
    /XObject << /Photo 10 0 R /Fm 11 0 R >> /ExtGState << /Mix << /BM /Multiply >> >>`;
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 4 0 R /Resources << ${resources} >> /Annots [12 0 R] >>`,
    streamOf(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a 13 0 R >> /Resources << >> >>',
    '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [20 0 80 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> /Extend [true true] >>',
    streamOf(
      '1 0 1 rg 0 0 5 5 re f',
      '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>',
    ),
    streamOf(
      '{ dup 0.5 mul 1 exch sub exch 1 exch sub 1 3 1 roll }',
      '/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]',
    ),
    streamOf(
      jpeg,
      '/Type /XObject /Subtype /Image /Width 48 /Height 32 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
    ),
    streamOf(
      '0.9 0.9 0 rg 0 0 120 40 re f 0 g BT /F1 12 Tf 10 15 Td (Words in a form) Tj ET',
      '/Type /XObject /Subtype /Form /BBox [0 0 120 40] /Resources << /Font << /F1 5 0 R >> >>',
    ),
    '<< /Type /Annot /Subtype /Square /Rect [20 5 280 25] /C [1 0 0] /AP << /N 14 0 R >> >>',
    streamOf('1 0 d0 0 0.6 0 rg 0 0 0.9 0.9 re f'),
    streamOf(
      '1 1 0.8 rg 1 0 0 RG 1 w 1 1 258 18 re B BT 0 g /F1 10 Tf 10 6 Td (An annotation) Tj ET',
      '/Type /XObject /Subtype /Form /BBox [0 0 260 20] /Resources << /Font << /F1 5 0 R >> >>',
    ),
    streamOf('no profile', '/N 3'),
  ]);
}

type Params = Record<string, string>;
const run = (params: Params, bytes: Uint8Array, name = 'colours.pdf') =>
  runHere(OP, { files: { fileInput: { name, bytes } }, params });

const OPTIONS: [string, Params][] = [
  ['high-contrast', {}],
  ['green-on-black', { highContrastColorCombination: 'green_text_on_black' }],
  ['yellow-on-black', { highContrastColorCombination: 'YELLOW_TEXT_ON_BLACK' }],
  ['black-on-white', { highContrastColorCombination: 'BLACK_TEXT_ON_WHITE' }],
  [
    'own-colours',
    { replaceAndInvertOption: 'CUSTOM_COLOR', backGroundColor: '0xFFF0D0', textColor: '8388736' },
  ],
  ['inversion', { replaceAndInvertOption: 'FULL_INVERSION' }],
  ['cmyk', { replaceAndInvertOption: 'COLOR_SPACE_CONVERSION' }],
];

for (const [name, params] of OPTIONS) {
  test(`${name} looks right on a page with everything and on every kind of page`, { skip }, async () => {
    const ran = await run(params, await colourful());
    assert.equal(madeName(ran), 'colours_inverted.pdf');
    qpdfCheck(made(ran));
    await assertLooksLike(`colours-${name}`, made(ran));
    await assertLooksLike(`colours-${name}-pages`, made(await run(params, AWKWARD_PAGES)));
  });

  test(`${name}: text stays text`, { skip }, async () => {
    for (const file of ['everything.pdf', 'tied-pages.pdf', 'text-two-pages.pdf', 'images-in-forms.pdf']) {
      const bytes = readFileSync(fixture(file));
      assert.equal(pdftotext(made(await run(params, bytes))), pdftotext(bytes), file);
    }
  });
}

/** The data of every JPEG, as the file holds it; pdfimages writes stencils differently from run to run. */
function pictures(pdf: Uint8Array): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-pictures-'));
  try {
    writeFileSync(join(dir, 'in.pdf'), pdf);
    spawnSync('pdfimages', ['-all', join(dir, 'in.pdf'), join(dir, 'x')]);
    const names = readdirSync(dir).filter((name) => /^x.*\.jpg$/.test(name));
    return names.sort().map((name) =>
      createHash('md5')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test('what a page and an annotation share is inverted on both', { skip }, async () => {
  const form = (content: string, xobjects: string) =>
    streamOf(
      content,
      `/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Resources << /XObject << ${xobjects} >> >>`,
    );
  const resources = '/Resources << /XObject << /Im 7 0 R /Fm 6 0 R /Area 5 0 R >> >>';
  const stamp = (x: number, look: number) =>
    `<< /Type /Annot /Subtype /Stamp /Rect [${x} 100 ${x + 50} 150] /F 4 /AP << /N ${look} 0 R >> >>`;
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R ${resources} /Annots [8 0 R 9 0 R] >>`,
    streamOf('q 50 0 0 50 0 0 cm /Im Do Q q 1 0 0 1 75 0 cm /Fm Do Q q 1 0 0 1 150 0 cm /Area Do Q'),
    form('1 1 0 rg 0 0 50 50 re f', ''),
    form('q 50 0 0 50 0 0 cm /Im Do Q', '/Im 7 0 R'),
    streamOf(
      '\xff\xff\0',
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
    ),
    stamp(0, 6),
    stamp(75, 5),
  ]);
  const inverted = made(await run({ replaceAndInvertOption: 'FULL_INVERSION' }, bytes));
  const ppm = askProgramBytes('pdftoppm', ['-r', '72', '{}'], inverted);
  const pixels = ppm.subarray(ppm.length - 200 * 200 * 3);
  const at = (x: number, y: number) =>
    pixels.subarray((y * 200 + x) * 3, (y * 200 + x) * 3 + 3).toString('hex');
  const places: [number, number][] = [
    [25, 175],
    [100, 175],
    [175, 175],
    [25, 75],
    [100, 75],
  ];
  assert.deepEqual(
    places.map(([x, y]) => at(x, y)),
    places.map(() => '0000ff'),
  );
  assert.equal(at(60, 60), '000000');
});

test('images stay as they are with presets and own colours', { skip }, async () => {
  const bytes = await colourful();
  const before = pictures(bytes);
  assert.equal(before.length, 1);
  for (const params of [OPTIONS[0]?.[1] ?? {}, OPTIONS[4]?.[1] ?? {}])
    assert.deepEqual(pictures(made(await run(params, bytes))), before);
});

const plain = (pdf: Uint8Array): string =>
  askProgram(
    'qpdf',
    ['--qdf', '--object-streams=disable', '--decode-level=specialized', '{}', '-'],
    pdf,
    [0, 3],
  );

test('nothing but CMYK is left after the conversion, in content, gradients, inks and images', {
  skip,
}, async () => {
  const pdf = made(await run({ replaceAndInvertOption: 'COLOR_SPACE_CONVERSION' }, await colourful()));
  const text = plain(pdf);
  assert.doesNotMatch(text, /^(?:[\d.]+ ){1,3}(?:g|G|rg|RG)\b/m);
  assert.doesNotMatch(text, /DeviceRGB|DeviceGray|\/Lab\b/);
  const rows = askProgram('pdfimages', ['-list', '{}'], pdf)
    .trim()
    .split('\n')
    .slice(2)
    .filter((row) => /48 +32/.test(row));
  assert.match(rows[0] ?? '', /image +48 +32 +cmyk +4 +8 +jpeg/);
});

test('grey, indexed, deep and keyed images become CMYK and look as before', { skip }, async () => {
  const images = [
    streamOf(
      '\x00\x80\xff\x40',
      '/Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Type /XObject /Subtype /Image',
    ),
    streamOf(
      '\x00\x01\x02\x01',
      '/Width 2 /Height 2 /ColorSpace [/Indexed /DeviceRGB 2 <ff000000ff000000ff>] /BitsPerComponent 8 /Type /XObject /Subtype /Image',
    ),
    streamOf(
      '\xff\xff\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00',
      '/Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 16 /Type /XObject /Subtype /Image',
    ),
    streamOf(
      '\xff\x00\x00\x00\x00\xff',
      '/Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Mask [255 255 0 0 0 0] /Type /XObject /Subtype /Image',
    ),
  ];
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 100] /Contents 4 0 R /Resources << /XObject << /A 5 0 R /B 6 0 R /C 7 0 R /D 8 0 R >> >> >>',
    streamOf(
      ['A', 'B', 'C', 'D']
        .map((key, index) => `q 80 0 0 80 ${10 + 100 * index} 10 cm /${key} Do Q`)
        .join('\n'),
    ),
    ...images,
  ]);
  const pdf = made(await run({ replaceAndInvertOption: 'COLOR_SPACE_CONVERSION' }, bytes));
  assert.doesNotMatch(plain(pdf).replace(/\/ColorSpace \/DeviceGray[\s\S]{0,120}endobj/, ''), /DeviceRGB/);
  await assertLooksLike('colours-cmyk-pictures', pdf);
});

const REFUSED: [string, Params][] = [
  ['backGroundColor', { replaceAndInvertOption: 'CUSTOM_COLOR', textColor: '#000000' }],
  ['textColor', { replaceAndInvertOption: 'CUSTOM_COLOR', backGroundColor: '0' }],
  ['textColor', { replaceAndInvertOption: 'CUSTOM_COLOR', backGroundColor: '0', textColor: '16777216' }],
  ['textColor', { textColor: 'ffffff' }],
  ['backGroundColor', { backGroundColor: '#fff' }],
  ['backGroundColor', { backGroundColor: '-1' }],
  ['textColor', { textColor: '0x12345' }],
];

for (const [field, params] of REFUSED) {
  test(`refused, naming ${field}: ${JSON.stringify(params)}`, async () => {
    const { reason, detail } = failed(await run(params, AWKWARD_PAGES));
    assert.equal(reason, 'invalid_parameter');
    assert.ok(detail.includes(field), detail);
  });
}

test('every document of the collection keeps its text in every option', {
  skip: skip || noCorpus(),
}, async () => {
  const files = corpus('pdf').filter(
    (path, index) => index % 5 === 0 && !/unopenable|password|encrypted|large/.test(path),
  );
  for (const path of files) {
    const bytes = readFileSync(path);
    const before = words(bytes);
    for (const option of ['HIGH_CONTRAST_COLOR', 'FULL_INVERSION', 'COLOR_SPACE_CONVERSION']) {
      const ran = await run({ replaceAndInvertOption: option }, bytes);
      if (ran.state === 'failed' && ran.problem.reason === 'invalid_pdf') continue;
      assert.equal(words(made(ran)), before, `${path} ${option}`);
    }
  }
});

function words(pdf: Uint8Array): string {
  try {
    return pdftotext(pdf);
  } catch {
    return '';
  }
}
