import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { missing, pdfinfo, pdftotext } from '../../../testing/oracles/programs.ts';
import { InputFile } from '../../contract/files.ts';
import { createLog } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import { createRsvg, probe } from './rsvg.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-rsvg-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const rsvg = createRsvg({ newFile: (extension) => join(folder, `x.${extension}`), log: createLog('silent') });
const skip = missing('rsvg-convert');
const NS = 'xmlns="http://www.w3.org/2000/svg"';

const draw = (svg: string) =>
  rsvg.toPdf(new InputFile('drawing.svg', { bytes: Buffer.from(svg) }), 'imageFile');

test('the probe tells whether the program is there, and what to install', async () => {
  const { available, missing: words } = await probe();
  assert.equal(available, !skip);
  if (!available) assert.match(words ?? '', /librsvg2-bin/);
});

const SIZES: [string, string][] = [
  ['width="80" height="60"', '60 x 45 pts'],
  ['viewBox="0 0 400 200"', '300 x 150 pts'],
  ['width="1in" height="2in"', '72 x 144 pts'],
];
for (const [attributes, size] of SIZES) {
  test(`${attributes} makes a page of ${size}, its text still text`, { skip }, async () => {
    const pdf = await draw(`<svg ${NS} ${attributes}><text y="20" font-size="10">words</text></svg>`);
    assert.match(pdfinfo(pdf)['Page size'] ?? '', new RegExp(`^${size}`));
    assert.match(pdftotext(pdf), /words/);
  });
}

const entities = Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
);
const HOSTILE: [string, string][] = [
  ['is cut off', `<svg ${NS}><rect`],
  ['is empty', ''],
  ['is no SVG', '<html></html>'],
  [
    'multiplies entities',
    `<!DOCTYPE svg [<!ENTITY e0 "x">${entities.join('')}]><svg ${NS}><text>&e9;</text></svg>`,
  ],
  ['is larger than the world', `<svg ${NS} width="1e30" height="1e30"><rect width="10" height="10"/></svg>`],
  ['draws itself', `<svg ${NS} width="10" height="10"><g id="a"><use href="#a"/></g><use href="#a"/></svg>`],
  ['nests deeply', `<svg ${NS} width="10" height="10">${'<g>'.repeat(20_000)}${'</g>'.repeat(20_000)}</svg>`],
];
for (const [name, svg] of HOSTILE) {
  test(`a drawing that ${name} is drawn or refused, naming the field`, { skip }, async () => {
    const drawn = await draw(svg).catch((error: unknown) => error);
    if (drawn instanceof Uint8Array) return;
    assert.ok(drawn instanceof Problem, String(drawn));
    assert.equal(drawn.reason, 'unsupported_file_type');
    assert.match(drawn.detail, /^imageFile: drawing\.svg /);
  });
}
