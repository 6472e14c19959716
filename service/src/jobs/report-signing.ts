// Redaction reports are signed in the API process: workers, where hostile documents are opened, never see the key. What
// a worker states must have the form of a report's facts; who says so and when is added here.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { excessOf } from '../contract/bounded-json.ts';
import { canonicalJson } from '../contract/canonical-json.ts';
import { MIB } from '../contract/limits.ts';
import { Problem } from '../contract/problems.ts';
import { REPORT_FACTS, REPORT_TYPE, REPORT_VERSION } from '../contract/redaction-report.ts';
import type { EngineStates } from '../engines/engines.ts';

/** Facts as JSON. */
export const MOST_FACTS_BYTES = 4 * MIB;

export interface PublicReportKey {
  keyId: string;
  algorithm: 'Ed25519';
  /** SubjectPublicKeyInfo as PEM. */
  publicKey: string;
}

export class ReportSigner {
  readonly publicKey: PublicReportKey;
  private readonly key: KeyObject;
  private readonly version: string;

  /** `key` is a private Ed25519 key as PEM. */
  constructor(key: string, version: string) {
    this.key = createPrivateKey(key);
    this.version = version;
    const open = createPublicKey(this.key);
    this.publicKey = {
      keyId: createHash('sha256')
        .update(open.export({ type: 'spki', format: 'der' }))
        .digest('hex'),
      algorithm: 'Ed25519',
      publicKey: String(open.export({ type: 'spki', format: 'pem' })),
    };
  }

  /** The report as text; throws where the facts are none. */
  signed(facts: string, engines: EngineStates | undefined, now = new Date()): string {
    const bytes = Buffer.from(facts);
    const excess = bytes.length > MOST_FACTS_BYTES ? 'is too large' : excessOf(bytes);
    if (excess !== undefined) throw unsigned(`a report ${excess}`);
    const checked = REPORT_FACTS.safeParse(JSON.parse(facts));
    if (!checked.success) throw unsigned(checked.error);
    const report = {
      type: REPORT_TYPE,
      version: REPORT_VERSION,
      issuedAt: now.toISOString(),
      service: { name: 'bindery', version: this.version },
      engines: versionsOf(engines),
      ...checked.data,
    };
    const value = sign(null, Buffer.from(canonicalJson(report)), this.key).toString('base64');
    const signature = { algorithm: 'Ed25519', keyId: this.publicKey.keyId, value };
    return `${JSON.stringify({ ...report, signature }, null, 2)}\n`;
  }
}

const unsigned = (cause: unknown): Problem =>
  new Problem('internal', 'The redaction report could not be signed.', { cause });

/** Of those that take part in redaction and tell a version. */
const READERS = ['qpdf', 'pdfium', 'poppler', 'tesseract', 'sharp'] as const;

function versionsOf(engines: EngineStates | undefined): Record<string, string> {
  const told = READERS.flatMap((name) => {
    const { available, version } = engines?.[name] ?? { available: false };
    return available && version !== undefined ? [[name, version.slice(0, 200)] as const] : [];
  });
  return Object.fromEntries(told);
}
