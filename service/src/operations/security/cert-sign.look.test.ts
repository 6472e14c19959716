// Where a signature stands, what it shows, what it certifies, and how much room it takes.
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { GivenFile } from '../../../testing/calls/run-here.ts';
import { failed, made } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import {
  ecKey,
  extension,
  issue,
  openssl,
  pdfsig,
  rawSignatures,
  rsaKey,
  startTimestampAuthority,
} from '../../../testing/signatures/pki.ts';
import {
  AUTHORITY,
  assertSigned,
  CERTIFICATE,
  DOCUMENT,
  KEY,
  named,
  sign,
  signAs,
  signWithPem,
  skip,
} from '../../../testing/signatures/signing.ts';
import { revised, validate } from '../../../testing/signatures/written-revisions.ts';
import { context, der, octetString, readDer, TAG } from '../../contract/der.ts';
import { OID } from '../../engines/signatures/oids.ts';

const WORD = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g;
const wordsOf = (bytes: Buffer) =>
  [...pdftotext(bytes, '-bbox').matchAll(WORD)].map(([, left, top, right, bottom, word]) => ({
    box: [left, top, right, bottom].map(Number) as [number, number, number, number],
    word,
  }));

const signedWithImage = (document: GivenFile, params: Record<string, string>, image: GivenFile) =>
  sign(
    { fileInput: document, privateKeyFile: KEY, certFile: CERTIFICATE, signatureImage: image },
    { certType: 'PEM', showSignature: 'true', ...params },
  );

const PIXELS =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR42mM4IScnd0KOAUj8+vULACBSBftgCTDeAAAAAElFTkSuQmCC';
const PICTURE = named('seal.png', Buffer.from(PIXELS, 'base64'));

test('the box stands where it is asked for, with the lines asked for', { skip }, async () => {
  const page = named('p.pdf', onePage({ page: '/MediaBox [0 0 600 800]', content: '' }));
  const place = { x: '300', y: '400', width: '240', height: '120' };
  const params = { showSignature: 'true', ...place, signatureText: 'Approved\\nby 漢字 Ltd' };
  const signed = made(await signWithPem(page, params));
  assertSigned(signed, AUTHORITY);
  const words = wordsOf(signed);
  assert.deepEqual(
    words.map(({ word }) => word),
    ['Approved', 'by', '漢字', 'Ltd'],
  );
  for (const { box } of words)
    assert.ok(box[0] >= 300 && box[2] <= 540 && box[1] >= 280 && box[3] <= 400, `${box}`);
  const outside = failed(await signWithPem(page, { ...params, x: '700' }));
  assert.deepEqual([outside.reason, outside.detail.slice(0, 7)], ['invalid_parameter', 'x and y']);
  assert.match(failed(await signWithPem(page, { ...params, width: '0' })).detail, /width/);
});

test('a picture stands left of the text, or alone', { skip }, async () => {
  const page = named('p.pdf', onePage({ page: '/MediaBox [0 0 600 800]', content: '' }));
  const both = made(await signedWithImage(page, {}, PICTURE));
  assertSigned(both, AUTHORITY);
  // 42 points high and as wide, with margins of 4 points around it.
  for (const { box } of wordsOf(both)) assert.ok(box[0] >= 49, `${box}`);
  const alone = made(await signedWithImage(page, { signatureText: '' }, PICTURE));
  assertSigned(alone, AUTHORITY);
  assert.deepEqual(wordsOf(alone), []);
  assert.match(alone.toString('latin1'), /\/Subtype \/Image/);
  const wrong = failed(await signedWithImage(page, {}, named('seal.png', 'no picture')));
  assert.equal(wrong.reason, 'unsupported_file_type');
});

/** A form with an empty field on a turned page, a text field, and a lock. */
const waiting = (lock = ''): Buffer =>
  revised(
    onePage({
      catalog: '/AcroForm << /Fields [5 0 R 6 0 R] >>',
      page: '/CropBox [0 0 600 792] /Rotate 90 /Annots [7 0 R]',
      content: '',
      more: [
        '<< /T (contract) /Kids [7 0 R] >>',
        '<< /FT /Tx /T (town) /V (Ulm) >>',
        `<< /Type /Annot /Subtype /Widget /FT /Sig /T (buyer) /Parent 5 0 R /Rect [100 200 150 400] ${lock} >>`,
      ],
    }),
    [9, streamOf('', '')],
  );

test('an empty field is signed where it stands, with the lock its author put there', { skip }, async () => {
  const lock = '/Lock << /Type /SigFieldLock /Action /Include /Fields [(town)] >>';
  const before = named('w.pdf', waiting(lock));
  const params = { fieldName: 'contract.buyer', showSignature: 'true', signatureText: 'Signed here' };
  const signed = made(await signWithPem(before, params));
  assertSigned(signed, AUTHORITY);
  qpdfCheck(signed);
  // The page is turned: 100 to 150 points from the left edge are as far from the upper one now.
  for (const { box } of wordsOf(signed))
    assert.ok(box[0] >= 200 && box[2] <= 400 && box[1] >= 100 && box[3] <= 150, `${box}`);
  const [report] = await validate(signed);
  assert.deepEqual([report?.fieldName, report?.valid], ['contract.buyer', true]);
  const changed = revised(signed, [6, '<< /FT /Tx /T (town) /V (Rom) >>']);
  const [later] = await validate(changed);
  assert.equal(later?.valid, false, 'the lock holds');
  const again = failed(await signWithPem(named('s.pdf', signed), params));
  assert.match(again.detail, /^fieldName is signed already/);
  assert.match(
    failed(await signWithPem(before, { fieldName: 'town' })).detail,
    /^fieldName is no signature field/,
  );
  assert.match(failed(await signWithPem(before, { fieldName: 'a.b' })).detail, /^fieldName .* period/);
  const fresh = made(await signWithPem(before, { fieldName: 'Käufer' }));
  assert.equal((await validate(fresh))[0]?.fieldName, 'Käufer');
});

test('a certification says what may become of the document', { skip }, async () => {
  const filled = (bytes: Buffer) => revised(bytes, [6, '<< /FT /Tx /T (town) /V (Rom) >>']);
  for (const level of ['1', '2', '3']) {
    const certified = made(await signWithPem(named('w.pdf', waiting()), { certificationLevel: level }));
    assertSigned(certified, AUTHORITY);
    assert.match(certified.toString('latin1'), /\/Perms <</);
    const [report] = await validate(certified);
    assert.equal(report?.valid, true);
    const [later] = await validate(filled(certified));
    assert.equal(later?.valid, level !== '1', `level ${level}`);
    const second = await signWithPem(named('c.pdf', certified), {});
    if (level === '1') assert.match(failed(second).detail, /certif/);
    else {
      const twice = made(second);
      assert.deepEqual(
        (await validate(twice)).map(({ valid }) => valid),
        [true, true],
      );
      assert.equal(pdfsig(twice).filter(({ valid }) => valid).length, 2);
    }
    const again = failed(await signWithPem(named('c.pdf', certified), { certificationLevel: '2' }));
    assert.match(again.detail, /certif/);
    // A new box on a page is more than "forms and signatures".
    const box = await signWithPem(named('c.pdf', certified), { showSignature: 'true' });
    if (level === '3') assert.ok((await validate(made(box))).every(({ valid }) => valid));
    else assert.match(failed(box).detail, /certif/);
  }
  assert.equal(failed(await signWithPem(DOCUMENT, { certificationLevel: '4' })).reason, 'invalid_parameter');
});

/** OpenSSL 3.0 knows the signature, but not as part of a message: both are put before it by themselves. */
function opensslVerifiesAttributes(message: Buffer, content: Buffer, key: KeyObject): void {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-ed25519-'));
  try {
    const signer = readDer(message).child(1).child(0).children.at(-1)?.child(0);
    const attributes = signer?.find(context(0));
    const signature = signer?.children.findLast(({ tag }) => tag === TAG.octetString);
    assert.ok(attributes && signature);
    writeFileSync(join(folder, 'attributes'), der(TAG.set, attributes.content));
    writeFileSync(join(folder, 'signature'), signature.content);
    writeFileSync(join(folder, 'key.pem'), key.export({ format: 'pem', type: 'spki' }));
    writeFileSync(join(folder, 'content'), content);
    const how = ['-pubin', '-inkey', 'key.pem', '-rawin', '-in', 'attributes', '-sigfile', 'signature'];
    assert.match(openssl(folder, 'pkeyutl', '-verify', ...how), /Verified Successfully/);
    const [digest] = openssl(folder, 'dgst', '-sha512', '-r', 'content').split(' ');
    assert.ok(attributes.content.toString('hex').includes(digest ?? '?'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('Ed25519 keys sign', { skip }, async () => {
  const key = generateKeyPairSync('ed25519').privateKey;
  const authority = issue({ name: 'Edward', authority: true, usages: [5, 6] });
  const signer = issue({ name: 'Edwina', key, issuer: authority, usages: [0, 1] });
  const signed = made(await signAs(signer));
  const [raw] = rawSignatures(signed);
  assert.ok(raw);
  opensslVerifiesAttributes(raw.message, raw.content, createPublicKey(key));
  const [report] = await validate(signed, named('a.pem', authority.pem));
  assert.deepEqual(
    [report?.valid, report?.trustValid, report?.signatureAlgorithm, report?.keySize],
    [true, true, 'Ed25519', 256],
  );
  const other = issue({ name: 'No', key: generateKeyPairSync('ed25519').privateKey });
  assert.equal((await signAs({ ...other, keyPem: signer.keyPem })).state, 'failed');
  const ed448 = issue({ name: 'Rare', issuer: authority });
  const rareKey = generateKeyPairSync('ed448').privateKey.export({ format: 'pem', type: 'pkcs8' });
  assert.equal((await signAs({ ...ed448, keyPem: rareKey.toString() })).state, 'failed');
});

test('the room for a signature is what it takes', { skip }, async (t) => {
  const sizes = async (bytes: Buffer) => {
    const [raw] = rawSignatures(bytes);
    assert.ok(raw);
    const used = raw.message.readUInt16BE(2) + 4;
    return { room: raw.message.length, used };
  };
  for (const key of [ecKey('P-521'), rsaKey(4096)]) {
    const { room, used } = await sizes(made(await signAs(issue({ name: 'Fit', key }))));
    assert.ok(room >= used && room <= used + 16, `${room} for ${used}`);
  }
  const clock = await startTimestampAuthority();
  t.after(() => clock.close());
  const files = { privateKeyFile: KEY, certFile: CERTIFICATE };
  const call = { certType: 'PEM', tsaUrl: clock.url };
  const stamped = made(await sign(files, call, { allowHosts: [clock.host] }));
  assert.ok((await sizes(stamped)).room < 12 * 1024);
});

test('a timestamp larger than usual gets the room it takes', { skip }, async (t) => {
  const large = extension('1.2.3.4.5', octetString(Buffer.alloc(20_000, 1)), false);
  const wish = { name: 'Clock', usages: [0], purposes: [OID.timeStamping], more: [large] };
  const clock = await startTimestampAuthority(issue(wish));
  t.after(() => clock.close());
  const files = { privateKeyFile: KEY, certFile: CERTIFICATE };
  const call = { certType: 'PEM', tsaUrl: clock.url };
  const stamped = made(await sign(files, call, { allowHosts: [clock.host] }));
  assertSigned(stamped, AUTHORITY);
  const [report] = await validate(stamped);
  assert.deepEqual([report?.valid, report?.timestampStatus], [true, 'valid']);
});

test('a form of somebody else keeps its fields when one is signed', { skip }, async () => {
  const before = readFileSync(fixture('everything.pdf'));
  const signed = made(await signWithPem(DOCUMENT, { fieldName: 'New', certificationLevel: '3' }));
  assert.ok(signed.subarray(0, before.length).equals(before));
  assertSigned(signed, AUTHORITY);
  assert.equal(pdftotext(signed), pdftotext(before));
});
