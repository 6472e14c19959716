// Faults of a file's structure in our own words: what a parser says of them is for the log.

const KINDS: readonly [RegExp, string][] = [
  [/xref|cross-reference|startxref|trailer|reconstruct/i, 'The cross-reference table or trailer is damaged.'],
  [/page tree|\/Pages|\/Kids/i, 'The page tree is damaged.'],
  [/stream|decod|inflate|zlib|filter/i, 'The data of a stream is damaged or has a wrong length.'],
  [/header|version/i, 'The header of the file is damaged.'],
  [
    /endobj|expected|unexpected|unknown token|invalid|dictionary|object/i,
    'An object is not written as it should be.',
  ],
  [/linear/i, 'The linearization data is wrong.'],
];

/** What is only said beside the fault itself. */
const CONSEQUENCES = /file is damaged$|Attempting to /;

/** Each kind once, with how often it was met. */
export function structureFaults(messages: readonly string[]): string[] {
  const found = new Map<string, number>();
  for (const message of messages.filter((each) => !CONSEQUENCES.test(each))) {
    const sentence =
      KINDS.find(([pattern]) => pattern.test(message))?.[1] ?? 'A part of the file is damaged.';
    found.set(sentence, (found.get(sentence) ?? 0) + 1);
  }
  return [...found].map(([sentence, times]) => (times > 1 ? `${sentence} (${times} times)` : sentence));
}
