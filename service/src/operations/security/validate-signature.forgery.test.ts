// Signatures that nobody made, by every published way to have one accepted: each is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { missing } from '../../../testing/oracles/programs.ts';
import { appendSignature, issue, opensslMessage } from '../../../testing/signatures/pki.ts';
import { gapOf, only, revised, signAs, validate } from '../../../testing/signatures/written-revisions.ts';
import { Dict, name } from '../../pdf/objects.ts';
import { textString } from '../../pdf/text-strings.ts';

const signer = issue({ name: 'Real Signer', usages: [0, 1] });
/** The signature is object 5, its field object 6. */
const genuine = await signAs(signer, onePage(), '', { reason: 'Real reason', location: 'Real place' });
const { from, to, end } = gapOf(genuine);
const RANGE = `[0 ${from} ${to} ${end - to}]`;
const CONTENTS = genuine.subarray(from, to).toString('latin1');
const HEAD = '/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached';
const CLAIMS = '/Name (Forged Name) /Reason (Forged reason) /Location (Forged place) /M (D:20200101000000Z)';

const CATALOG = '<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [6 0 R 31 0 R] >> >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R 31 0 R] >>';
const fieldOf = (value: string) =>
  `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Forged) /V ${value} /Rect [0 0 0 0] /F 4 /P 3 0 R >>`;

/** A second signature, appended. */
const second = (dict: string): Buffer =>
  revised(genuine, [1, CATALOG], [3, PAGE], [30, `<< ${HEAD} ${CLAIMS} ${dict} >>`], [31, fieldOf('30 0 R')]);
/** The genuine signature's dictionary, replaced. */
const replaced = (dict: string): Buffer => revised(genuine, [5, `<< ${HEAD} ${CLAIMS} ${dict} >>`]);

const ZEROES = `<${'00'.repeat(64)}>`;

const PAIRS: Record<string, string> = {
  'zero bytes as Contents': `/Contents ${ZEROES} /ByteRange ${RANGE}`,
  'the Contents of another': `/Contents ${CONTENTS} /ByteRange ${RANGE}`,
  'no Contents': `/ByteRange ${RANGE}`,
  'null as Contents': `/Contents null /ByteRange ${RANGE}`,
  'empty Contents': `/Contents <> /ByteRange ${RANGE}`,
  'a number as Contents': `/Contents 0 /ByteRange ${RANGE}`,
  'Contents elsewhere': `/Contents 4 0 R /ByteRange ${RANGE}`,
  'no ByteRange': `/Contents ${CONTENTS}`,
  'null as ByteRange': `/Contents ${CONTENTS} /ByteRange null`,
  'an empty ByteRange': `/Contents ${CONTENTS} /ByteRange []`,
  'a ByteRange of nothing': `/Contents ${CONTENTS} /ByteRange [0 0 0 0]`,
  'a negative ByteRange': `/Contents ${CONTENTS} /ByteRange [0 -1 ${to} ${end - to}]`,
  'one stretch': `/Contents ${CONTENTS} /ByteRange [0 ${end}]`,
  'three stretches': `/Contents ${CONTENTS} /ByteRange [0 ${from} ${to} ${end - to} ${end} 1]`,
  'stretches in another order': `/Contents ${CONTENTS} /ByteRange [${to} ${end - to} 0 ${from}]`,
  'stretches that overlap': `/Contents ${CONTENTS} /ByteRange [0 ${to} ${from} ${end - from}]`,
  'text in the ByteRange': `/Contents ${CONTENTS} /ByteRange [0 (${from}) ${to} ${end - to}]`,
  'half numbers': `/Contents ${CONTENTS} /ByteRange [0 ${from}.5 ${to} ${end - to}]`,
  neither: '',
};

for (const [what, dict] of Object.entries(PAIRS)) {
  test(`universal forgery, ${what}: a second signature is refused, the genuine one stays`, async () => {
    const [first, forged, ...others] = await validate(second(dict));
    assert.equal(others.length, 0);
    assert.deepEqual([first?.valid, first?.signerName, first?.reason], [true, 'Real Signer', 'Real reason']);
    assert.deepEqual(
      [forged?.valid, forged?.signerName, forged?.reason, forged?.location, forged?.signatureDate],
      [false, null, null, null, null],
    );
    assert.ok(forged?.errorMessage);
    assert.equal(forged?.coversEntireDocument, false);
  });

  test(`replaced reason, ${what}: a dictionary written anew is refused`, async () => {
    const report = await only(replaced(dict));
    assert.equal(report.valid, false);
    assert.ok(report.errorMessage);
    assert.ok([null, 'Real reason'].includes(report.reason), String(report.reason));
    assert.ok([null, 'Real place'].includes(report.location));
  });
}

test('a second field of one signature does not make two', async () => {
  const reports = await validate(revised(genuine, [1, CATALOG], [3, PAGE], [31, fieldOf('5 0 R')]));
  assert.deepEqual(
    reports.map(({ valid, signerName }) => [valid, signerName]),
    [[true, 'Real Signer']],
  );
});

test('a forged dictionary written in its field is refused', async () => {
  const dict = `<< ${HEAD} ${CLAIMS} /Contents ${ZEROES} /ByteRange ${RANGE} >>`;
  const [, forged] = await validate(revised(genuine, [1, CATALOG], [3, PAGE], [31, fieldOf(dict)]));
  assert.deepEqual([forged?.valid, forged?.signerName], [false, null]);
});

test('signature wrapping: what is put between the signed stretches is refused', async () => {
  const [head, tail] = [genuine.subarray(0, from), genuine.subarray(to, end)];
  const build = (place: number): Buffer => {
    const range = `[0 ${from} ${String(place).padStart(8, '0')} ${tail.length}]`;
    const inside = `${CONTENTS} >>\nendobj\n4 0 obj\n<< /Length 12 >>\nstream\n0 0 99 99 re f\nendstream\nendobj\n5 0 obj\n<< ${HEAD} ${CLAIMS} /ByteRange ${range} /Contents ${CONTENTS} `;
    return Buffer.concat([head, Buffer.from(inside, 'latin1'), tail]);
  };
  const wrapped = build(build(0).length - tail.length);
  const [report] = await validate(wrapped);
  assert.equal(report?.valid, false);
});

test('brackets of the Contents belong to what is left out, exactly', async () => {
  const text = genuine.toString('latin1');
  for (const [less, more] of [
    [1, 0],
    [0, -1],
    [-1, 0],
    [0, 1],
  ] as const) {
    const range = `ByteRange [0 ${from + less} ${to + more} ${end - to - more}]`;
    const moved = text.replace(
      /ByteRange \[[^\]]*\]/,
      (old) => `${range.slice(0, -1).padEnd(old.length - 1)}]`,
    );
    const report = await only(Buffer.from(moved, 'latin1'));
    assert.deepEqual([report.valid, report.signerName], [false, null]);
  }
});

test('a signature that stops among the objects of its revision is refused', {
  skip: missing('openssl'),
}, async () => {
  // The signer's own tool left out objects: whoever comes later could exchange them.
  const whole = await appendSignature(onePage(), { subFilter: 'adbe.pkcs7.detached' }, () => Buffer.alloc(4));
  const gap = gapOf(whole);
  const text = whole.toString('latin1');
  const shorter = text.indexOf('/Widget', gap.to) - gap.to;
  const range = `ByteRange [0 ${gap.from} ${gap.to} ${shorter}`;
  const unsigned = Buffer.from(
    text.replace(/ByteRange \[[^\]]*\]/, (old) => `${range.padEnd(old.length - 1)}]`),
    'latin1',
  );
  const content = Buffer.concat([
    unsigned.subarray(0, gap.from),
    unsigned.subarray(gap.to, gap.to + shorter),
  ]);
  unsigned.write(opensslMessage(signer, content).toString('hex'), gap.from + 1, 'latin1');
  const report = await only(unsigned);
  assert.equal(report.valid, false);
  assert.match(report.errorMessage ?? '', /where a revision of the document ends/);
});

test('a signature of another use is not lent to a field', { skip: missing('openssl') }, async () => {
  // Usage rights are signed by the maker of a program: no field has that signature.
  const rights = await appendSignature(
    onePage(),
    {
      subFilter: 'adbe.pkcs7.detached',
      prepare(revision, signature, field) {
        revision.edit(field).delete('V');
        revision.edit(revision.catalogRef).set('Perms', Dict.of({ UR3: signature, Type: name('X') }));
      },
    },
    (content) => opensslMessage(signer, content),
  );
  assert.deepEqual(await validate(rights), []);
  const lent = revised(rights, [
    6,
    '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /V 5 0 R /Rect [0 0 0 0] /F 132 /P 3 0 R >>',
  ]);
  const report = await only(lent);
  assert.deepEqual([report.valid, report.signerName], [false, null]);
});

test('the signer is who the certificate names, whatever the dictionary says', {
  skip: missing('openssl'),
}, async () => {
  const bytes = await appendSignature(
    onePage(),
    {
      subFilter: 'adbe.pkcs7.detached',
      prepare: (revision, signature) => revision.edit(signature).set('Name', textString('Somebody')),
    },
    (content) => opensslMessage(signer, content),
  );
  const report = await only(bytes);
  assert.deepEqual([report.valid, report.signerName], [true, 'Real Signer']);
});
