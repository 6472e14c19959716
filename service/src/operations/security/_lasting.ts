// Signatures that can be judged when nobody can be asked any more (PAdES B-LT and B-LTA).
import type { Content, InputFile } from '../../contract/files.ts';
import type { Engines } from '../../engines/engines.ts';
import type { Ref } from '../../pdf/objects.ts';
import { RevisionDocument } from '../../pdf/security/incremental-update.ts';
import { addToSecurityStore } from '../../pdf/security/security-store.ts';
import { addSignature } from '../../pdf/security/signature-adding.ts';
import { readSecurityStore, readSignatures } from '../../pdf/security/signature-fields.ts';

type Engine = Pick<Engines, 'qpdf' | 'signatures'>;

interface Lasting {
  /** The dictionary of the signature to be proven; absent: each there is. */
  signature?: Ref;
  /** Proofs are to be gathered and put in. */
  proofs: boolean;
  /** Whose timestamp goes over all; absent: none. */
  tsaUrl?: string | undefined;
}

/** Appends proofs, a document timestamp, or both in one revision. */
export async function makeLasting(
  engine: Engine,
  file: InputFile,
  content: Content,
  { signature, proofs, tsaUrl }: Lasting,
): Promise<Content> {
  const doc = engine.qpdf.open(file.with(content));
  const revision = new RevisionDocument(doc);
  if (proofs) {
    const all = readSignatures(doc);
    const wanted = signature ? all.filter(({ holder }) => holder?.key === signature.key) : all;
    const gathered = await engine.signatures.gatherProofs(content, wanted, readSecurityStore(doc));
    addToSecurityStore(revision, gathered, new Date());
  }
  if (tsaUrl === undefined) return engine.signatures.append(revision, content);
  const [page] = doc.pages();
  if (!page) throw new TypeError('a document without pages was opened');
  const stamp = addSignature(revision, { subFilter: 'ETSI.RFC3161', field: { page } });
  return engine.signatures.timestamp(revision, content, { signature: stamp, tsaUrl });
}
