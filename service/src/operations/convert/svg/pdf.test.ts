import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpusFolder, noCorpus } from '../../../../testing/documents/collection.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
import { assertOutOfReach, noBrowser } from '../../../../testing/oracles/printing.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../../testing/oracles/programs.ts';
import { drawnPage, meanDifference, rasterOf, resized } from '../../../../testing/oracles/rasters.ts';

const withoutBrowser = await noBrowser();

const skip = missing('rsvg-convert', 'pdftocairo', 'pdfimages', 'pdfinfo', 'qpdf');
const NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

const drawing = (name: string, svg: string) => ({ name, bytes: Buffer.from(svg) });
const convert = (svgs: { name: string; bytes: Uint8Array }[], params: Record<string, string> = {}) =>
  runHere('convert/svg/pdf', { files: { fileInput: svgs }, params });
const simple = (attributes: string, inner = '<rect width="10" height="10"/>') =>
  drawing('drawing.svg', `<svg ${NS} ${attributes}>${inner}</svg>`);

const SIZES: [string, string][] = [
  ['width="80" height="60"', '60 x 45'],
  ['width="80px" height="60" viewBox="0 0 1 1"', '60 x 45'],
  ['width="1in" height="2in"', '72 x 144'],
  ['viewBox="0 0 400 200"', '300 x 150'],
  ['width="100%" height="100%" viewBox="0 0 400 200"', '300 x 150'],
  ['height="100" viewBox="0 0 400 200"', '150 x 75'],
  ['width="0" height="0" viewBox="0 0 400 200"', '300 x 150'],
  ['style="width:40px;height:20px"', '30 x 15'],
  ['', '595.276 x 841.89'],
  ['width="100%"', '595.276 x 841.89'],
  ['width="0" height="-4"', '595.276 x 841.89'],
  ['viewBox="0 0 0 0"', '595.276 x 841.89'],
  ['width="80"', '60 x 841.89'],
  ['width="1000000" height="500000"', '14400 x 7200'],
  ['width="19200" height="100"', '14400 x 75'],
];
for (const [attributes, size] of SIZES) {
  test(`a drawing with ${attributes || 'no size'} makes a page of ${size} points`, { skip }, async () => {
    const pdf = made(await convert([simple(attributes)]));
    assert.ok((pdfinfo(pdf)['Page size'] ?? '').startsWith(`${size} pts`), pdfinfo(pdf)['Page size']);
  });
}

test('a drawing that is too large and too thin for a page is refused', { skip }, async () => {
  const refused = failed(await convert([simple('width="1000000000000" height="5"')]));
  assert.equal(refused.reason, 'unsupported_file_type');
  assert.match(refused.detail, /drawing\.svg/);
});

test('a drawing that the browser draws has the exact size', { skip: skip || withoutBrowser }, async () => {
  const inner = '<path id="p" d="M0 30h200"/><text><textPath href="#p">along the path</textPath></text>';
  for (const [attributes, size] of [
    ['width="333" height="101"', '249.75 x 75.75'],
    ['width="794" height="1123"', '595.5 x 842.25'],
  ] as const) {
    const pdf = made(await convert([simple(attributes, inner)]));
    assert.match(pdfinfo(pdf).Producer ?? '', /Skia/);
    assert.ok((pdfinfo(pdf)['Page size'] ?? '').startsWith(`${size} pts`), pdfinfo(pdf)['Page size']);
  }
});

test('text stays text, vectors stay vectors, the file is named after the drawing', { skip }, async () => {
  const svg = simple(
    'width="200" height="50"',
    '<text y="20" font-size="12">Straße 道</text><circle r="5"/>',
  );
  const ran = await convert([svg]);
  assert.equal(madeName(ran), 'drawing.pdf');
  const pdf = made(ran);
  qpdfCheck(pdf);
  assert.match(pdftotext(pdf), /Straße 道/);
  assert.equal(askProgram('pdfimages', ['-list', '{}'], pdf).trim().split('\n').length, 2);
  assert.doesNotMatch(pdfinfo(pdf).CreationDate ?? '', /1970/);
});

test('several drawings make one PDF in order, or a ZIP of PDFs', { skip }, async () => {
  const three = [40, 80, 120].map((width, index) =>
    drawing(
      `d${index}.svg`,
      `<svg ${NS} width="${width}" height="40"><text y="20">word${index}</text></svg>`,
    ),
  );
  const together = await convert(three);
  assert.equal(madeName(together), 'd0_combined.pdf');
  const pdf = made(together);
  qpdfCheck(pdf);
  assert.deepEqual(
    [1, 2, 3].map(
      (page) => pdfinfo(pdf, '-f', `${page}`, '-l', `${page}`)[`Page    ${page} size`]?.split(' pts')[0],
    ),
    ['30 x 30', '60 x 30', '90 x 30'],
  );
  assert.match(pdftotext(pdf), /word0[\s\S]*word1[\s\S]*word2/);
  const apart = await convert(three, { combineIntoSinglePdf: 'false' });
  assert.equal(madeName(apart), 'd0_converted_svgs.zip');
  const entries = await zipEntries(made(apart));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['d0.pdf', 'd1.pdf', 'd2.pdf'],
  );
  const alone = await convert(three.slice(0, 1), { combineIntoSinglePdf: 'false' });
  assert.equal(madeName(alone), 'd0.pdf');
});

test('definitions, comments and prefixes before and in the root are understood', { skip }, async () => {
  const prolog =
    '<?xml version="1.0"?><!-- <svg> --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!ENTITY w "80">]>';
  const svg = `${prolog}<s:svg xmlns:s="http://www.w3.org/2000/svg" width="&w;" height="40"><s:rect width="9" height="9"/></s:svg>`;
  const pdf = made(await convert([drawing('a.svg', svg)]));
  assert.match(pdfinfo(pdf)['Page size'] ?? '', /^60 x 30 pts/);
});

test('a drawing cut out of a web page is drawn, by whoever draws it', {
  skip: skip || withoutBrowser,
}, async () => {
  for (const colour of ['#00f', 'var(--x, #00f)']) {
    const svg =
      '<!-- <svg --><svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" inkscape:label="x"><defs><rect id="r" width="80" height="40"/></defs>' +
      `<use xlink:href="#r" fill="${colour}"/><text y="20" font-size="8">Grüße&nbsp;&mdash; &lt;x&gt;</text></svg>`;
    const pdf = made(await convert([drawing('a.svg', svg)]));
    assert.match(pdftotext(pdf), /Grüße\s— <x>/);
    const { data } = await drawnPage(pdf);
    assert.ok((data[0] ?? 255) < 60 && (data[2] ?? 0) > 200, colour);
  }
});

const REFUSED: [string, Uint8Array][] = [
  ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['a gzipped drawing', gzipSync(`<svg ${NS}/>`)],
  ['another kind of XML', Buffer.from('<?xml version="1.0"?><html><svg/></html>')],
  ['a drawing that is cut off', Buffer.from(`<svg ${NS}><rect`)],
  ['comments without end', Buffer.from(`${'<!---->'.repeat(500)}<g/>`)],
];
for (const [what, bytes] of REFUSED) {
  test(`${what} is no drawing`, { skip }, async () => {
    const { reason, detail } = failed(await convert([{ name: 'x.svg', bytes }]));
    assert.equal(reason, 'unsupported_file_type');
    assert.match(detail, /x\.svg/);
  });
}

test('neither the network nor files of this machine can be reached from a drawing', { skip }, async () => {
  await assertOutOfReach(async ({ web, folder, secret }) => {
    const red = { create: { width: 8, height: 8, channels: 3, background: '#ff0000' } } as const;
    const image = join(folder, 'secret.png');
    writeFileSync(image, await sharp(red).png().toBuffer());
    writeFileSync(
      join(folder, 'secret.svg'),
      `<svg ${NS}><g id="a"><rect width="99" height="99" fill="red"/></g></svg>`,
    );
    const inner = ['image', 'use', 'feImage', 'pattern', 'textPath', 'linearGradient', 'script'].flatMap(
      (element) =>
        [
          `${web}/x`,
          `file://${image}`,
          image,
          `file://${join(folder, 'secret.svg')}#a`,
          '../secret.png',
        ].flatMap((target) => [
          `<${element} xlink:href="${target}" width="99" height="99"/>`,
          `<${element} href="${target}"/>`,
        ]),
    );
    const style =
      `<?xml-stylesheet href="${web}/sheet.css"?>` +
      `<!DOCTYPE svg [<!ENTITY file SYSTEM "file://${secret}"><!ENTITY web SYSTEM "${web}/entity">]>`;
    const svg =
      `${style}<svg ${NS} xmlns:xi="http://www.w3.org/2001/XInclude" width="99" height="99">` +
      `<style>@import url("${web}/import.css"); @font-face { font-family: f; src: url("${web}/font.ttf"); } rect { fill: url("${web}/p#x"); }</style>` +
      `<filter id="f"><feImage xlink:href="${web}/filter"/><feImage href="file://${image}"/></filter>` +
      `${inner.join('')}<rect filter="url(#f)" width="9" height="9"/><text y="50">&file;&web;</text>` +
      `<xi:include href="file://${secret}" parse="text"/><text y="70"><xi:include href="file://${secret}" parse="text"/></text></svg>`;
    const ran = await convert([drawing('spy.svg', svg)]);
    if (ran.state !== 'made') {
      assert.equal(failed(ran).reason, 'unsupported_file_type');
      return undefined;
    }
    const { data } = await drawnPage(ran.bytes);
    for (let at = 0; at < data.length; at += 3)
      assert.ok(!((data[at] ?? 0) > 200 && (data[at + 1] ?? 0) < 60), 'something red was drawn');
    return ran.bytes;
  });
});

const CORPUS = corpusFolder('.');
const TRUTH = new URL('svg/TRUTH.tsv', CORPUS);
const PAIRS = existsSync(TRUTH) ? readFileSync(TRUTH, 'utf8').trim().split('\n').slice(1) : [];
/** Mean difference of a channel, of 255: edges are drawn softer or harder by each program. */
const TOLERANCE = 5;
/** Where programs differ more, and why. */
const LOOSER: Record<string, number> = {
  // Small squares all over: half a pixel of difference shows everywhere.
  'feTile__with-subregion-2.svg': 55,
  // A small image made large, smoothed or not.

  'image-rendering__optimizeSpeed.svg': 9,
  // Sizes by name are what each program takes them for.
  'font-size__named-value.svg': 7,
  // Its authors call the outcome undefined.
  'textPath__complex.svg': 13,
};

test(`drawings of the collection look like their pictures, within ${TOLERANCE} of 255`, {
  skip: skip || noCorpus(),
}, async (t) => {
  for (const pair of PAIRS) {
    const [svg = '', png = ''] = pair
      .split('\t')
      .map((path) => new URL(path.replace(/^shared\//, ''), CORPUS).pathname);
    const name = svg.split('/').slice(-2).join('/');
    await t.test(name, async () => {
      const pdf = made(await convert([{ name: 'a.svg', bytes: readFileSync(decodeURIComponent(svg)) }]));
      const truth = await rasterOf(decodeURIComponent(png));
      const points = Number.parseFloat(pdfinfo(pdf)['Page size'] ?? '');
      const dpi = (72 * 2 * truth.width) / points;
      const drawn = await resized(await drawnPage(pdf, { dpi }), truth);
      const difference = meanDifference(drawn, truth);
      assert.ok(difference <= (LOOSER[name.split('/')[1] ?? ''] ?? TOLERANCE), `${difference}`);
    });
  }
});
