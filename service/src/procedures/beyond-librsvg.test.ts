import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { made, runHere } from '../../testing/calls/run-here.ts';
import { noBrowser } from '../../testing/oracles/printing.ts';
import { askProgram, pdfinfo, pdftotext, qpdfCheck } from '../../testing/oracles/programs.ts';
import { drawnPage } from '../../testing/oracles/rasters.ts';
import { needsBrowser } from './beyond-librsvg.ts';

const skip = await noBrowser('rsvg-convert', 'pdftocairo', 'pdffonts', 'pdfinfo', 'pdftotext', 'qpdf');
const NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const SQUARE = '<rect width="100" height="100"/>';
const svgOf = (inner: string, attributes = '') =>
  Buffer.from(`<svg ${NS} width="100" height="100" ${attributes}>${inner}</svg>`);
const convert = async (bytes: Uint8Array) =>
  made(await runHere('convert/svg/pdf', { files: { fileInput: { name: 'drawing.svg', bytes } } }));
const styled = (sheet: string, inner = SQUARE) => svgOf(`<style>${sheet}</style>${inner}`);
const image = async (type: string, format: 'webp' | 'jpeg') => {
  const blue = { create: { width: 8, height: 8, channels: 3, background: '#0000ff' } } as const;
  const data = await sharp(blue).toFormat(format, { quality: 100 }).toBuffer();
  return svgOf(`<image width="100" height="100" href="data:${type};base64,${data.toString('base64')}"/>`);
};

/** All of them show a blue square at the middle. */
const BLUE: Record<string, Uint8Array> = {
  'a custom property': styled(':root{--c:#00f}rect{fill:var(--c)}'),
  'a custom property with something instead': svgOf(SQUARE.replace('/>', ' fill="var(--x, #00f)"/>')),
  'a sheet in a section of its own': styled('<![CDATA[:root{--c:#00f}rect{fill:var(--c)}]]>'),
  'a length that is computed': styled('rect{width:calc(50px + 50px);fill:#00f}', '<rect height="100"/>'),
  'rules within rules': styled('g{rect{fill:#00f}}', `<g fill="red">${SQUARE}</g>`),
  'a colour of another space': svgOf(SQUARE.replace('/>', ' style="fill:oklch(45% 0.31 264)"/>')),
  'a colour for light and one for dark': styled('rect{fill:light-dark(#00f, red)}'),
  'rules for a medium': styled('@media screen{rect{fill:#00f}}'),
  'a layer of rules': styled('@layer base{rect{fill:#00f}}'),
  'selectors beside a state': styled('rect,rect:hover{fill:#00f}'),
  'selectors in brackets': styled('rect:is(.a,rect){fill:#00f}'),
  'a background': svgOf('<circle r="9"/>', 'style="background:#00f"'),
  'a shape to clip by': svgOf(
    '<rect width="100" height="100" fill="#00f" style="clip-path:inset(10px)"/><rect x="2" y="80" width="9" height="9" fill="red" style="clip-path:circle(0)"/>',
  ),
  'an origin to turn around': svgOf(
    '<rect x="30" y="30" width="40" height="40" fill="#00f" transform-origin="50 50" transform="rotate(180)"/>',
  ),
  'a shift by itself': svgOf('<rect width="90" height="90" x="-80" fill="#00f" style="translate:80px 5px"/>'),
  'a share of itself': svgOf(
    '<rect width="50" height="50" fill="#00f" style="transform:translate(30%,30%)"/>',
  ),
  'units of the page': svgOf('<rect width="100vw" height="6.25rem" fill="#00f"/>'),
  'a shadow by one filter': svgOf(
    '<filter id="f"><feDropShadow dx="2" dy="2" stdDeviation="1"/></filter><rect width="90" height="90" fill="#00f" filter="url(#f)"/>',
  ),
  'a WebP picture': await image('image/webp', 'webp'),
  'a picture whose kind is misspelt': await image('image/jpg', 'jpeg'),
  'a movement that has ended': styled(
    '@keyframes k{from{opacity:0}to{opacity:1}} rect{fill:#00f;opacity:0;animation:k 3s 2s forwards}',
  ),
  'a movement without end': styled(
    '@keyframes k{from{fill:red}to{fill:lime}} rect{fill:#00f;animation:k 3s infinite}',
  ),
  'a movement by elements, when the browser draws': svgOf(
    '<rect width="100" height="100" fill="var(--x, #00f)"><animate attributeName="fill" values="red;lime" dur="9s" repeatCount="indefinite"></animate></rect>',
  ),
  'dashes along a length that is said': svgOf(
    '<path d="M0 50h100" stroke="#00f" stroke-width="60" pathLength="3" stroke-dasharray="2 1"/>',
  ),
};
for (const [what, svg] of Object.entries(BLUE)) {
  test(`a drawing with ${what} is drawn as browsers draw it`, { skip }, async () => {
    const { data, width } = await drawnPage(await convert(svg));
    const at = 3 * (37 * width + 37);
    const [red = 255, green = 255, blue = 0] = data.subarray(at, at + 3);
    assert.ok(red < 60 && green < 60 && blue > 200, `${red} ${green} ${blue}`);
  });
}

/** As drawing programs write them; librsvg draws them well, and in a tenth of the time. */
const FOR_LIBRSVG: Record<string, Uint8Array> = {
  'classes of Illustrator': styled('.st0{fill:#E6007E;} .st1{clip-path:url(#a);enable-background:new    ;}'),
  'style of Inkscape': svgOf(
    '<text style="font-variant:normal;word-spacing:0px;text-transform:none;dominant-baseline:auto;white-space:pre" xml:space="preserve" x="1" y="2">one two</text>',
    'style="background:none"',
  ),
  'a figure of matplotlib': styled(
    '*{stroke-linejoin: round}',
    '<text style="font: 10px sans-serif; text-anchor: middle" x="1" y="2" transform="rotate(-0 1 2)">x</text>',
  ),
  'curves close to units': svgOf('<path d="M10 10q 5 5 10v 5h 10l 5 5"/>'),
  'a filter by reference': svgOf('<g filter="url(#f)" style="filter:url(#f)"/>'),
  'a rule for a state alone': styled('.bar{fill:blue} .bar:hover{fill:red}'),
  'white behind it': svgOf(SQUARE, 'style="background-color: rgb(255, 255, 255);"'),
};
for (const [what, svg] of Object.entries(FOR_LIBRSVG)) {
  test(`a drawing with ${what} needs no browser`, () => assert.equal(needsBrowser(svg), false));
}

test('hostile markup is looked through in time', () => {
  const many = (part: string) => Buffer.from(part.repeat(Math.floor(1_000_000 / part.length)));
  const before = process.cpuUsage();
  for (const part of [
    '<text ',
    '<style>',
    ' style="',
    '<radialGradient ',
    'x:{',
    'transform:',
    ',:hove',
    '1'.repeat(1000),
    ' x="1 ',
  ])
    for (const bytes of [many(part), Buffer.from(`<style>${many(part)}</style>`)]) needsBrowser(bytes);
  // Processor time: a busy machine is not to blame.
  assert.ok(process.cpuUsage(before).user < 10e6);
});

const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf';
test('a font that the drawing carries is used', {
  skip: skip || (!existsSync(FONT) && 'not installed: fonts-dejavu-core'),
}, async () => {
  const data = readFileSync(FONT).toString('base64');
  const pdf = await convert(
    styled(
      `@font-face{font-family:"Own";src:url(data:font/ttf;base64,${data})}`,
      '<text y="30" font-family="Own">carried</text>',
    ),
  );
  assert.match(pdftotext(pdf), /carried/);
  assert.match(askProgram('pdffonts', ['{}'], pdf), /DejaVuSansMono-Bold/);
});

test('letters stand where the drawing puts them', { skip }, async () => {
  const pdf = await convert(svgOf('<text y="50" x="0 45 90" font-size="10">ABC</text>'));
  const left = (letter: string) =>
    Number(
      new RegExp(`xMin="([\\d.]+)"[^>]*>${letter}<`).exec(
        askProgram('pdftotext', ['-bbox', '{}', '-'], pdf),
      )?.[1],
    );
  assert.ok(Math.abs(left('B') - left('A') - 33.75) < 1, `${left('A')} ${left('B')}`);
});

test('letters of no size are as large as in browsers, whoever draws them', { skip }, async () => {
  const height = async (more: string) => {
    const pdf = await convert(svgOf(`<text y="50"${more}>Letters</text>`));
    const [, top, bottom] =
      /yMin="([\d.]+)"[^>]*yMax="([\d.]+)"/.exec(askProgram('pdftotext', ['-bbox', '{}', '-'], pdf)) ?? [];
    return Number(bottom) - Number(top);
  };
  const byLibrsvg = await height('');
  assert.ok(byLibrsvg > 11 && byLibrsvg < 15, `${byLibrsvg}`);
  assert.ok(Math.abs(byLibrsvg - (await height(' fill="var(--x, red)"'))) < 2);
});

test('links stay links, and images from elsewhere stay blank, when the browser draws', {
  skip,
}, async () => {
  const pdf = await convert(
    svgOf(
      '<a href="https://example.org/a"><rect width="20" height="20" fill="var(--x, #00f)"/></a>' +
        '<image x="30" y="30" width="60" height="60" href="https://example.org/b.png"/>',
    ),
  );
  qpdfCheck(pdf);
  assert.match(pdfinfo(pdf).Producer ?? '', /Skia/);
  assert.match(askProgram('pdfinfo', ['-url', '{}'], pdf), /https:\/\/example\.org\/a/);
  const { data, width } = await drawnPage(pdf);
  for (let y = 30; y < 60; y += 1)
    for (let x = 30; x < 60; x += 1) assert.equal(data[3 * (y * width + x)], 255, `${x} ${y}`);
});
