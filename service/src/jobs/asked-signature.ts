// The signature under a report, as a worker has it: it has no key, so it asks the API process.
import type { SignReport } from '../operations/define.ts';
import { Questions } from './questions.ts';

export class AskedSignature extends Questions<string> {
  of(jobId: string): SignReport {
    return (facts) =>
      this.ask((askId) => ({ kind: 'sign', jobId, askId, facts: JSON.stringify(facts) })).reply;
  }
}
