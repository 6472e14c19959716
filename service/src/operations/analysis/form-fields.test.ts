import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';

const fields = async (fileInput: string | { name: string; bytes: Uint8Array }) =>
  madeJson(await runHere('analysis/form-fields', { files: { fileInput } }));

const cases: Record<string, { form: string; more?: string[]; expected: [number, boolean, boolean] }> = {
  'no form': { form: '', expected: [0, false, false] },
  'root fields only': {
    form: '/AcroForm << /Fields [5 0 R 5 0 R null 7] >>',
    more: ['<< /T (a) /FT /Tx /Kids [<< /T (b) >> << /T (c) >>] >>'],
    expected: [2, false, false],
  },
  XFA: {
    form: '/AcroForm << /Fields [] /XFA 5 0 R >>',
    more: ['[(template) null]'],
    expected: [0, true, false],
  },
  'XFA that is null': { form: '/AcroForm << /XFA 99 0 R >>', expected: [0, false, false] },
  'a signature field not yet signed': {
    form: '/AcroForm << /SigFlags 3 /Fields [<< /FT /Sig /T (s) >>] >>',
    expected: [1, false, false],
  },
  'a signed field below another': {
    form: '/AcroForm << /Fields [<< /T (p) /FT /Sig /Kids [<< /T (s) /V << /Type /Sig >> >>] >>] >>',
    expected: [1, false, true],
  },
  'fields in circles': {
    form: '/AcroForm << /Fields [5 0 R] >>',
    more: ['<< /T (a) /Kids [5 0 R 5 0 R] >>'],
    expected: [1, false, false],
  },
  'a form of wrong types': { form: '/AcroForm [1]', expected: [0, false, false] },
};
for (const [what, { form, more, expected }] of Object.entries(cases)) {
  test(`form-fields: ${what}`, async () => {
    const [fieldCount, hasXFA, isSignaturesExist] = expected;
    assert.deepEqual(await fields({ name: 'a.pdf', bytes: onePage({ catalog: form, more }) }), {
      fieldCount,
      hasXFA,
      isSignaturesExist,
    });
  });
}

test('form-fields sees the fields of a real form', async () => {
  const found = (await fields(fixture('form-fields.pdf'))) as { fieldCount: number };
  assert.ok(found.fieldCount > 0);
});
