import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeJson, type Ran, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { onePagePdf } from '../../../../testing/documents/small-pdf.ts';
import { difference, drawnPage, piece } from '../../../../testing/oracles/page-images.ts';
import { missing, pdftotext, qpdfCheck } from '../../../../testing/oracles/programs.ts';

interface Element {
  text: string;
  zOrder: number;
  x: number;
  y: number;
  textMatrix: number[];
  fontSize: number;
  charCodes: number[];
}
interface Page {
  pageNumber: number;
  textElements: Element[];
  annotations: unknown[];
}
interface Editor {
  metadata: { title?: string };
  pages: Page[];
}
type Given = string | Uint8Array;

const skip = missing('pdftotext', 'pdftoppm', 'qpdf');
const fileOf = (given: Given) =>
  typeof given === 'string' ? fixture(given) : { name: 'document.pdf', bytes: given };

const editor = async (given: Given, lightweight = true): Promise<Editor> =>
  madeJson(
    await runHere('convert/pdf/text-editor', {
      files: { fileInput: fileOf(given) },
      params: { lightweight: String(lightweight) },
    }),
  ) as Editor;

const back = (given: Given, json: unknown): Promise<Ran> => {
  const bytes = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
  return runHere('convert/text-editor/pdf', {
    files: { fileInput: fileOf(given), editorJson: { name: 'edited.json', bytes } },
  });
};

const textsOf = (json: Editor): Element[] => json.pages.flatMap((page) => page.textElements);
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

test('without an edit the very file comes back, data or not', async () => {
  for (const name of ['everything.pdf', 'reading-tagged.pdf', 'form-fields.pdf', 'type1-fonts.pdf'])
    for (const lightweight of [true, false]) {
      const bytes = made(await back(name, await editor(name, lightweight)));
      assert.ok(bytes.equals(readFileSync(fixture(name))), name);
    }
});

test('text changes in place, and nothing else does', { skip }, async () => {
  const json = await editor('reading.pdf');
  const changed = json.pages[0]?.textElements.find(({ text }) => text.includes('a small document'));
  assert.ok(changed);
  changed.text = changed.text.replace('document', 'd\u00f4cument');
  const ran = await back('reading.pdf', json);
  const bytes = made(ran);
  qpdfCheck(bytes);
  assert.equal(ran.state === 'made' && ran.result.headers?.['X-Edited-Texts'], '1');
  const original = readFileSync(fixture('reading.pdf'));
  const said = pdftotext(original).replace('a small document', 'a small d\u00f4cument');
  assert.equal(plain(pdftotext(bytes)), plain(said));
  for (const [top, height] of [
    [0, 135],
    [152, 690],
  ] as const) {
    const part = (pdf: Uint8Array) => piece(drawnPage(pdf), 0, top, 595, height);
    assert.equal(difference(part(original), part(bytes)), 0);
  }
});

const LINES = onePagePdf(
  'BT /F 10 Tf 12 TL 10 80 Td (first) Tj 3 Ts (raised) Tj 0 Ts T* [(sec) -300 (ond)] TJ ( tail) Tj T* (third) Tj ET',
);

test('text moves and goes; what stands beside it stays', { skip }, async () => {
  const json = await editor(LINES);
  const elements = textsOf(json);
  assert.deepEqual(
    elements.map(({ text }) => text),
    ['first', 'raised', 'sec ond', ' tail', 'third'],
  );
  const moved = elements[1] as Element;
  moved.x = 120;
  moved.y = 50;
  const page = json.pages[0] as Page;
  page.textElements = page.textElements.filter(({ text }) => text !== 'sec ond');
  const bytes = made(await back(LINES, json));
  qpdfCheck(bytes);
  const after = textsOf(await editor(bytes));
  const place = ({ text, x, y }: Element) => [text, Math.round(x * 100), Math.round(y * 100)];
  const kept = elements.filter(({ text }) => text !== 'sec ond' && text !== 'raised');
  const others = after.filter(({ text }) => text !== 'raised');
  assert.deepEqual(others.map(place), kept.map(place));
  assert.deepEqual(after.filter(({ text }) => text === 'raised').map(place), [['raised', 12_000, 5000]]);
  assert.equal(plain(pdftotext(bytes, '-layout')).includes('sec'), false);
});

test('a string grows, shrinks and turns; gaps that are blanks stay blanks', { skip }, async () => {
  for (const [from, to] of [
    ['sec ond', 'sec xond'],
    ['sec ond', 'secx ond'],
    ['sec ond', 'second'],
    ['sec ond', 'a sec ond b'],
    ['sec ond', 'ond'],
    ['sec ond', 'entirely different'],
  ] as const) {
    const json = await editor(LINES);
    const changed = textsOf(json).find(({ text }) => text === from) as Element;
    changed.text = to;
    const after = textsOf(await editor(made(await back(LINES, json))));
    assert.ok(
      after.some(({ text }) => plain(text) === to),
      `${to}: ${after.map(({ text }) => text)}`,
    );
  }
  const json = await editor(LINES);
  const turned = textsOf(json)[4] as Element;
  turned.textMatrix = [0, 1, -1, 0, 150, 20];
  const after = textsOf(await editor(made(await back(LINES, json))));
  assert.deepEqual(after.find(({ text }) => text === 'third')?.textMatrix, [0, 1, -1, 0, 150, 20]);
});

test('what cannot be written is refused, naming the place', async () => {
  const cases: [(first: Element, json: Editor) => unknown, RegExp][] = [
    [(_, json) => Object.assign(json.metadata, { title: 'Other' }), /metadata/],
    [(_, json) => json.pages[0]?.annotations.pop(), /pages\[0\]\.annotations/],
    [(first) => Object.assign(first, { fontSize: 99 }), /textElements\[0\]\.fontSize/],
    [(first) => Object.assign(first, { zOrder: 99_999 }), /zOrder/],
    [(first) => Object.assign(first, { text: 'a\nb' }), /textElements\[0\]\.text/],
    [(first) => Object.assign(first, { text: 7 }), /textElements\[0\]\.text/],
    [(first) => Object.assign(first, { x: 1e300 }), /textElements\[0\]/],
    [(first) => Object.assign(first, { textMatrix: [0, 0, 0, 0, 1, 1] }), /textMatrix/],
    [(first) => Object.assign(first, { textMatrix: 'none' }), /textMatrix/],
    [(first) => first.charCodes.fill(1), /charCodes/],
    [(_, json) => json.pages.push({ ...(json.pages[0] as Page) }), /twice/],
    [(_, json) => Object.assign(json.pages[0] as Page, { pageNumber: 99 }), /pageNumber/],
  ];
  for (const [change, place] of cases) {
    const json = await editor('everything.pdf');
    change(textsOf(json)[0] as Element, json);
    const problem = failed(await back('everything.pdf', json));
    assert.equal(problem.reason, 'invalid_parameter', problem.detail);
    assert.match(problem.detail, place);
  }
});

test('JSON made to hurt is refused', async () => {
  const hostile = [
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `{"pages":${'{"pages":'.repeat(1000)}1${'}'.repeat(1000)}}`,
    '[]',
    'null',
    '{"pages":{}}',
    '{"pages":[null]}',
    '{"pages":[{"pageNumber":1,"textElements":[null]}]}',
    '{"pages":[{"pageNumber":1,"textElements":{}}]}',
    '{"pages":[{"pageNumber":"__proto__"}]}',
    '{"pages":[],"metadata":[]}',
  ];
  for (const json of hostile)
    assert.equal(failed(await back('everything.pdf', json)).reason, 'invalid_parameter', json.slice(0, 60));
  for (const json of ['', 'no json', '\u0000'])
    assert.match(
      failed(await back('everything.pdf', json)).reason,
      /unsupported_file_type|invalid_parameter/,
    );
});
