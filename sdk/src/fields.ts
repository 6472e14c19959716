// Values of a caller as the text of form fields.
import type { TextPart } from './calls.ts';
import type { OperationRow } from './operations.generated.ts';

/** What is undefined or null is not sent: the service's default holds. */
export function textParts(fields: OperationRow['fields'], params: Record<string, unknown>): TextPart[] {
  return Object.entries(params).flatMap(([name, value]): TextPart[] => {
    if (value === undefined || value === null) return [];
    if (fields[name] === 'json') return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
    if (fields[name] === 'pages') return [[name, [value].flat().join(',')]];
    return [value].flat().map((item): TextPart => [name, textOf(item)]);
  });
}

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
