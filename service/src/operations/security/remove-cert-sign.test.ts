import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { surveyBytes } from '../../../testing/oracles/pages.ts';
import {
  askProgram,
  askProgramBytes,
  missing,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfsig', 'pdftoppm', 'pdftotext');
const unsign = async (bytes: Uint8Array) => {
  const ran = await runHere('security/remove-cert-sign', { files: { fileInput: { name: 'a.pdf', bytes } } });
  assert.equal(madeName(ran), 'a_unsigned.pdf');
  return made(ran);
};

/** Whether pdfsig finds a field that is signed; it lists those that wait too. */
const signatures = (bytes: Uint8Array): boolean =>
  /Signed Ranges|Signature Validation|Signing Time/.test(
    askProgram('pdfsig', ['-nocert', '{}'], bytes, [0, 1, 2]),
  );
/** Pages as pixels, 72 to the inch. */
const picture = (bytes: Uint8Array) =>
  askProgramBytes('pdftoppm', ['-r', '72', '-gray', '{}'], bytes).toString('base64');

const SIGNATURE =
  '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <00> >>';
const field = (name: string, more: string) =>
  `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /Rect [100 100 300 160] /P 3 0 R /F 132 ${more} >>`;
const SIGNED = onePage({
  catalog:
    '/AcroForm << /Fields [5 0 R 8 0 R 9 0 R] /SigFlags 3 >> /Perms << /DocMDP 6 0 R /UR3 6 0 R >> /DSS << /Certs [7 0 R] >>',
  page: '/Annots [5 0 R 8 0 R 9 0 R]',
  more: [
    field('signed', '/V 6 0 R /AP << /N 7 0 R >>'),
    SIGNATURE,
    streamOf('1 0 0 rg 0 0 50 20 re f', '/Type /XObject /Subtype /Form /BBox [0 0 100 30]'),
    field('waiting', '/Lock << /Type /SigFieldLock /Action /All >>'),
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [9 9 99 30] >>',
  ],
});

test('signatures go with their fields and entries; they look the same', { skip }, async () => {
  assert.ok(signatures(SIGNED));
  const result = await unsign(SIGNED);
  qpdfCheck(result);
  assert.ok(!signatures(result));
  const objects = JSON.stringify(qpdfObjects(result));
  assert.doesNotMatch(objects, /ByteRange|Perms|DSS|SigFlags|u:signed/);
  assert.match(objects, /u:waiting/, 'a field that waits for its signature stays');
  assert.match(objects, /u:Ada/);
  assert.equal(picture(result), picture(SIGNED));
});

test('an unsigned document comes back byte for byte', { skip }, async () => {
  const waiting = onePage({
    catalog: '/AcroForm << /Fields [5 0 R] >>',
    page: '/Annots [5 0 R]',
    more: [field('w', '')],
  });
  for (const bytes of [readFileSync(fixture('everything.pdf')), waiting])
    assert.ok((await unsign(bytes)).equals(bytes));
});

test('the value of a signature may stand above its widgets', { skip }, async () => {
  const bytes = onePage({
    catalog: '/AcroForm << /Fields [5 0 R] >>',
    page: '/Annots [7 0 R]',
    more: [
      '<< /FT /Sig /T (a) /V 6 0 R /Kids [7 0 R] >>',
      SIGNATURE,
      '<< /Subtype /Widget /Parent 5 0 R /Rect [0 0 0 0] >>',
    ],
  });
  assert.doesNotMatch(JSON.stringify(qpdfObjects(await unsign(bytes))), /Sig|Widget|AcroForm/);
});

test('signed documents of a collection lose every signature and nothing they show', {
  skip: noCorpus() || skip,
}, async () => {
  for (const path of corpus('signed')) {
    const bytes = readFileSync(path);
    const result = await unsign(bytes);
    qpdfCheck(result, { tolerant: true });
    assert.ok(!signatures(result), path);
    const { fields, annotations, ...before } = surveyBytes(bytes);
    const { fields: left, annotations: shown, ...after } = surveyBytes(result);
    assert.deepEqual(after, before, path);
    assert.ok(left.length < fields.length && (shown.Widget ?? 0) <= (annotations.Widget ?? 0), path);
    assert.equal(pdftotext(result).trim(), pdftotext(bytes).trim(), path);
    assert.ok(difference(picture(result), picture(bytes)) < 0.001, path);
  }
});

/** The share of pixels that differ plainly. */
function difference(a: string, b: string): number {
  assert.equal(a.length, b.length);
  let differing = 0;
  for (let at = 0; at < a.length; at += 1)
    if (Math.abs(a.charCodeAt(at) - b.charCodeAt(at)) > 32) differing += 1;
  return differing / a.length;
}
