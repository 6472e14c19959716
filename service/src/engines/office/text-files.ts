// Text and tables in plain files, as LibreOffice is told to read them: nothing is left to guess.
import type { PropertyValues } from './urp-coding.ts';

/** The text in UTF-8, whatever it came in. */
export function plainText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode('utf-16le', bytes.subarray(2));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode('utf-16be', bytes.subarray(2));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decode('windows-1252', bytes);
  }
}

const decode = (encoding: string, bytes: Uint8Array): string => new TextDecoder(encoding).decode(bytes);

export const TEXT_OPTIONS: PropertyValues = {
  FilterName: 'Text (encoded)',
  FilterOptions: 'UTF8,LF,,en-US',
};

const SEPARATORS = [',', ';', '\t', '|'];
const QUOTE = '"';
const UTF_8 = 76;
const ENGLISH = 1033;
const AS_TEXT = 2;
const MOST_COLUMNS = 1024;
/** As much of a file as shows how it separates. */
const SAMPLE_CHARACTERS = 64 * 1024;

/** Cells are shown as they are written: 007 stays 007, a long number is not rounded, a date not rewritten. */
export function csvOptions(text: string): PropertyValues {
  const separator = separatorOf(text.slice(0, SAMPLE_CHARACTERS));
  const columns = columnCounts(text, separator).reduce(
    (most, count) => Math.max(most, Math.min(count, MOST_COLUMNS)),
    1,
  );
  const formats = Array.from({ length: columns }, (_, index) => `${index + 1}/${AS_TEXT}`).join('/');
  return {
    FilterName: 'Text - txt - csv (StarCalc)',
    FilterOptions: [
      separator.charCodeAt(0),
      QUOTE.charCodeAt(0),
      UTF_8,
      1,
      formats,
      ENGLISH,
      true,
      false,
    ].join(','),
  };
}

/** The one that gives most lines the same number of columns, above one. */
function separatorOf(sample: string): string {
  const scores = SEPARATORS.map((separator) => {
    const counts = columnCounts(sample, separator);
    const usual = counts[0] ?? 0;
    return usual > 1 ? counts.filter((count) => count === usual).length / counts.length + usual / 1e6 : 0;
  });
  const best = Math.max(...scores);
  return SEPARATORS[scores.indexOf(best)] ?? ',';
}

function columnCounts(text: string, separator: string): number[] {
  const counts: number[] = [];
  let columns = 1;
  let isQuoted = false;
  let isEmpty = true;
  for (const character of text) {
    if (character === '\n' && !isQuoted) {
      if (!isEmpty) counts.push(columns);
      columns = 1;
      isEmpty = true;
      continue;
    }
    isEmpty = false;
    if (character === QUOTE) isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) columns += 1;
  }
  if (!isEmpty || counts.length === 0) counts.push(columns);
  return counts;
}
