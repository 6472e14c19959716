import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { AWKWARD_PAGES, assertLooksLike, contactSheet } from '../../../testing/oracles/drawn-pages.ts';
import {
  askProgram,
  askProgramBytes,
  missing,
  pdfinfo,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';

const OP = 'misc/scanner-effect';
const skip = missing('pdftotext', 'pdftoppm', 'pdfimages', 'qpdf');
const pages = { name: 'pages.pdf', bytes: AWKWARD_PAGES };
const EVERYTHING = fixture('everything.pdf');

const scan = (params: Record<string, string>, fileInput: typeof pages | string = pages) =>
  runHere(OP, { files: { fileInput }, params });
/** Rows of pdfimages: type, width, height, colour, depth, coding, dots per inch. */
const images = (pdf: Buffer) =>
  askProgram('pdfimages', ['-list', '{}'], pdf)
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => row.trim().split(/\s+/))
    .map((cells) => ({ colour: cells[5], coding: cells[8], dpi: cells[12] }));

const LOOKS: [string, Record<string, string>][] = [
  ['scan-default', {}],
  ['scan-low', { quality: 'low', rotation: 'severe', rotateVariance: '0' }],
  [
    'scan-aged',
    {
      yellowish: 'true',
      colorspace: 'color',
      rotation: 'none',
      rotateVariance: '0',
      rotate: '-12',
      border: '0',
    },
  ],
  [
    'scan-straight',
    {
      advancedEnabled: 'true',
      resolution: '72',
      noise: '0',
      blur: '0',
      rotation: 'none',
      rotateVariance: '0',
      border: '0',
    },
  ],
];

for (const [name, params] of LOOKS) {
  test(`it looks right on every kind of page: ${name}`, { skip }, async () => {
    const ran = await scan(params);
    assert.equal(madeName(ran), 'pages_scanner_effect.pdf');
    qpdfCheck(made(ran));
    await assertLooksLike(name, made(ran));
  });
}

const PRESETS: [Record<string, string>, string, string][] = [
  [{ quality: 'high' }, '150', 'gray'],
  [{ quality: 'medium', colorspace: 'color' }, '100', 'rgb'],
  [{ quality: 'LOW' }, '75', 'gray'],
  [{ quality: 'low', yellowish: 'yes' }, '75', 'rgb'],
  [{ quality: 'low', advancedEnabled: 'true', resolution: '96' }, '96', 'gray'],
];

for (const [params, dpi, colour] of PRESETS) {
  test(`${JSON.stringify(params)}: pages are ${colour} JPEG of ${dpi} dpi, without text, in their old size`, {
    skip,
  }, async () => {
    const pdf = made(await scan(params, EVERYTHING));
    assert.deepEqual(images(pdf), Array(4).fill({ colour, coding: 'jpeg', dpi }));
    assert.equal(pdftotext(pdf).trim(), '');
    const info = pdfinfo(pdf);
    assert.equal(info.Form, 'none');
    assert.equal(
      info['Page size'],
      pdfinfo(made(await runHere('misc/repair', { files: { fileInput: EVERYTHING } })))['Page size'],
    );
  });
}

const seen = async (pdf: Buffer) =>
  createHash('sha256')
    .update(await contactSheet(pdf))
    .digest('hex');

test('links lie on what they lay on, form fields are gone', { skip }, async () => {
  for (const turn of [0, 90]) {
    const bytes = onePage({
      page: `/MediaBox [0 0 300 200] /Rotate ${turn} /Annots [
        << /Type /Annot /Subtype /Link /Rect [20 30 50 60] /A << /S /URI /URI (https://example.org/) >> >>
        << /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [200 30 250 60] >>]`,
      content: '20 30 30 30 re f',
    })
      .toString('latin1')
      .replace('/MediaBox [0 0 612 792]', '');
    const params = { rotation: 'none', rotateVariance: '0', rotate: '-20', quality: 'low' };
    const scanned = made(await scan(params, { name: 'a.pdf', bytes: Buffer.from(bytes, 'latin1') }));
    qpdfCheck(scanned);
    const annotations = Object.values(qpdfObjects(scanned)).flatMap(({ value }) => {
      const dict = (value ?? {}) as { '/Subtype'?: string; '/Rect': number[] };
      return ['/Link', '/Widget'].includes(dict['/Subtype'] ?? '') ? [dict] : [];
    });
    assert.deepEqual(
      annotations.map((each) => each['/Subtype']),
      ['/Link'],
    );
    const [link] = annotations;
    const [left = 0, bottom = 0, right = 0, top = 0] = link?.['/Rect'] ?? [];
    const [x, y] = [(left + right) / 2, (bottom + top) / 2];
    const [across, down] = turn === 0 ? [x, 200 - y] : [y, x];
    const ppm = askProgramBytes('pdftoppm', ['-r', '72', '-gray', '{}'], scanned);
    const [width, height] = turn === 0 ? [300, 200] : [200, 300];
    const pixels = ppm.subarray(ppm.length - width * height);
    assert.ok((pixels[Math.round(down) * width + Math.round(across)] ?? 255) < 90, 'the black square');
    assert.ok(Math.abs(x - 35) + Math.abs(y - 45) > 10, 'it has moved');
  }
});

test('the same request gives the same image, another request another one', { skip }, async () => {
  const first = await seen(made(await scan({ quality: 'low' })));
  assert.equal(await seen(made(await scan({ quality: 'low' }))), first);
  assert.notEqual(await seen(made(await scan({ quality: 'low', border: '21' }))), first);
});

test('pages of one document do not all lie alike', { skip }, async () => {
  const same = { name: 'same.pdf', bytes: await twice() };
  const pdf = made(await scan({ quality: 'low', rotateVariance: '10' }, same));
  const [one, two] = await Promise.all(
    ['1', '2'].map(async (page) =>
      createHash('md5')
        .update(askProgramBytes('pdftoppm', ['-r', '36', '-f', page, '-l', page, '{}'], pdf))
        .digest('hex'),
    ),
  );
  assert.notEqual(one, two);
});

async function twice(): Promise<Buffer> {
  const fileInput = [pages, pages];
  return made(await runHere('general/merge-pdfs', { files: { fileInput } }));
}

test('a page above 100 megapixels is refused at a resolution sent, and drawn smaller at the default', {
  skip,
}, async () => {
  const page = '/MediaBox [0 0 2300 2300]';
  const large = {
    name: 'large.pdf',
    bytes: Buffer.from(onePage().toString('latin1').replace('/MediaBox [0 0 612 792]', page), 'latin1'),
  };
  const { reason, detail } = failed(await scan({ advancedEnabled: 'true', resolution: '400' }, large));
  assert.equal(reason, 'invalid_parameter');
  assert.match(detail, /resolution.*page 1.*100 megapixels/);
  // Not used, so not looked at.
  made(await scan({ resolution: '600', quality: 'low' }, large));
});
