// The pipeline as clients of another PDF service send it: `json` with the operations under `pipeline`, beside the files.
import { excessOf } from '../contract/bounded-json.ts';
import { LIMITS } from '../contract/limits.ts';
import { invalidParameter } from '../contract/problems.ts';
import { type Part, smallText } from './plan.ts';

export const HANDLE_DATA_FIELD = 'json';
const EXPECTED = 'json must be a JSON object with pipeline, a list of operations and their parameters.';

/** The same request as `POST /api/v1/pipeline` takes it. */
export function asPipelineParts(parts: readonly Part[]): Part[] {
  return parts.map((part) => {
    if (part.field !== HANDLE_DATA_FIELD || 'uploadId' in part || 'url' in part) return part;
    const text = 'text' in part ? part.text : smallText(part.field, part.file);
    return { field: 'steps', text: JSON.stringify(stepsIn(text)) };
  });
}

function stepsIn(text: string): unknown[] {
  const bytes = Buffer.from(text);
  const excess = bytes.length > LIMITS.jsonBytes ? 'is too long' : excessOf(bytes, LIMITS.jsonDepth);
  if (excess !== undefined) throw invalidParameter(`json ${excess}.`);
  const { pipeline } = parsed(text);
  if (!Array.isArray(pipeline)) throw invalidParameter(EXPECTED);
  return pipeline.map((step: unknown) => {
    const { operation, parameters } = (step ?? {}) as { operation?: unknown; parameters?: unknown };
    // Its page writes there where the file comes from: from the step before, as ever.
    const { fileInput: _from, ...params } = (parameters ?? {}) as Record<string, unknown>;
    return { op: operation, params };
  });
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw invalidParameter(EXPECTED);
}
