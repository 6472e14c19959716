import { invalidParameter } from '../../contract/problems.ts';
import { RevisionDocument } from '../../pdf/security/incremental-update.ts';
import { addSignature, type CertificationLevel } from '../../pdf/security/signature-adding.ts';
import { IMAGE_KINDS } from '../../procedures/placed-images.ts';
import { file, operation, optionalFile, pdfFile } from '../define.ts';
import { coordinateField } from '../drawing-fields.ts';
import { choice, flag, integer, number, secret, text, url } from '../fields.ts';
import { checkKeyFiles, keySource, otherKeyFiles } from './_key-source.ts';
import { makeLasting } from './_lasting.ts';
import { appendable } from './_signing.ts';
import { checkSignable, fieldToSign, lookOf } from './_signing-place.ts';

/** Fields that say how a signature looks. */
const LOOK = [
  'pageNumber',
  'x',
  'y',
  'width',
  'height',
  'signatureText',
  'signatureImage',
  'showLogo',
] as const;

const LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;

/** Levels whose signatures hold when nobody can be asked any more. */
const isLasting = (level: (typeof LEVELS)[number] | undefined): boolean =>
  level === 'B-LT' || level === 'B-LTA';

export default operation({
  summary: 'Sign with a certificate',
  description:
    'The signature is appended: earlier revisions, signatures and encryption stay. PAdES baseline B-B to B-LTA; ' +
    'SHA-256 or stronger; RSA keys of 2048 to 8192 bits, ECDSA on P-256, P-384 and P-521, and Ed25519. A ' +
    'damaged document is rewritten before it is signed. With fieldName an empty signature field of the document is ' +
    'signed where it stands; a name that no field has is that of a new one. certificationLevel makes the signature ' +
    'say what may become of the document; it must then be the first.',
  example: { certType: 'PKCS12', p12File: 'signer.p12', password: 'secret', reason: 'Approved' },
  inputs: {
    fileInput: file('pdf'),
    privateKeyFile: optionalFile('any', 'certType PEM: private key, PEM or DER; PKCS#1, PKCS#8 or SEC1'),
    certFile: optionalFile('any', 'certType PEM: certificate, PEM or DER; PEM may hold the chain'),
    p12File: optionalFile('any', 'certType PKCS12 or PFX: key store'),
    jksFile: optionalFile('any', 'certType JKS: key store, JKS or PKCS#12'),
    signatureImage: optionalFile(IMAGE_KINDS, 'A picture in the box, left of the text'),
  },
  params: {
    certType: choice('Key source', ['PEM', 'PKCS12', 'PFX', 'JKS', 'SERVER'], { required: true }),
    password: secret('Password of the key or key store; absent: none', { maxBytes: 40_000 }),
    alias: text('Entry of the key store; absent: the first with a private key', {}),
    fieldName: text('Signature field, by its full name; absent: a new one', { max: 255 }),
    certificationLevel: integer(
      'Certify the document: 1 nothing may be changed, 2 forms may be filled in and signed, 3 people may comment, too',
      { min: 1, max: 3 },
    ),
    showSignature: flag('Show a box with the signature on the page'),
    pageNumber: integer('Page of the box', {
      default: 1,
      min: 1,
      max: 1_000_000,
      reason: 'page_out_of_range',
    }),
    x: coordinateField('Left edge of the box, in points from the left edge of the page as displayed'),
    y: coordinateField('Lower edge of the box, in points from the lower edge of the page as displayed'),
    width: number('Width of the box in points', { default: 200, min: 10, max: 14_400 }),
    height: number('Height of the box in points', { default: 50, min: 10, max: 14_400 }),
    signatureText: text('Lines in the box; absent: who signed, when, why and where; empty: none', {
      max: 1000,
      emptyIsValue: true,
    }),
    showLogo: flag("Show the operator's logo in the box, if one is configured", { default: true }),
    name: text("Signer; absent: the certificate's common name", { max: 255 }),
    location: text('Where it was signed', { max: 255 }),
    reason: text('Why it was signed', { max: 255 }),
    signatureFormat: choice('pades: ETSI.CAdES.detached; pkcs7: adbe.pkcs7.detached', ['pades', 'pkcs7'], {
      default: 'pades',
    }),
    tsaUrl: url('RFC 3161 timestamp authority, a public http or https address', {}),
    level: choice(
      'PAdES level; absent: B-T with tsaUrl, else B-B. From B-T on tsaUrl is required. B-LT adds certificates and ' +
        'revocation data from the public addresses that the certificates name, B-LTA a document timestamp over all',
      LEVELS,
      {},
    ),
  },
  output: pdfFile('_signed'),
  uses: ['qpdf', 'signatures'],
  mayUse: ['text', 'sharp'],
  unused: ({ certType, showSignature, level }) => [
    ...otherKeyFiles(certType),
    ...(showSignature ? [] : LOOK),
    ...(level === 'B-B' ? (['tsaUrl'] as const) : []),
  ],
  asksAuthorities: ({ level }) => isLasting(level),
  check({ certType, level, tsaUrl, signatureFormat }, given) {
    checkKeyFiles(certType, given);
    if (level !== undefined && level !== 'B-B' && tsaUrl === undefined)
      throw invalidParameter(`tsaUrl is required for level ${level}.`);
    if (level !== undefined && signatureFormat !== 'pades')
      throw invalidParameter('level is of PAdES: signatureFormat must be pades.');
  },
  async run({ fileInput, signatureImage, ...keys }, params, { engine }) {
    const { reason, location, level, certificationLevel } = params;
    const tsaUrl = level === 'B-B' ? undefined : params.tsaUrl;
    const date = new Date();
    const { password = '', alias } = params;
    const { doc, content } = appendable(engine, fileInput);
    const field = fieldToSign(doc, params);
    const source = keySource(params.certType, keys);
    const identity = engine.signatures.identity(source, { password, alias, now: date });
    checkSignable(doc, field, params);
    const isPades = params.signatureFormat === 'pades';
    const name = params.name ?? identity.name;
    const revision = new RevisionDocument(doc);
    const words = { name, date, reason, location };
    const signature = addSignature(revision, {
      subFilter: isPades ? 'ETSI.CAdES.detached' : 'adbe.pkcs7.detached',
      ...words,
      field,
      look: params.showSignature
        ? await lookOf(engine, revision, field, { image: signatureImage, text: params.signatureText, words })
        : undefined,
      certification: certificationLevel as CertificationLevel | undefined,
    });
    const signingTime = isPades ? undefined : date;
    const options = { identity, signature, signingTime, tsaUrl };
    const signed = await engine.signatures.sign(revision, content, options);
    if (!isLasting(level)) return { content: signed };
    const lasting = { signature, proofs: true, tsaUrl: level === 'B-LTA' ? tsaUrl : undefined };
    return { content: await makeLasting(engine, fileInput, signed, lasting) };
  },
});
