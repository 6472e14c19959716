import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { corpusForms, type FormParts, formPdf } from '../../../testing/oracles/forms.ts';

interface Listed {
  fields: Record<string, unknown>[];
  template: Record<string, unknown>;
}

const list = async (fileInput: string | Buffer, params = {}): Promise<Listed> =>
  madeJson(
    await runHere('form/fields', {
      files: { fileInput: typeof fileInput === 'string' ? fileInput : { name: 'a.pdf', bytes: fileInput } },
      params,
    }),
  ) as Listed;

test('fields lists name, label, type, value, options and page, and a template', async () => {
  assert.deepEqual(await list(fixture('everything.pdf')), {
    fields: [
      {
        name: 'name',
        label: 'Name',
        type: 'text',
        value: 'Ada',
        options: [],
        required: false,
        pageIndex: 0,
        multiSelect: false,
        pageOrder: 0,
      },
      {
        name: 'agreed',
        label: 'Agreed',
        type: 'checkbox',
        value: 'Yes',
        options: ['Yes'],
        required: false,
        pageIndex: 0,
        multiSelect: false,
        pageOrder: 1,
      },
    ],
    template: { name: 'Ada', agreed: true },
  });
});

test('no form gives empty lists', async () => {
  for (const bytes of [
    onePage(),
    onePage({ catalog: '/AcroForm [1]' }),
    onePage({ catalog: '/AcroForm << >>' }),
  ])
    assert.deepEqual(await list(bytes), { fields: [], template: {} });
});

const STATES = '/AP << /N << /On 4 0 R /Off 4 0 R >> >>';

interface Case extends FormParts {
  expected: Record<string, unknown>;
  template?: unknown;
}
const cases: Record<string, Case> = {
  'text without a value': { fields: ['/FT /Tx /T (a)'], expected: { type: 'text', value: '' }, template: '' },
  'text with line ends': {
    fields: ['/FT /Tx /T (a) /V (one\\rtwo\\r\\nthree)'],
    expected: { value: 'one\ntwo\nthree' },
    template: 'one\ntwo\nthree',
  },
  'text in a stream': {
    fields: ['/FT /Tx /T (a) /V 7 0 R'],
    more: ['<< /Length 5 >>\nstream\nrich!\nendstream'],
    expected: { value: 'rich!' },
    template: 'rich!',
  },
  'a required field with label and tooltip': {
    fields: ['/FT /Tx /T (a) /TM (The A) /TU (Type an A) /Ff 2'],
    expected: { required: true, label: 'The A', tooltip: 'Type an A' },
    template: '',
  },
  'a tooltip is a label too': {
    fields: ['/FT /Tx /T (a) /TU (Type an A)'],
    expected: { label: 'Type an A' },
    template: '',
  },
  'a name in words': {
    fields: ['/FT /Tx /T (dateOf_birth[0])'],
    expected: { name: 'dateOf_birth[0]', label: 'Date Of Birth' },
  },
  'a check box that is off': {
    fields: [`/FT /Btn /T (a) /AS /Off ${STATES}`],
    expected: { type: 'checkbox', value: 'Off', options: ['On'] },
    template: false,
  },
  'a check box whose value only its look tells': {
    fields: [`/FT /Btn /T (a) /AS /On ${STATES}`],
    expected: { value: 'On' },
    template: true,
  },
  'a check box with an export value': {
    fields: [`/FT /Btn /T (a) /V /On /AS /On /Opt [<feff00e400d6>] ${STATES}`],
    expected: { value: 'äÖ', options: ['äÖ'] },
    template: true,
  },
  'a closed combo box with pairs': {
    fields: ['/FT /Ch /Ff 131072 /T (a) /V (de) /Opt [[(de) (Germany)] [(fr) (France)] (it) 7 [(x)]]'],
    expected: { type: 'combobox', value: 'de', options: ['de', 'fr', 'it', 'x'] },
    template: 'de',
  },
  'a list of several selected': {
    fields: ['/FT /Ch /Ff 2097152 /T (a) /V [(x) (z)] /Opt [(x) (y) (z)]'],
    expected: { type: 'listbox', multiSelect: true, value: 'x,z' },
    template: ['x', 'z'],
  },
  'a list whose selection only I tells': {
    fields: ['/FT /Ch /T (a) /I [1] /Opt [(x) (y) (z)]'],
    expected: { type: 'listbox', multiSelect: false, value: 'y' },
    template: 'y',
  },
  'a push button': { fields: ['/FT /Btn /Ff 65536 /T (a)'], expected: { type: 'button' } },
  'a signature': { fields: ['/FT /Sig /T (a)'], expected: { type: 'signature' } },
  'a widget the form does not list': {
    fields: ['/FT /Tx /T (a) /V (x)'],
    listed: '',
    expected: { name: 'a', value: 'x', pageIndex: 0 },
    template: 'x',
  },
  'a field on no page': {
    fields: [],
    listed: '<< /FT /Tx /T (a) /V (x) >>',
    expected: { name: 'a', pageIndex: -1, pageOrder: 0 },
    template: 'x',
  },
  'a field whose name means something to JavaScript': {
    fields: ['/FT /Tx /T (__proto__) /V (x)'],
    expected: { name: '__proto__', value: 'x' },
  },
};
for (const [what, { expected, template, ...parts }] of Object.entries(cases)) {
  test(`fields: ${what}`, async () => {
    const listed = await list(formPdf(parts));
    assert.equal(listed.fields.length, 1);
    for (const [key, value] of Object.entries(expected))
      assert.deepEqual(listed.fields[0]?.[key], value, key);
    if ('type' in expected && template === undefined) assert.ok(!('value' in (listed.fields[0] ?? {})));
    if (!('name' in expected))
      assert.deepEqual(listed.template, template === undefined ? {} : { a: template });
  });
}

test('radio buttons are one field, their export values its options', async () => {
  const button = (n: number) => `/Parent 9 0 R /AS /${n === 1 ? 1 : 'Off'} /AP << /N << /${n} 4 0 R >> >>`;
  const listed = await list(
    formPdf({
      fields: [0, 1, 2].map(button),
      listed: '9 0 R',
      more: [
        '<< /FT /Btn /Ff 32768 /T (size) /V /1 /Kids [6 0 R 7 0 R 8 0 R] /Opt [(small) (middle) (large)] >>',
      ],
    }),
  );
  assert.deepEqual(listed.template, { size: 'middle' });
  assert.deepEqual(listed.fields[0]?.options, ['small', 'middle', 'large']);
});

test('pageOrder follows the lines of the page as displayed', async () => {
  const at = (name: string, rect: string) => `/FT /Tx /T (${name}) /Rect [${rect}]`;
  const fields = [
    at('second', '200 200 300 220'),
    at('first', '10 195 100 215'),
    at('third', '10 100 100 120'),
  ];
  const order = async (page: string) => {
    const { fields: listed } = await list(formPdf({ fields, page }));
    return Object.fromEntries(listed.map(({ name, pageOrder }) => [name, pageOrder]));
  };
  assert.deepEqual(await order(''), { first: 0, second: 1, third: 2 });
  assert.deepEqual(await order('/Rotate 180'), { third: 0, second: 1, first: 2 });
});

test('trees in circles and of wrong types are listed without error', async () => {
  const parts: FormParts = {
    fields: [
      '/FT /Tx /T (a) /Parent 7 0 R',
      '/T (p) /Kids [6 0 R 7 0 R 99 0 R 3] /Parent 6 0 R /FT /Tx /V [7]',
    ],
    listed: '7 0 R 7 0 R null (x)',
    page: '/Annots 12',
  };
  const { fields } = await list(formPdf(parts));
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['p.a'],
  );
});

const TYPES: Record<string, string[]> = {
  Tx: ['text'],
  Btn: ['checkbox', 'radio', 'button'],
  Ch: ['combobox', 'listbox'],
  Sig: ['signature'],
};

test('every form of the collection is listed, with the names and types another library found', {
  skip: noCorpus(),
}, async () => {
  const forms = corpusForms();
  assert.ok(forms.length >= 30, `only ${forms.length} forms`);
  for (const { path, password, fields } of forms) {
    const listed = await list(path, password === undefined ? {} : { inputPassword: password });
    const found = new Map(listed.fields.map(({ name, type }) => [name, type as string]));
    for (const { name, type } of fields)
      assert.ok(
        TYPES[type]?.includes(found.get(name) ?? ''),
        `${basename(path)}: ${name} is ${found.get(name)}`,
      );
  }
});
