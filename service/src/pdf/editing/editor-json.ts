// The JSON of an editor as it comes back: larger than a field may be, and as little to be trusted.

import { excessOf } from '../../contract/bounded-json.ts';
import { MIB } from '../../contract/limits.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';

const MAX_BYTES = 128 * MIB;
const MAX_LEVELS = 64;
/** A page of a dense document has some thousand strings of fifty values each. */
const MAX_VALUES = 20_000_000;

export function readEditorJson(file: { name: string; size: number; bytes(): Uint8Array }): unknown {
  const refuse = (fault: string): never => {
    throw invalidParameter(`editorJson ${fault}.`, {
      hint: 'Send the JSON of convert/pdf/text-editor, made with lightweight=true.',
    });
  };
  if (file.size > MAX_BYTES) return refuse(`is larger than ${MAX_BYTES / MIB} MiB`);
  const bytes = file.bytes();
  const excess = excessOf(bytes, MAX_LEVELS, { values: MAX_VALUES, names: MAX_VALUES });
  if (excess !== undefined) return refuse(excess);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Problem(
      'unsupported_file_type',
      `${file.name} is not of a type this operation takes: JSON, in UTF-8.`,
    );
  }
}
