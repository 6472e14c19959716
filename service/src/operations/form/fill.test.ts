import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { failed, made, madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import {
  type Area,
  corpusForms,
  difference,
  type FormParts,
  formPdf,
  pdfiumInk,
  pdfiumRaster,
  popplerInk,
  survey,
} from '../../../testing/oracles/forms.ts';
import { missing, pdftotext, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';

const NO_TOOLS = missing('pdftotext', 'pdftoppm', 'qpdf');

const named = (bytes: Uint8Array) => ({ name: 'a.pdf', bytes });
const fill = (bytes: Uint8Array | string, data: unknown, params = {}) =>
  runHere('form/fill', {
    files: { fileInput: typeof bytes === 'string' ? bytes : named(bytes) },
    params: { data: JSON.stringify(data), ...params },
  });
const templateOf = async (bytes: Uint8Array): Promise<Record<string, unknown>> =>
  (
    madeJson(await runHere('form/fields', { files: { fileInput: named(bytes) } })) as {
      template: Record<string, unknown>;
    }
  ).template;
const flattenedText = async (bytes: Uint8Array, data: unknown): Promise<string> =>
  pdftotext(made(await fill(bytes, data, { flatten: 'true' })));

/** 100 to 300 across and 150 to 180 up: on the page as displayed this area. */
const RECT = '/Rect [100 150 300 180]';
const AREA: Area = [100, 120, 200, 30];
const STATES = '/AP << /N << /On 4 0 R /Off 4 0 R >> >>';
const OPTIONS = '/Opt [[(de) (Germany)] [(fr) (France)] (Italy)]';

interface Case extends FormParts {
  value: unknown;
  /** What form/fields tells afterwards; the value itself, unless said otherwise. */
  back?: unknown;
  /** Found by pdftotext on the flattened copy. */
  text?: RegExp;
  area?: Area;
  /** Nothing is seen. */
  blank?: boolean;
}

const cases: Record<string, Case> = {
  'text in the usual size': { fields: [`/FT /Tx /DA (/Helv 12 Tf 0 g) ${RECT}`], value: 'Ada Lovelace' },
  'text in a size that fits': { fields: [`/FT /Tx ${RECT}`], value: 'Ada Lovelace' },
  'text that is too long for its size': {
    fields: [`/FT /Tx ${RECT}`],
    value: 'Augusta Ada King, Countess of Lovelace, daughter of Byron',
  },
  'text without any default appearance': { fields: [`/FT /Tx ${RECT}`], form: '/DA 7', value: 'Ada' },
  'a font the form does not have': { fields: [`/FT /Tx /DA (/TiRo 12 Tf 1 0 0 rg) ${RECT}`], value: 'Ada' },
  'a number': { fields: [`/FT /Tx ${RECT}`], value: 42, back: '42' },
  'accents and signs': { fields: [`/FT /Tx ${RECT}`], value: 'Ärger für 5 € – “naïve”' },
  'a font that lacks accents': {
    fields: [`/FT /Tx /DA (/F1 12 Tf) ${RECT}`],
    form: '/DR << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> >> >>',
    value: 'Ärger für',
  },
  Greek: { fields: [`/FT /Tx ${RECT}`], value: 'Αθήνα' },
  Cyrillic: { fields: [`/FT /Tx ${RECT}`], value: 'Привет, мир' },
  Chinese: { fields: [`/FT /Tx ${RECT}`], value: '你好' },
  Hebrew: { fields: [`/FT /Tx /Q 2 ${RECT}`], value: 'שלום', text: /שלום|םולש/ },
  'several lines': {
    fields: [`/FT /Tx /Ff 4096 /DA (/Helv 8 Tf 0 g) ${RECT}`],
    value: 'first\nsecond\\nthird',
    back: 'first\nsecond\nthird',
    text: /first\s*\nsecond\s*\nthird/,
  },
  'several lines in a size that fits': {
    fields: [`/FT /Tx /Ff 4096 ${RECT}`],
    value: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen',
    text: /one two[\s\S]*sixteen/,
  },
  'Cyrillic in several lines': {
    fields: [`/FT /Tx /Ff 4096 /DA (/Helv 8 Tf 0 g) ${RECT}`],
    value: 'первая строка и вторая строка и третья строка и ещё одна строка',
    text: /первая строка[\s\S]*\n[\s\S]*строка/,
  },
  'one character a cell': {
    fields: [`/FT /Tx /Ff 16777216 /MaxLen 8 /DA (/Helv 12 Tf 0 g) ${RECT}`],
    value: 'AB12',
    text: /A\s*B\s*1\s*2/,
  },
  'a password': { fields: [`/FT /Tx /Ff 8192 ${RECT}`], value: 'secret', text: /^\*{6}$/m },
  'a read-only field': { fields: [`/FT /Tx /Ff 1 ${RECT}`], value: 'Ada' },
  'nothing at all': { fields: [`/FT /Tx /V (before) ${RECT}`], value: '', text: /^\s*$/, blank: true },
  'a closed combo box, by value': {
    fields: [`/FT /Ch /Ff 131072 ${OPTIONS} ${RECT}`],
    value: 'fr',
    text: /France/,
  },
  'a closed combo box, by what is shown': {
    fields: [`/FT /Ch /Ff 131072 ${OPTIONS} ${RECT}`],
    value: 'France',
    back: 'fr',
    text: /France/,
  },
  'an editable combo box': {
    fields: [`/FT /Ch /Ff 393216 ${OPTIONS} ${RECT}`],
    value: 'Spain',
    text: /Spain/,
  },
  'a list': {
    fields: [`/FT /Ch /DA (/Helv 9 Tf 0 g) ${OPTIONS} ${RECT}`],
    value: 'Italy',
    text: /Italy/,
  },
  'a list of which one option is sent': {
    fields: [`/FT /Ch ${OPTIONS} ${RECT}`],
    value: ['fr'],
    back: 'fr',
    text: /France/,
  },
  'a list of several options': {
    fields: [`/FT /Ch /Ff 2097152 /DA (/Helv 8 Tf 0 g) ${OPTIONS} ${RECT}`],
    value: ['Italy', 'Germany'],
    back: ['de', 'Italy'],
    text: /Germany\s+France\s+Italy/,
  },
  'several options joined by commas': {
    fields: [`/FT /Ch /Ff 2097152 ${OPTIONS} ${RECT}`],
    value: 'fr, Italy',
    back: ['fr', 'Italy'],
    text: /France/,
  },
  'a check box without a look': { fields: [`/FT /Btn ${RECT}`], value: true, text: /^\s*$/ },
  'a check box with border and ground': {
    fields: [`/FT /Btn /MK << /BC [0] /BG [1 1 0.5] /CA (8) >> ${RECT}`],
    value: 'on',
    back: true,
    text: /^\s*$/,
  },
  'a turned field': {
    fields: ['/FT /Tx /MK << /R 90 >> /DA (/Helv 12 Tf 0 g) /Rect [100 150 130 290]'],
    value: 'turned',
    area: [100, 10, 30, 140],
  },
  'a turned page': {
    fields: ['/FT /Tx /MK << /R 90 >> /DA (/Helv 12 Tf 0 g) /Rect [100 50 130 250]'],
    page: '/Rotate 90',
    value: 'upright again',
    area: [50, 100, 200, 30],
  },
};
for (const [what, { value, back = value, text, area = AREA, blank = false, ...parts }] of Object.entries(
  cases,
)) {
  test(`fill: ${what}`, { skip: NO_TOOLS }, async () => {
    const form = formPdf({ ...parts, fields: parts.fields.map((field) => `/T (a) ${field}`) });
    const filled = made(await fill(form, { a: value }));
    qpdfCheck(filled);
    assert.deepEqual(await templateOf(filled), { a: back });
    const [poppler, pdfium] = [popplerInk(filled, area), await pdfiumInk(filled, area)];
    assert.equal(poppler > 0, !blank, `poppler draws ${poppler} pixels`);
    assert.equal(pdfium > 0, !blank, `PDFium draws ${pdfium} pixels`);
    const flat = made(await fill(form, { a: value }, { flatten: 'true' }));
    qpdfCheck(flat);
    assert.deepEqual(await templateOf(flat), {});
    const expected = text ?? new RegExp(String(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    assert.match(pdftotext(flat), expected);
    assert.ok(Math.abs(popplerInk(flat, area) - poppler) <= poppler / 10, 'flattened as it was seen');
  });
}

test('text stands left, in the middle or right, and cells are filled from the side it starts at', {
  skip: NO_TOOLS,
}, async () => {
  const startOf = async (entries: string) => {
    const form = formPdf({ fields: [`/FT /Tx /T (a) /DA (/Helv 12 Tf 0 g) ${RECT} ${entries}`] });
    const flat = made(await fill(form, { a: 'word' }, { flatten: 'true' }));
    return Number(/xMin="([\d.]+)"/.exec(pdftotext(flat, '-bbox'))?.[1]);
  };
  const [left, middle, right] = [await startOf('/Q 0'), await startOf('/Q 1'), await startOf('/Q 2')];
  assert.ok(
    Math.abs(left - 102) < 1 && middle > 180 && middle < 200 && right > 265,
    `${[left, middle, right]}`,
  );
  const comb = '/Ff 16777216 /MaxLen 10';
  assert.ok((await startOf(comb)) < 110);
  assert.ok((await startOf(`${comb} /Q 2`)) > 220);
});

const SHAPES: Record<string, unknown> = {
  'an object': { a: 'one', b: 'two' },
  'a template': { template: { a: 'one', b: 'two' } },
  'a list of fields': {
    fields: [
      { name: 'a', value: 'one' },
      { name: 'b', value: 'two' },
    ],
  },
  'an array of these': [{ a: 'zero' }, { template: { a: 'one' } }, { fields: [{ name: 'b', value: 'two' }] }],
  'what form/fields gave, its template edited': {
    fields: [
      { name: 'a', value: 'old' },
      { name: 'b', value: 'two' },
    ],
    template: { a: 'one' },
  },
  'null, which leaves a value, and unknown names': { a: 'one', b: null, c: 'nobody', constructor: 'x' },
};
for (const [what, data] of Object.entries(SHAPES)) {
  test(`values may come as ${what}`, async () => {
    const form = formPdf({ fields: ['/FT /Tx /T (a)', '/FT /Tx /T (b) /V (two)'] });
    assert.deepEqual(await templateOf(made(await fill(form, data))), { a: 'one', b: 'two' });
  });
}

test('names are full names, else the last part of one; fields named like the shapes are fields', async () => {
  const form = formPdf({
    fields: ['/FT /Tx /T (x) /Parent 9 0 R', '/FT /Tx /T (x) /Parent 10 0 R', '/FT /Tx /T (template)'],
    more: ['<< /T (one) /Kids [6 0 R] >>', '<< /T (two) /Kids [7 0 R] >>'],
    listed: '9 0 R 10 0 R 8 0 R',
  });
  const template = async (data: unknown) => templateOf(made(await fill(form, data)));
  assert.deepEqual(await template({ 'one.x': 'full' }), { 'one.x': 'full', 'two.x': '', template: '' });
  assert.deepEqual(await template({ x: 'last' }), { 'one.x': 'last', 'two.x': 'last', template: '' });
  assert.deepEqual(await template({ template: 'a field' }), {
    'one.x': '',
    'two.x': '',
    template: 'a field',
  });
});

test('words that turn a check box on and off', async () => {
  const form = formPdf({ fields: [`/FT /Btn /T (a) ${STATES} ${RECT}`] });
  const template = async (a: unknown) => (await templateOf(made(await fill(form, { a })))).a;
  for (const on of [true, 1, 'true', '1', 'Yes', 'ON', 'On'])
    assert.equal(await template(on), true, String(on));
  for (const off of [false, 0, 'false', '0', 'no', 'off', ''])
    assert.equal(await template(off), false, String(off));
});

test('radio buttons: one is on, equal ones in unison, by export value or state', {
  skip: NO_TOOLS,
}, async () => {
  const states = async (flags: number, value: string, more = '') => {
    const button = (state: string) => `/Parent 9 0 R /AP << /N << /${state} 4 0 R /Off 4 0 R >> >> ${RECT}`;
    const form = formPdf({
      fields: [button('x'), button('y'), button('x')],
      listed: '9 0 R',
      more: [`<< /FT /Btn /Ff ${32768 | flags} /T (a) /Kids [6 0 R 7 0 R 8 0 R] ${more} >>`],
    });
    const objects = qpdfObjects(made(await fill(form, { a: value })));
    const dictOf = (object: { value?: unknown } | undefined) =>
      (object?.value ?? {}) as Record<string, unknown>;
    const field = Object.values(objects)
      .map(dictOf)
      .find((dict) => dict['/T'] === 'u:a');
    const kids = (field?.['/Kids'] ?? []) as string[];
    const looks = kids.map((kid) => dictOf(objects[`obj:${kid}`])['/AS']);
    return [field?.['/V'], ...looks];
  };
  assert.deepEqual(await states(0, 'y'), ['/y', '/Off', '/y', '/Off']);
  assert.deepEqual(await states(0, 'x'), ['/x', '/x', '/Off', '/Off']);
  assert.deepEqual(await states(1 << 25, 'x'), ['/x', '/x', '/Off', '/x']);
  assert.deepEqual(await states(0, 'second', '/Opt [(first) (second) (third)]'), [
    '/y',
    '/Off',
    '/y',
    '/Off',
  ]);
  assert.deepEqual(await states(0, '', '/V /x'), ['/Off', '/Off', '/Off', '/Off']);
});

test('a field seen in several places shows its value in each', { skip: NO_TOOLS }, async () => {
  const form = formPdf({
    fields: [`/Parent 8 0 R ${RECT}`, '/Parent 8 0 R /Rect [100 50 300 80] /DA (/Helv 10 Tf 0 g)'],
    listed: '8 0 R',
    more: ['<< /FT /Tx /T (a) /Kids [6 0 R 7 0 R] >>'],
  });
  assert.equal((await flattenedText(form, { a: 'twice' })).match(/twice/g)?.length, 2);
});

test('XFA and the wish for appearances go; fields that had no look get one', { skip: NO_TOOLS }, async () => {
  const form = formPdf({
    fields: ['/FT /Tx /T (a)', `/FT /Tx /T (b) /V (drawn too) ${RECT}`],
    form: '/NeedAppearances true /XFA [(template) 4 0 R]',
    catalog: '/NeedsRendering true',
  });
  const filled = made(await fill(form, {}));
  const catalog = Object.values(qpdfObjects(filled))
    .map(({ value }) => value as Record<string, unknown> | undefined)
    .find((value) => value?.['/Type'] === '/Catalog');
  assert.deepEqual(Object.keys(catalog?.['/AcroForm'] as object).sort(), ['/DA', '/DR', '/Fields']);
  assert.ok(!('/NeedsRendering' in (catalog ?? {})));
  assert.ok(popplerInk(filled, AREA) > 0);
});

test('filling keeps all else: links, bookmarks, labels, tags, layers, attachments, and the look of other pages', {
  skip: NO_TOOLS,
}, async () => {
  for (const name of ['everything.pdf', 'tied-pages.pdf']) {
    const before = readFileSync(fixture(name));
    const template = await templateOf(before);
    const filled = made(await fill(before, { template }));
    assert.deepEqual(await survey(filled), await survey(before), name);
    for (const page of [1, 2, 3]) {
      const apart = difference(await pdfiumRaster(before, page, 72), await pdfiumRaster(filled, page, 72));
      assert.ok(apart < 1, `page ${page + 1} of ${name} differs in ${apart} of 1000 pixels`);
    }
  }
});

test('a template sent back as it came is taken, whatever the form holds', async () => {
  const form = formPdf({
    fields: [`/FT /Ch /Ff 131072 /T (a) /V (gone) ${OPTIONS} ${RECT}`, '/FT /Tx /MaxLen 2 /T (b) /V (long)'],
  });
  const template = await templateOf(form);
  assert.deepEqual(await templateOf(made(await fill(form, { template }))), template);
});

test('buttons and signatures are ignored', async () => {
  const form = formPdf({ fields: ['/FT /Btn /Ff 65536 /T (a)', '/FT /Sig /T (b)'] });
  const filled = made(await fill(form, { a: 'x', b: 'y' }));
  assert.deepEqual(await templateOf(filled), {});
});

test('a button that is named keeps its face, and one that has none gets it', { skip: NO_TOOLS }, async () => {
  const form = formPdf({
    fields: [
      `/FT /Btn /Ff 65536 /T (push) /MK << /CA (Reset) /BG [0.8] >> /DA (/Helv 12 Tf 0 g) ${RECT}`,
      '/FT /Tx /T (plain) /Rect [100 50 300 80]',
    ],
  });
  for (const data of [{ plain: 'typed' }, { plain: 'typed', push: 'other' }]) {
    const text = await flattenedText(form, data);
    assert.match(text, /Reset/);
    assert.match(text, /typed/);
    assert.doesNotMatch(text, /other/);
  }
});

const refusals: Record<string, { field?: string; data: unknown; says: RegExp }> = {
  'text over MaxLen': { field: '/FT /Tx /MaxLen 3', data: { a: 'four' }, says: /"a".*at most 3/ },
  'several texts': { field: '/FT /Tx', data: { a: ['x', 'y'] }, says: /"a".*one value/ },
  'an option a closed combo box lacks': {
    field: `/FT /Ch /Ff 131072 ${OPTIONS}`,
    data: { a: 'es' },
    says: /"a".*"de", "fr", "Italy"/,
  },
  'an option a list lacks': { field: `/FT /Ch ${OPTIONS}`, data: { a: 'es' }, says: /"a".*"de"/ },
  'several options for one': {
    field: `/FT /Ch ${OPTIONS}`,
    data: { a: ['de', 'fr'] },
    says: /"a".*one option/,
  },
  'a radio button that is not there': {
    field: `/FT /Btn /Ff 32768 ${STATES}`,
    data: { a: 'nope' },
    says: /"a".*"On"/,
  },
  'a word no check box knows': { field: `/FT /Btn ${STATES}`, data: { a: 'maybe' }, says: /"a".*"On"/ },
  'a character no font has': { field: `/FT /Tx ${RECT}`, data: { a: 'x\u{10ffff}' }, says: /"a".*U\+10FFFF/ },
  'an object as a value': { data: { a: { b: 1 } }, says: /^data\.a must be/ },
  'an object in a template': { data: [{ template: { a: [{}] } }], says: /^data\[0\]\.template\.a must be/ },
  'plain text': { data: 'x', says: /^data must be/ },
  'a list of texts': { data: ['x'], says: /^data/ },
};
for (const [what, { field = '/FT /Tx', data, says }] of Object.entries(refusals)) {
  test(`fill refuses ${what}`, async () => {
    const { reason, detail } = failed(await fill(formPdf({ fields: [`/T (a) ${field}`] }), data));
    assert.equal(reason, 'invalid_parameter');
    assert.match(detail, says);
  });
}

test('fill refuses a document without a form, and flags that are none', async () => {
  for (const bytes of [onePage(), formPdf({ fields: [] })])
    assert.equal(failed(await fill(bytes, { a: 'x' })).reason, 'nothing_found');
  const { reason, detail } = failed(await fill(fixture('everything.pdf'), {}, { flatten: 'maybe' }));
  assert.equal(reason, 'invalid_parameter');
  assert.match(detail, /flatten/);
});

test('every form of the collection is filled, and tells the values back', {
  skip: noCorpus() || NO_TOOLS,
}, async () => {
  for (const { path, password } of corpusForms()) {
    const params: Record<string, string> = password === undefined ? {} : { inputPassword: password };
    const before = madeJson(await runHere('form/fields', { files: { fileInput: path }, params })) as {
      fields: { name: string; type: string; options: string[] }[];
      template: Record<string, unknown>;
    };
    const data = Object.fromEntries(
      before.fields.flatMap(({ name, type, options }): [string, string | boolean][] => {
        if (type === 'text') return [[name, 'Z']];
        if (type === 'checkbox') return [[name, true]];
        return type !== 'button' && options[0] !== undefined ? [[name, options[0]]] : [];
      }),
    );
    if (Object.keys(before.template).length === 0) continue;
    const filled = made(await fill(path, data, params));
    qpdfCheck(filled, { tolerant: true });
    const after = await templateOf(filled);
    const expected = Object.fromEntries(
      Object.entries({ ...before.template, ...data }).map(([name, value]) => [
        name,
        Array.isArray(before.template[name]) && typeof value === 'string' ? [value] : value,
      ]),
    );
    assert.deepEqual(after, expected, basename(path));
  }
});
