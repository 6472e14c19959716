import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../testing/calls/run-here.ts';
import { onePage } from '../../testing/documents/written-pdf.ts';
import { noBrowser } from '../../testing/oracles/printing.ts';
import { qpdfCheck } from '../../testing/oracles/programs.ts';
import { drawnPage } from '../../testing/oracles/rasters.ts';

const programs = ['rsvg-convert', 'pdftocairo', 'qpdf'];
const skip = await noBrowser(...programs);
const red = { name: 'red.pdf', bytes: onePage({ content: '1 0 0 rg 0 0 612 792 re f' }) };
const svgOf = (style: string, size = 'width="120" height="80"') => ({
  name: 'drawing.svg',
  bytes: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><style>${style}</style><rect x="30" y="20" width="60" height="40"/></svg>`,
  ),
});
const BY_LIBRSVG = svgOf('rect{fill:#00f}');
const BY_BROWSER = svgOf(':root{--c:#00f}rect{fill:var(--c);width:calc(40px + 20px)}');

/** First and last column and row that are blue; everything else must be red. */
async function blueOf(pdf: Buffer) {
  qpdfCheck(pdf);
  const { data, width, height } = await drawnPage(pdf);
  const found = { left: width, right: -1, top: height, bottom: -1 };
  let others = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [r = 0, g = 0, b = 0] = data.subarray(3 * (y * width + x));
      if (g > 40) others += 1;
      if (b < 200 || r > 60) continue;
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x);
      found.top = Math.min(found.top, y);
      found.bottom = Math.max(found.bottom, y);
    }
  }
  assert.equal(others, 0, 'what lies beneath is seen where the drawing has nothing');
  return found;
}

const CALLS: [string, string, Record<string, string>][] = [
  ['misc/add-image', 'imageFile', { x: '100', y: '200' }],
  ['misc/add-stamp', 'stampImage', { stampType: 'image', opacity: '1', position: '5', fontSize: '80' }],
  [
    'security/add-watermark',
    'watermarkImage',
    {
      watermarkType: 'image',
      opacity: '1',
      fontSize: '80',
      rotation: '0',
      widthSpacer: '500',
      heightSpacer: '700',
    },
  ],
];
for (const [path, field, params] of CALLS) {
  test(`${path} draws what librsvg knows not as the browser does, at the same place`, { skip }, async () => {
    const draw = async (image: { name: string; bytes: Buffer }) =>
      blueOf(made(await runHere(path, { files: { fileInput: red, [field]: image }, params })));
    const usual = await draw(BY_LIBRSVG);
    assert.ok(usual.right - usual.left > 50, JSON.stringify(usual));
    const browsers = await draw(BY_BROWSER);
    for (const side of ['left', 'right', 'top', 'bottom'] as const)
      assert.ok(Math.abs(usual[side] - browsers[side]) <= 1, JSON.stringify([usual, browsers]));
  });
}

test('a drawing without a size is as large as its view, whoever draws it', { skip }, async () => {
  const params = { x: '50', y: '50' };
  const draw = async (imageFile: { name: string; bytes: Buffer }) =>
    blueOf(made(await runHere('misc/add-image', { files: { fileInput: red, imageFile }, params })));
  const view = 'viewBox="0 0 120 80"';
  const usual = await draw(svgOf('rect{fill:#00f}', view));
  const browsers = await draw(svgOf('rect{fill:var(--x, #00f)}', view));
  assert.ok(Math.abs(usual.left - browsers.left) <= 1 && Math.abs(usual.bottom - browsers.bottom) <= 1);
});
