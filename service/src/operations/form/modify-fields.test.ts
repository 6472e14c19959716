import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { failed, made, madeJson, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { corpusForms, formPdf, pdfiumInk, popplerInk } from '../../../testing/oracles/forms.ts';
import { askProgram, missing, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { FIELD_KINDS } from '../../pdf/forms/form-fields.ts';

const NO_TOOLS = missing('qpdf', 'pdftoppm');
const RECT = '/Rect [100 150 300 180]';
const AREA = [100, 120, 200, 30] as const;

const named = (bytes: Uint8Array) => ({ name: 'a.pdf', bytes });
const modify = (bytes: Uint8Array | string, updates: unknown, params = {}) =>
  runHere('form/modify-fields', {
    files: { fileInput: typeof bytes === 'string' ? bytes : named(bytes) },
    params: { updates: JSON.stringify(updates), ...params },
  });

interface Placed {
  name: string;
  type: string;
  value?: string;
  widgets: { x: number; y: number; width: number; height: number }[];
  [key: string]: unknown;
}
const listed = async (bytes: Uint8Array): Promise<Placed[]> =>
  madeJson(await runHere('form/fields-with-coordinates', { files: { fileInput: named(bytes) } })) as Placed[];

const TEXT = `/FT /Tx /T (a) /V (two) /TU (old tip) /TM (old label) /DV (old) ${RECT}`;
const CHOICE = `/FT /Ch /T (a) /Ff 2097152 /V [(one) (two)] /I [0 1] /Opt [(one) (two) (three)] ${RECT}`;

const cases: Record<string, { field: string; update: object; expected: Record<string, unknown> }> = {
  'a new name': { field: TEXT, update: { name: 'b' }, expected: { name: 'b', value: 'two' } },
  'label and tooltip': {
    field: TEXT,
    update: { label: 'A label', tooltip: 'Ein Tipp für dich' },
    expected: { label: 'A label', tooltip: 'Ein Tipp für dich' },
  },
  'blank label and tooltip': {
    field: TEXT,
    update: { label: ' ', tooltip: '' },
    expected: { label: 'A', tooltip: undefined },
  },
  'nothing but nulls': {
    field: TEXT,
    update: { name: null, label: null, type: null, required: null, options: null, defaultValue: null },
    expected: { name: 'a', label: 'old label', tooltip: 'old tip', type: 'text', value: 'two' },
  },
  'a required field': { field: TEXT, update: { required: true }, expected: { required: true } },
  'a field no more required': {
    field: `${TEXT} /Ff 3`,
    update: { required: false },
    expected: { required: false, readOnly: true },
  },
  'other options, the value among them': {
    field: CHOICE,
    update: { options: ['two', 'four'] },
    expected: { options: ['two', 'four'], value: 'two' },
  },
  'one option instead of several': {
    field: CHOICE.replace('[(one) (two)]', '[(two) (three)]'),
    update: { multiSelect: false },
    expected: { multiSelect: false, value: 'two' },
  },
  'several options instead of one': {
    field: CHOICE.replace('2097152', '0').replace('[(one) (two)]', '(two)'),
    update: { multiSelect: true },
    expected: { multiSelect: true, value: 'two' },
  },
  'its own type': { field: TEXT, update: { type: 'text' }, expected: { type: 'text', value: 'two' } },
  'text to a combo box that has the text': {
    field: TEXT,
    update: { type: 'combobox', options: ['one', 'two'] },
    expected: { type: 'combobox', options: ['one', 'two'], value: 'two' },
  },
  'text to a combo box that lacks it': {
    field: TEXT,
    update: { type: 'combobox', options: ['x'] },
    expected: { type: 'combobox', value: '' },
  },
  'a new field with its default value': {
    field: TEXT,
    update: { type: 'listbox', options: ['x', 'y'], defaultValue: 'y', required: true, tooltip: 'Pick' },
    expected: { type: 'listbox', value: 'y', required: true, tooltip: 'Pick', label: 'old label' },
  },
  'text to a check box that is on': {
    field: TEXT,
    update: { type: 'checkbox', defaultValue: true },
    expected: { type: 'checkbox', value: 'Yes', options: ['Yes'] },
  },
  'text to a radio button': {
    field: TEXT,
    update: { type: 'radio', options: ['größer'], defaultValue: 'größer' },
    expected: { type: 'radio', value: 'größer', options: ['größer'] },
  },
};
for (const [what, { field, update, expected }] of Object.entries(cases)) {
  test(`modify-fields: ${what}`, { skip: NO_TOOLS }, async () => {
    const ran = await modify(formPdf({ fields: [field] }), [{ targetName: 'a', ...update }]);
    assert.equal(madeName(ran), 'a_updated.pdf');
    qpdfCheck(made(ran));
    const [found] = await listed(made(ran));
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(found?.[key], value, key);
    const { x, y, width, height } = found?.widgets[0] ?? {};
    assert.deepEqual([x, y, width, height], AREA);
  });
}

test('every type becomes every other in the same place, and what can be seen is seen', {
  skip: NO_TOOLS,
}, async () => {
  for (const from of FIELD_KINDS) {
    const start = formPdf({ fields: [TEXT] });
    const first = from === 'text' ? start : made(await modify(start, [{ targetName: 'a', type: from }]));
    for (const type of FIELD_KINDS) {
      const update = {
        targetName: 'a',
        type,
        ...(type === 'combobox' ? { options: ['seen'], defaultValue: 'seen' } : {}),
      };
      const after = made(
        await modify(first, [type === from ? { ...update, options: null, defaultValue: null } : update]),
      );
      qpdfCheck(after);
      const [field] = await listed(after);
      assert.equal(field?.type, type);
      const { x, y, width, height } = field?.widgets[0] ?? {};
      assert.deepEqual([x, y, width, height], AREA, `${from} to ${type}`);
      if (!['checkbox', 'radio', 'button', 'combobox'].includes(type) || type === from) continue;
      assert.ok(
        popplerInk(after, AREA) > 0 && (await pdfiumInk(after, AREA)) > 0,
        `${from} to ${type} is not seen`,
      );
    }
  }
});

test('the default value is what a reset gives, blank clears it', { skip: NO_TOOLS }, async () => {
  const defaultOf = async (defaultValue: unknown) => {
    const after = made(await modify(formPdf({ fields: [TEXT] }), [{ targetName: 'a', defaultValue }]));
    const { acroform } = JSON.parse(askProgram('qpdf', ['--json', '--json-key=acroform', '{}'], after)) as {
      acroform: { fields: { defaultvalue: string | null; value: string }[] };
    };
    assert.equal(acroform.fields[0]?.value, 'u:two');
    return acroform.fields[0]?.defaultvalue;
  };
  assert.equal(await defaultOf('new'), 'u:new');
  assert.equal(await defaultOf(5), 'u:5');
  assert.equal(await defaultOf(''), null);
  assert.equal(await defaultOf(null), 'u:old');
});

const GROUP = formPdf({
  fields: ['/FT /Tx /T (x) /Parent 9 0 R', '/FT /Tx /T (y) /Parent 9 0 R', '/FT /Tx /T (z)'],
  more: ['<< /T (group) /Kids [6 0 R 7 0 R] >>'],
  listed: '9 0 R 8 0 R',
});

test('names: in their group, in turn, skipped where the target is unknown', { skip: NO_TOOLS }, async () => {
  const names = async (...updates: [string, string][]) =>
    (
      await listed(
        made(
          await modify(
            GROUP,
            updates.map(([targetName, name]) => ({ targetName, name })),
          ),
        ),
      )
    ).map(({ name }) => name);
  assert.deepEqual(await names(['group.x', 'w']), ['group.w', 'group.y', 'z']);
  assert.deepEqual(await names(['group.x', 'group.w']), ['group.w', 'group.y', 'z']);
  assert.deepEqual(await names(['group.x', 'x']), ['group.x', 'group.y', 'z']);
  assert.deepEqual(await names(['z', 'old'], ['group.y', 'z'], ['nobody', 'any']), [
    'group.x',
    'group.z',
    'old',
  ]);
});

const refusals: Record<string, { bytes?: Buffer; updates: unknown; says: RegExp }> = {
  'no updates': { updates: [], says: /^updates must be/ },
  'what is no list': { updates: { targetName: 'a' }, says: /^updates must be/ },
  'an update without a target': { updates: [{ name: 'b' }], says: /^updates\[0\]\.targetName/ },
  'an unknown type': { updates: [{ targetName: 'a', type: 'slider' }], says: /^updates\[0\]\.type/ },
  'a blank name': { updates: [{ targetName: 'z', name: '' }], says: /^updates\[0\]\.name/ },
  'a name in use': {
    updates: [{ targetName: 'group.x', name: 'y' }],
    says: /^updates\[0\]\.name.*"group\.y"/,
  },
  'the name of a group': {
    updates: [{ targetName: 'z', name: 'group' }],
    says: /^updates\[0\]\.name.*"group"/,
  },
  'a name two updates want': {
    updates: [
      { targetName: 'group.x', name: 'new' },
      { targetName: 'group.y', name: 'new' },
    ],
    says: /^updates\[1\]\.name/,
  },
  'a name of another group': {
    updates: [{ targetName: 'group.x', name: 'other.x' }],
    says: /^updates\[0\]\.name.*"group\."/,
  },
  'a flag that is none': {
    updates: [{ targetName: 'z', required: 'maybe' }],
    says: /^updates\[0\]\.required/,
  },
  'options that are no texts': {
    updates: [{ targetName: 'z', options: [1] }],
    says: /^updates\[0\]\.options/,
  },
  'a default value that is no option': {
    bytes: formPdf({ fields: [CHOICE] }),
    updates: [{ targetName: 'a', defaultValue: 'nine' }],
    says: /^updates\[0\]\.defaultValue.*"a".*"one"/,
  },
  'more options than buttons': {
    bytes: formPdf({ fields: [TEXT] }),
    updates: [{ targetName: 'a', type: 'radio', options: ['x', 'y'] }],
    says: /^updates\[0\]\.options.*1 button/,
  },
  'a label without end': {
    updates: [{ targetName: 'z', label: 'x'.repeat(10_001) }],
    says: /^updates\[0\]\.label/,
  },
  'a tooltip that is no text': { updates: [{ targetName: 'z', tooltip: 1 }], says: /^updates\[0\]\.tooltip/ },
  'more than 5000': { updates: Array(5001).fill({ targetName: 'z' }), says: /^updates must be/ },
};
for (const [what, { bytes = GROUP, updates, says }] of Object.entries(refusals)) {
  test(`modify-fields refuses ${what}`, async () => {
    const { reason, detail } = failed(await modify(bytes, updates));
    assert.equal(reason, 'invalid_parameter');
    assert.match(detail, says);
  });
}

test('modify-fields refuses a document without a form', async () => {
  for (const bytes of [onePage(), fixture('text-two-pages.pdf')])
    assert.equal(failed(await modify(bytes, [{ targetName: 'a' }])).reason, 'nothing_found');
});

test('the first field of every form of the collection takes a new name, type and tooltip', {
  skip: noCorpus() || NO_TOOLS,
}, async () => {
  for (const { path, password, fields } of corpusForms()) {
    const targetName = fields[0]?.name ?? '';
    const params = password === undefined ? {} : { inputPassword: password };
    const after = made(
      await modify(path, [{ targetName, name: 'brand new', type: 'button', tooltip: 'New' }], params),
    );
    qpdfCheck(after, { tolerant: true });
    const field = (await listed(after)).find(({ name }) => name.endsWith('brand new'));
    assert.deepEqual([field?.type, field?.tooltip], ['button', 'New'], basename(path));
  }
});
