// An operation with its files and fields as a call.
import type { Call } from './calls.ts';
import { textParts } from './fields.ts';
import { requireKnownFiles, requireKnownNames } from './names.ts';
import { OPERATIONS, type OperationRow } from './operations.generated.ts';
import type { FileSource } from './types.ts';

export const listOf = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? value : [value as T];

export function operationCall(
  path: string,
  files: Record<string, FileSource | readonly FileSource[]>,
  params: Record<string, unknown>,
): Call {
  const row = (OPERATIONS as Readonly<Record<string, OperationRow>>)[path];
  requireKnownNames(path, row, params);
  requireKnownFiles(path, row, files);
  const fileFields = row?.files ?? [];
  const given: Record<string, unknown> = { ...files };
  for (const field of fileFields) if (params[field] !== undefined) given[field] = params[field];
  const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !fileFields.includes(name)));
  const parts = Object.entries(given).flatMap(([part, sources]) =>
    listOf(sources as FileSource | readonly FileSource[])
      .filter((source) => source !== undefined && source !== null)
      .map((source) => ({ part, source })),
  );
  const types = row === undefined ? {} : { types: row.types };
  return { path, files: parts, ...types, fields: () => textParts(row?.fields ?? {}, rest) };
}
