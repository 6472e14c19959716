// What became of a signed document: by every published way to change what it shows, and by the ways its signers allow.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { streamOf } from '../../../testing/documents/written-pdf.ts';
import { missing } from '../../../testing/oracles/programs.ts';
import { CASES, field, PERMS, plain } from '../../../testing/signatures/appended-changes.ts';
import { appendSignature, issue, opensslMessage, pdfsig } from '../../../testing/signatures/pki.ts';
import {
  named,
  only,
  revised,
  revisedPacked,
  validate,
} from '../../../testing/signatures/written-revisions.ts';
import { Dict, name, type PdfValue } from '../../pdf/objects.ts';
import { textString } from '../../pdf/text-strings.ts';

const skip = missing('openssl', 'pdfsig');
const signer = issue({ name: 'Signer', usages: [0, 1] });

const reference = (method: string, params: Record<string, PdfValue>): Dict =>
  Dict.of({
    Type: name('SigRef'),
    TransformMethod: name(method),
    TransformParams: Dict.of({ Type: name('TransformParams'), V: name('1.2'), ...params }),
  });

/** The signature is object 16, its field object 17. */
const signed = (...references: Dict[]): Promise<Buffer> =>
  appendSignature(
    plain,
    {
      subFilter: 'adbe.pkcs7.detached',
      entries: references.length > 0 ? { Reference: references } : {},
      prepare(revision, signature) {
        const certifies = references.some((each) => each.get('TransformMethod') === name('DocMDP'));
        if (certifies) revision.edit(revision.catalogRef).set('Perms', Dict.of({ DocMDP: signature }));
      },
    },
    (content) => opensslMessage(signer, content),
  );

/** The document signed without a word on changes, and certified with each permission. */
const documents = new Map<number, Buffer>();
before(async () => {
  if (skip) return;
  documents.set(0, await signed());
  for (const P of [1, 2, 3]) documents.set(P, await signed(reference('DocMDP', { P })));
  // pdfsig lists the empty field, too.
  for (const bytes of documents.values()) assert.ok(pdfsig(bytes).some(({ valid, whole }) => valid && whole));
});

const WAYS = { 'by a table': revised, 'in a stream of objects': revisedPacked };

for (const { what, objects, kind, allowed, lawful = [], ...where } of CASES) {
  test(`${what}: told, and judged by what the signer permits`, { skip }, async () => {
    for (const [permission, bytes] of documents) {
      const perms = permission === 0 ? '' : '/Perms << /DocMDP 16 0 R >>';
      for (const [way, append] of Object.entries(WAYS)) {
        const changed = append(
          bytes,
          ...objects.map(([number, text]): [number, string] => [number, text.replace(PERMS, perms)]),
        );
        const report = (await validate(changed)).find(({ fieldName }) => fieldName === 'Signature1');
        const words = `${what}, permission ${permission}, ${way}: ${JSON.stringify(report)}`;
        const isAllowed = allowed.includes(permission);
        const listed = (isAllowed ? report?.allowedChanges : report?.forbiddenChanges) ?? [];
        const found = listed.find((each) => each.kind === kind);
        assert.ok(report && found, words);
        if (where.page !== undefined) assert.equal(found.page, where.page, words);
        if (where.field !== undefined) assert.equal(found.field, where.field, words);
        assert.ok(report?.changesAfterSigning?.includes(kind), words);
        if (isAllowed) assert.deepEqual(report.forbiddenChanges, [], words);
        else assert.ok(report.errorMessage, words);
        assert.equal(report.valid, permission === 0 || isAllowed || lawful.includes(permission), words);
        assert.deepEqual([report.coversEntireDocument, report.coversWholeDocument], [false, false], words);
      }
    }
  });
}

test('incremental saving without cross-references is seen by what readers make of it', { skip }, async () => {
  const bytes = documents.get(0) ?? Buffer.alloc(0);
  const object = `4 0 obj\n${streamOf('0 0 612 400 re f')}\nendobj\n`;
  for (const tail of [
    '',
    'trailer\n<< /Root 1 0 R /Size 40 >>\n',
    'startxref\n0\n%%EOF\n',
    'xref\n0 0\ntrailer\n<< /Root 1 0 R >>\nstartxref\n7\n%%EOF\n',
  ]) {
    const report = await only(Buffer.concat([bytes, Buffer.from(object + tail)]));
    assert.equal(report.coversEntireDocument, false);
    const kinds = [...(report.forbiddenChanges ?? []), ...(report.allowedChanges ?? [])].map(
      ({ kind }) => kind,
    );
    assert.ok(kinds.includes('page-content') || kinds.includes('other'), JSON.stringify(report));
  }
});

test('edited after saving: a document written anew keeps no valid signature', { skip }, async () => {
  const files = { fileInput: named('s.pdf', documents.get(0) ?? '') };
  const turned = made(await runHere('general/rotate-pdf', { files, params: { angle: '90' } }));
  for (const report of await validate(turned)) assert.equal(report.valid, false);
});

test('locked fields stay as they are', { skip }, async () => {
  const fill = (bytes: Buffer, title: string) =>
    revised(bytes, title === 'name' ? [6, field('name', '/V (Ada)')] : [7, field('amount', '/V (99)')]);
  const names = (...titles: string[]) => titles.map((title) => textString(title));
  const cases: [Record<string, PdfValue>, name: boolean, amount: boolean][] = [
    [{ Action: name('All') }, false, false],
    [{ Action: name('Include'), Fields: names('amount') }, true, false],
    [{ Action: name('Exclude'), Fields: names('amount') }, false, true],
  ];
  for (const [params, mayName, mayAmount] of cases) {
    const bytes = await signed(reference('FieldMDP', params));
    for (const [title, may] of [
      ['name', mayName],
      ['amount', mayAmount],
    ] as const) {
      const report = await only(fill(bytes, title));
      assert.equal(report.valid, may, `${title} ${JSON.stringify(report)}`);
      const [change, ...others] = (may ? report.allowedChanges : report.forbiddenChanges) ?? [];
      assert.deepEqual(
        [change?.kind, change?.field, change?.page, others.length],
        ['form-fields', title, 1, 0],
      );
    }
  }
});
