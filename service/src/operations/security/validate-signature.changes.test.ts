// What became of a signed document: by every published way to change what it shows, and by the ways its signers allow.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { streamOf } from '../../../testing/documents/written-pdf.ts';
import { missing } from '../../../testing/oracles/programs.ts';
import { CASES, field, PERMS, plain } from '../../../testing/signatures/appended-changes.ts';
import {
  appendSignature,
  issue,
  opensslMessage,
  pdfsig,
  timestampToken,
} from '../../../testing/signatures/pki.ts';
import {
  named,
  only,
  revised,
  revisedPacked,
  validate,
} from '../../../testing/signatures/written-revisions.ts';
import { OID } from '../../engines/signatures/oids.ts';
import { Dict, name, type PdfValue, Ref } from '../../pdf/objects.ts';
import type { RevisionDocument } from '../../pdf/security/incremental-update.ts';
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

test('genuine signatures and timestamps that come later are what signers allow', { skip }, async () => {
  const other = issue({ name: 'Other', usages: [0, 1] });
  const clock = issue({ name: 'Clock', usages: [0], purposes: [OID.timeStamping] });
  const files = (bytes: Buffer) => ({
    fileInput: named('s.pdf', bytes),
    privateKeyFile: named('k.pem', other.keyPem),
    certFile: named('c.pem', other.pem),
  });
  const byOther = (content: Buffer) => opensslMessage(other, content);
  const show = (revision: RevisionDocument, _: Ref, field: Ref) =>
    revision
      .edit(field)
      .set('Rect', [50, 600, 300, 720])
      .set('F', 4)
      .set('AP', Dict.of({ N: new Ref(10) }));
  const detached = 'adbe.pkcs7.detached';
  const cases: [string, allowed: number[], detail: RegExp, (bytes: Buffer) => Promise<Buffer>][] = [
    [
      'hidden',
      [0, 2, 3],
      /^A hidden signature was added\.$/,
      (bytes) => appendSignature(bytes, { subFilter: detached }, byOther),
    ],
    [
      'visible',
      [0, 3],
      /^A visible signature was added\.$/,
      (bytes) => appendSignature(bytes, { subFilter: detached, prepare: show }, byOther),
    ],
    [
      'a timestamp',
      [0, 1, 2, 3],
      /^A hidden document timestamp was added\.$/,
      (bytes) =>
        appendSignature(bytes, { subFilter: 'ETSI.RFC3161' }, (content) => timestampToken(clock, content)),
    ],
    [
      'in the empty field',
      [0, 2, 3],
      /^The field was signed\.$/,
      async (bytes) =>
        made(
          await runHere('security/cert-sign', {
            files: files(bytes),
            params: { certType: 'PEM', fieldName: 'approval' },
          }),
        ),
    ],
  ];
  for (const [what, allowed, detail, append] of cases)
    for (const [permission, bytes] of documents) {
      if (what === 'in the empty field' && permission === 1) continue;
      const both = await append(bytes);
      const reports = await validate(both);
      const first = reports.find(({ fieldName }) => fieldName === 'Signature1');
      const words = `${what}, permission ${permission}: ${JSON.stringify(reports)}`;
      const isAllowed = allowed.includes(permission);
      assert.equal(reports.length, 2, words);
      assert.ok(reports.find((each) => each !== first)?.valid, words);
      const [change] = (isAllowed ? first?.allowedChanges : first?.forbiddenChanges) ?? [];
      assert.match(change?.detail ?? '', detail, words);
      assert.equal(first?.forbiddenChanges?.length, isAllowed ? 0 : 1, words);
      assert.equal(first?.valid, isAllowed || permission === 0, words);
      if (what !== 'a timestamp') assert.equal(pdfsig(both).filter(({ valid }) => valid).length, 2, words);
      // The same bytes, one of them changed: a signature no longer.
      const at = both.lastIndexOf('/Rect');
      const broken = Buffer.from(both);
      broken.write('/Rext', at, 'latin1');
      const spoilt = (await validate(broken)).find(({ fieldName }) => fieldName === 'Signature1');
      assert.ok(
        spoilt?.forbiddenChanges?.some((each) => / It is not valid\.$/.test(each.detail)),
        JSON.stringify(spoilt),
      );
    }
});

test('a genuine signature that came later is not lent to another field', { skip }, async () => {
  const other = issue({ name: 'Other', usages: [0, 1] });
  const twice = await appendSignature(
    documents.get(0) ?? Buffer.alloc(0),
    { subFilter: 'adbe.pkcs7.detached' },
    (content) => opensslMessage(other, content),
  );
  const shown =
    '<< /Type /Annot /Subtype /Widget /FT /Sig /T (New) /V 18 0 R /F 4 /Rect [50 600 300 720] /AP << /N 10 0 R >> >>';
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /Cover 10 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R 9 0 R 17 0 R 19 0 R 31 0 R] >>';
  for (const report of await validate(revised(twice, [31, shown], [3, page])))
    assert.deepEqual(
      report.forbiddenChanges?.map(({ field, detail }) => [field, detail]),
      [['New', 'A visible signature was added. It is not valid.']],
      JSON.stringify(report),
    );
});

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

test('a document too large to be compared says so, and a certified one is not valid', { skip }, async () => {
  const content = streamOf(`0 0 612 400 re f\n${' '.repeat(64 * 1024 * 1024)}`);
  for (const [permission, bytes] of documents) {
    const report = await only(revised(bytes, [4, content]));
    const words = JSON.stringify(report);
    assert.equal(report.valid, permission === 0, words);
    assert.match(report.errorMessage ?? '', /^It cannot be told/, words);
    assert.deepEqual(
      [
        report.coversEntireDocument,
        report.changesAfterSigning,
        report.allowedChanges,
        report.forbiddenChanges,
      ],
      [false, null, null, null],
      words,
    );
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
