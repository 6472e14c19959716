import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, madeJson, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { corpusForms, formPdf } from '../../../testing/oracles/forms.ts';
import { askProgram, missing, qpdfCheck } from '../../../testing/oracles/programs.ts';

const unlock = (bytes: Uint8Array | string, params: Record<string, string> = {}) =>
  runHere('misc/unlock-pdf-forms', {
    files: { fileInput: typeof bytes === 'string' ? bytes : { name: 'a.pdf', bytes } },
    params,
  });

interface Acroform {
  needappearances: boolean;
  fields: { fullname: string; fieldflags: number; annotation: { annotationflags: number } }[];
}
const acroform = (bytes: Uint8Array): Acroform =>
  (
    JSON.parse(askProgram('qpdf', ['--json', '--json-key=acroform', '{}'], bytes, [0, 3])) as {
      acroform: Acroform;
    }
  ).acroform;

test('read-only flags go, inherited ones too; other flags stay; viewers are asked to draw', {
  skip: missing('qpdf'),
}, async () => {
  const ran = await unlock(
    formPdf({
      fields: [
        '/FT /Tx /T (a) /Ff 4099 /F 68',
        '/FT /Tx /T (b) /Parent 8 0 R',
        '/T (parent) /Ff 1 /Kids [7 0 R]',
      ],
      listed: '6 0 R 8 0 R',
      annots: '6 0 R 7 0 R',
    }),
  );
  assert.equal(madeName(ran), 'a_unlocked_forms.pdf');
  const { needappearances, fields } = acroform(made(ran));
  assert.equal(needappearances, true);
  assert.deepEqual(
    fields.map(({ fullname, fieldflags, annotation }) => [fullname, fieldflags, annotation.annotationflags]),
    [
      ['a', 4098, 4],
      ['parent.b', 0, 4],
    ],
  );
});

test('locks of signature fields go', { skip: missing('qpdf') }, async () => {
  const bytes = formPdf({ fields: ['/FT /Sig /T (s) /Lock << /Type /SigFieldLock /Action /All >>'] });
  assert.doesNotMatch(askProgram('qpdf', ['--qdf', '{}', '-'], made(await unlock(bytes))), /\/Lock/);
});

test('readOnly and protected are lifted in the tags of XFA, and nothing else is changed', {
  skip: missing('qpdf'),
}, async () => {
  const template =
    '<template><field name="a" access="readOnly" x=\'>\'/><field access = \'protected\'/><draw readOnly="1"/>' +
    '<field access="nonInteractive"/><text>access="readOnly" \u00e4</text></template>';
  const bytes = formPdf({
    fields: ['/FT /Tx /T (a)'],
    more: [streamOf(template)],
    form: '/XFA [(template) 7 0 R]',
  });
  const text = askProgram('qpdf', ['--qdf', '{}', '-'], made(await unlock(bytes)));
  assert.match(text, /<field name="a" access="open" x='>'\/><field access='open'\/><draw readOnly="0"\/>/);
  assert.match(text, /<field access="nonInteractive"\/><text>access="readOnly"/);
});

test('a document without a form comes back as it was', async () => {
  for (const bytes of [onePage(), onePage({ catalog: '/AcroForm << /Fields [] >>' })])
    assert.ok(made(await unlock(bytes)).equals(bytes));
});

test('no field of the collection stays read-only', { skip: noCorpus() || missing('qpdf') }, async () => {
  for (const { path, password } of corpusForms()) {
    const after = made(await unlock(path, password === undefined ? {} : { inputPassword: password }));
    qpdfCheck(after, { tolerant: true });
    const fields = madeJson(
      await runHere('form/fields-with-coordinates', {
        files: { fileInput: { name: 'a.pdf', bytes: after } },
      }),
    ) as { readOnly: boolean }[];
    assert.ok(
      fields.every(({ readOnly }) => !readOnly),
      path,
    );
  }
});
