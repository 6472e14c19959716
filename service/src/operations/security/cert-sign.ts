import { Problem } from '../../contract/problems.ts';
import { RevisionDocument } from '../../pdf/security/revision.ts';
import { addSignature } from '../../pdf/security/signature-adding.ts';
import { forbidsChanges } from '../../pdf/security/signature-fields.ts';
import { file, operation, optionalFile, pdfFile } from '../define.ts';
import { choice, flag, integer, secret, text, url } from '../fields.ts';
import { checkKeyFiles, keySource, otherKeyFiles } from './_key-source.ts';
import { appendable, layOutBox } from './_signing.ts';

export default operation({
  summary: 'Sign with a certificate',
  description:
    'The signature is appended: earlier revisions, signatures and encryption stay. PAdES baseline B-B, or B-T with ' +
    'tsaUrl; SHA-256 or stronger; RSA keys of 2048 to 8192 bits and ECDSA on P-256, P-384 and P-521. A damaged ' +
    'document is rewritten before it is signed.',
  inputs: {
    fileInput: file('pdf'),
    privateKeyFile: optionalFile('any', 'certType PEM: private key, PEM or DER; PKCS#1, PKCS#8 or SEC1'),
    certFile: optionalFile('any', 'certType PEM: certificate, PEM or DER; PEM may hold the chain'),
    p12File: optionalFile('any', 'certType PKCS12 or PFX: key store'),
    jksFile: optionalFile('any', 'certType JKS: key store, JKS or PKCS#12'),
  },
  params: {
    certType: choice('Key source', ['PEM', 'PKCS12', 'PFX', 'JKS', 'SERVER'], { required: true }),
    password: secret('Password of the key or key store; absent: none', { maxBytes: 40_000 }),
    alias: text('Entry of the key store; absent: the first with a private key', {}),
    showSignature: flag('Show a box of 200 × 50 pt at the lower-left of the page', { default: false }),
    pageNumber: integer('Page of the box', {
      default: 1,
      min: 1,
      max: 1_000_000,
      reason: 'page_out_of_range',
    }),
    showLogo: flag("Show the operator's logo in the box, if one is configured", { default: true }),
    name: text("Signer; absent: the certificate's common name", { max: 255 }),
    location: text('Where it was signed', { max: 255 }),
    reason: text('Why it was signed', { max: 255 }),
    signatureFormat: choice('pades: ETSI.CAdES.detached; pkcs7: adbe.pkcs7.detached', ['pades', 'pkcs7'], {
      default: 'pades',
    }),
    tsaUrl: url('RFC 3161 timestamp authority, a public http or https address', {}),
  },
  output: pdfFile('_signed'),
  uses: ['qpdf', 'signatures'],
  mayUse: ['text'],
  unused: ({ certType, showSignature }) => [
    ...otherKeyFiles(certType),
    ...(showSignature ? [] : (['pageNumber', 'showLogo'] as const)),
  ],
  check: ({ certType }, given) => checkKeyFiles(certType, given),
  async run({ fileInput, ...keys }, params, { engine }) {
    const { showSignature, pageNumber, reason, location, tsaUrl } = params;
    const date = new Date();
    const { password = '', alias } = params;
    const { doc, content } = appendable(engine, fileInput);
    const page = doc.pages()[showSignature ? pageNumber - 1 : 0];
    if (!page)
      throw new Problem(
        'page_out_of_range',
        `pageNumber ${pageNumber}: the document has ${doc.pageCount} pages.`,
      );
    const identity = engine.signatures.identity(keySource(params.certType, keys), {
      password,
      alias,
      now: date,
    });
    if (forbidsChanges(doc))
      throw new Problem(
        'invalid_parameter',
        'fileInput is certified, and its certification forbids changes.',
      );
    const isPades = params.signatureFormat === 'pades';
    const name = params.name ?? identity.name;
    const revision = new RevisionDocument(doc);
    const signature = addSignature(revision, {
      subFilter: isPades ? 'ETSI.CAdES.detached' : 'adbe.pkcs7.detached',
      date,
      name,
      reason,
      location,
      page,
      look: showSignature ? layOutBox(engine.text, { name, date, reason, location }) : undefined,
    });
    const signingTime = isPades ? undefined : date;
    return {
      content: await engine.signatures.sign(revision, content, { identity, signature, signingTime, tsaUrl }),
    };
  },
});
