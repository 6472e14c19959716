import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeJson, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { formPdf } from '../../../testing/oracles/forms.ts';
import { missing, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';

const named = (bytes: Uint8Array) => ({ name: 'a.pdf', bytes });
const remove = (bytes: Uint8Array, names: string) =>
  runHere('form/delete-fields', { files: { fileInput: named(bytes) }, params: { names } });
const namesIn = async (bytes: Uint8Array): Promise<string[]> =>
  (
    madeJson(await runHere('form/fields', { files: { fileInput: named(bytes) } })) as {
      fields: { name: string }[];
    }
  ).fields.map(({ name }) => name);

/** a, group.x and group.y, 7; group.x has two widgets. */
const FORM = formPdf({
  fields: [
    '/FT /Tx /T (a) /V (secret words)',
    '/Parent 11 0 R',
    '/Parent 11 0 R',
    '/FT /Tx /T (y) /Parent 12 0 R',
    '/FT /Tx /T (7)',
  ],
  more: ['<< /FT /Tx /T (x) /Kids [7 0 R 8 0 R] /Parent 12 0 R >>', '<< /T (group) /Kids [11 0 R 9 0 R] >>'],
  listed: '6 0 R 12 0 R 10 0 R',
  annots: '6 0 R 7 0 R 8 0 R 9 0 R 10 0 R',
  form: '/CO [6 0 R 9 0 R] /SigFlags 3 /XFA [(template) 4 0 R]',
});

const cases: Record<string, { names: string; left: string[] }> = {
  'a list of names': { names: '["a","7"]', left: ['group.x', 'group.y'] },
  'a list of objects': {
    names: '[{"name":"a"},{"targetName":"group.x"},{"fieldName":"group.y"},{"field":"nobody"}]',
    left: ['7'],
  },
  'an object with a list': { names: '{"fields":["a",{"name":"7"}]}', left: ['group.x', 'group.y'] },
  'one plain name': { names: 'group.x', left: ['a', 'group.y', '7'] },
  'one name in JSON': { names: '"a"', left: ['group.x', 'group.y', '7'] },
  'a name that is a number': { names: '7', left: ['a', 'group.x', 'group.y'] },
  'a group with all below': { names: '["group"]', left: ['a', '7'] },
  'unknown names': { names: '["nobody","x"]', left: ['a', 'group.x', 'group.y', '7'] },
};
for (const [what, { names, left }] of Object.entries(cases)) {
  test(`delete-fields: ${what}`, { skip: missing('qpdf') }, async () => {
    const ran = await remove(FORM, names);
    assert.equal(madeName(ran), 'a_updated.pdf');
    qpdfCheck(made(ran));
    assert.deepEqual(await namesIn(made(ran)), left);
  });
}

test('widgets, values, the order of calculation and empty parents go', {
  skip: missing('qpdf'),
}, async () => {
  const after = made(await remove(FORM, '["a","group.x","group.y"]'));
  const objects = Object.values(qpdfObjects(after)).map(
    ({ value }) => value as Record<string, unknown> | undefined,
  );
  const page = objects.find((value) => value?.['/Type'] === '/Page');
  const form = objects.find((value) => value?.['/Type'] === '/Catalog')?.['/AcroForm'] as Record<
    string,
    unknown
  >;
  assert.equal(((page?.['/Annots'] ?? []) as unknown[]).length, 1);
  assert.deepEqual(form['/CO'], []);
  assert.equal((form['/Fields'] as unknown[]).length, 1);
  for (const key of ['/SigFlags', '/XFA']) assert.ok(!(key in form), key);
  assert.doesNotMatch(JSON.stringify(objects), /secret words|u:group/);
});

test('the last field takes the form with it', { skip: missing('qpdf') }, async () => {
  const after = made(await remove(FORM, '["a","group","7"]'));
  assert.doesNotMatch(JSON.stringify(qpdfObjects(after)), /AcroForm|Annots/);
});

for (const names of ['[]', '{"fields":[]}', '[""]', '[7]', '{"fields":"a"}', '{}', 'null', '[{"name":1}]']) {
  test(`delete-fields refuses ${names}`, async () => {
    const { reason, detail } = failed(await remove(FORM, names));
    assert.equal(reason, 'invalid_parameter');
    assert.match(detail, /^names/);
  });
}

test('delete-fields refuses a document without a form', async () => {
  assert.equal(failed(await remove(onePage(), 'a')).reason, 'nothing_found');
});
