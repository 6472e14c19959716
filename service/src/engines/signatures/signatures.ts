// The door to signatures: keys and certificates are read, documents signed, signatures judged. The mathematics is
// OpenSSL's, through node:crypto; formats are read here.
import type { Egress } from '../../contract/egress.ts';
import { openBytes } from '../../contract/file-bytes.ts';
import type { Content, InputFile } from '../../contract/files.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { RevocationMode } from '../../contract/revocation.ts';
import type { Ref } from '../../pdf/objects.ts';
import type { RevisionDocument } from '../../pdf/security/incremental-update.ts';
import type { ProofOfSignature } from '../../pdf/security/security-store.ts';
import type { DocumentSignature, SecurityStore } from '../../pdf/security/signature-fields.ts';
import { appendRevision, endOf } from './appending.ts';
import { type Certificate, readCertificates } from './certificate.ts';
import { type Identity, type IdentityOptions, type KeySource, readIdentity } from './identity.ts';
import { gatherProofs } from './lasting-proof.ts';
import type { SignatureReport } from './report.ts';
import { type SigningOptions, signRevision, timestampRevision } from './sign.ts';
import { bothOf, storeOf, systemTrust } from './trust-store.ts';
import { type SignedDocument, validateSignatures } from './validate.ts';

export interface Signatures {
  /** Who signs. Refusals are invalid_parameter and name the field of security/cert-sign. */
  identity(source: KeySource, options: IdentityOptions): Identity;
  /** Whether something can be appended to the file as it is. */
  canAppend(content: Content): boolean;
  /** The file with the revision appended and its signature made. */
  sign(revision: RevisionDocument, content: Content, options: SigningOptions): Promise<Content>;
  /** The file with a revision appended that has no signature. */
  append(revision: RevisionDocument, content: Content): Content;
  /** The file with the revision appended and its document timestamp made. */
  timestamp(
    revision: RevisionDocument,
    content: Content,
    options: { signature: Ref; tsaUrl: string },
  ): Promise<Content>;
  /** What these signatures are judged by, from the document and from those whom their certificates name. */
  gatherProofs(
    content: Content,
    signatures: readonly DocumentSignature[],
    store: SecurityStore,
  ): Promise<ProofOfSignature[]>;
  /** One report per signature; `anchor` is trusted beside the authorities of this machine. */
  validate(
    content: Content,
    document: Omit<SignedDocument, 'source'>,
    options: { anchor: InputFile | undefined; revocation: RevocationMode },
  ): Promise<SignatureReport[]>;
}

interface JobContext {
  passwords: readonly string[];
  newFile(extension: string): string;
  egress?: Egress | undefined;
}

export function createSignatures({ passwords, newFile, egress }: JobContext): Signatures {
  const context = { passwords, newFile, egress };
  return {
    identity: readIdentity,
    canAppend: (content) => endOf(content) !== undefined,
    sign: (revision, content, options) => signRevision(revision, content, options, context),
    append: (revision, content) => appendRevision(revision, content, context),
    timestamp: (revision, content, options) => timestampRevision(revision, content, options, context),
    gatherProofs: (content, signatures, store) => gatherProofs(content, signatures, store, egress),
    async validate(content, document, { anchor, revocation }) {
      if (revocation === 'fetch' && !egress)
        throw new Problem('url_fetch_failed', 'Nothing can be fetched here.');
      const added = anchor ? readAnchors(anchor) : [];
      const trust = bothOf(storeOf(added), systemTrust());
      const source = openBytes(content);
      try {
        return await validateSignatures(
          { source, ...document },
          trust,
          revocation === 'fetch' ? egress : undefined,
        );
      } finally {
        source.close();
      }
    },
  };
}

/** No bundle of certificates is larger. */
const MAX_ANCHOR_BYTES = 4 * 1024 * 1024;

function readAnchors(file: InputFile): Certificate[] {
  try {
    if (file.size > MAX_ANCHOR_BYTES) throw new RangeError('too large');
    return readCertificates(file.bytes());
  } catch {
    throw invalidParameter('certFile holds no readable X.509 certificate, PEM or DER.');
  }
}
