// Rules of signatures: what they cover, and what their data holds.
import { PdfString } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';
import { fields } from './interactive-objects.ts';
import type { Rule } from './rule.ts';
import { readSignedData, type SignedData } from './signed-data.ts';

export const SIGNATURE_RULES: readonly Rule[] = [
  {
    at: { 2: '6.4.3-1' },
    message: 'The byte range of a signature covers the whole file but the signature.',
    *find(subject) {
      for (const { range, where } of signatures(subject)) {
        const [start = -1, length = 0, next = 0, rest = 0] = range;
        const isGap = subject.bytes[length] === 0x3c && subject.bytes[next - 1] === 0x3e;
        if (start !== 0 || !isGap || !endsRevision(subject.bytes, next + rest)) yield where;
      }
    },
  },
  signedData(
    '6.4.3-2',
    "The signature holds the signer's certificate.",
    ({ certificates }) => certificates > 0,
  ),
  signedData('6.4.3-3', 'The signature has one signer.', ({ signers }) => signers === 1),
];

function signedData(at: string, message: string, fits: (data: SignedData) => boolean): Rule {
  return {
    at: { 2: at },
    message,
    *find(subject) {
      for (const { contents, where } of signatures(subject)) {
        const data = contents && readSignedData(contents);
        if (!data || !fits(data)) yield where;
      }
    },
  };
}

interface Signature {
  range: number[];
  contents: Uint8Array | undefined;
  where: string;
}

function* signatures(subject: Subject): Iterable<Signature> {
  const { doc } = subject;
  for (const { dict, where } of fields(subject)) {
    if (doc.name(dict.get('FT')) !== 'Sig') continue;
    const value = doc.dict(dict.get('V'));
    const range = doc.array(value?.get('ByteRange'));
    const contents = doc.resolve(value?.get('Contents'));
    if (!range) continue;
    yield {
      range: range.map((each) => doc.number(each) ?? 0),
      contents: contents instanceof PdfString ? contents.bytes : undefined,
      where,
    };
  }
}

/** Later revisions may follow; the signed one ends with its marker. */
function endsRevision(bytes: Uint8Array, end: number): boolean {
  if (end > bytes.length) return false;
  if (end >= bytes.length - 2) return true;
  return Buffer.from(bytes.subarray(Math.max(0, end - 10), end))
    .toString('latin1')
    .trimEnd()
    .endsWith('%%EOF');
}
