// A request becomes a plan: which operations run on which files, checked before anything runs.
// The only door from a caller's words (REST, MCP) to a job.
import { LIMITS } from '../contract/limits.ts';
import { append } from '../contract/maps.ts';
import { nearestName } from '../contract/nearest-name.ts';
import { invalidParameter, Problem } from '../contract/problems.ts';
import type { JobFile } from '../jobs/job.ts';
import { checkFileCount, checkValues } from './check.ts';
import { COMMON_FIELDS, isCommonField } from './common-fields.ts';
import type { AnyOperation } from './define.ts';
import type { Field } from './fields.ts';
import { OPERATIONS } from './index.generated.ts';
import { IGNORE_UNKNOWN, type OnUnknown, shown } from './unknown-names.ts';

/**
 * One part of a request, in the order sent. `<field>@upload` arrives as `uploadId` under the bare field name, and
 * `<field>@url` as `url`.
 */
export type Part =
  | { field: string; text: string }
  /** `perhapsText`: nothing but its field says that it is a file. */
  | { field: string; file: JobFile; perhapsText?: boolean }
  | { field: string; uploadId: string }
  | { field: string; url: string };

/** A file of a plan: at hand, an upload still to be claimed, or an address still to be fetched. */
export type PlannedFile = { file: JobFile } | { uploadId: string } | { url: string; field: string };

export interface PlannedStep {
  op: string;
  params: Record<string, unknown>;
  passwords: readonly string[];
  extraFiles: Record<string, PlannedFile[]>;
}

export interface Plan {
  pipeline: boolean;
  /** The same request is to give the same bytes. */
  reproducible: boolean;
  steps: readonly PlannedStep[];
  files: readonly PlannedFile[];
}

export const MAIN_INPUT = 'fileInput';

/** "The main file field is `fileInput`; `file` is an alias everywhere" (operations 1.2). */
export const inputName = (field: string): string => (field === 'file' ? MAIN_INPUT : field);

/** What the name of a file field ends in where the file itself is not sent. */
const ELSEWHERE = /@(?:upload|url)$/;

/** The file field that a name stands for: `fileInput` of `file@upload`. */
export const fileFieldOf = (sent: string): string => inputName(sent.replace(ELSEWHERE, ''));

/** The file that a part is or stands for. */
export function plannedFile(part: Exclude<Part, { text: string }>): PlannedFile {
  if ('file' in part) return { file: part.file };
  return 'url' in part ? { url: part.url, field: `${part.field}@url` } : { uploadId: part.uploadId };
}

/** Every name under which these operations take files. */
export const fileFieldsOf = (operations: readonly AnyOperation[]): ReadonlySet<string> =>
  new Set([...operations.flatMap(({ inputs }) => Object.keys(inputs)), 'file']);

export function planCall(path: string, parts: readonly Part[], onUnknown: OnUnknown = IGNORE_UNKNOWN): Plan {
  const op = OPERATIONS[path];
  if (!op) throw new Problem('not_found', `There is no operation ${path}.`);
  const unknown: string[] = [];
  try {
    return planOf(path, op, parts, (name, known) => {
      if (unknown.length < MOST_UNKNOWN_TOLD) unknown.push(name);
      onUnknown(name, known);
    });
  } catch (error) {
    throw withFields(withUnknown(error, [...new Set(unknown)], namesOf(op), parts), path, op);
  }
}

const MOST_UNKNOWN_TOLD = 3;
const MOST_FIELDS_TOLD = 24;

/** Whoever has one field wrong wants to know which there are. */
export function withFields(error: unknown, path: string, op: AnyOperation): unknown {
  if (!(error instanceof Problem) || error.reason !== 'invalid_parameter' || error.options.hint) return error;
  const names = Object.keys(op.params);
  if (names.length === 0) return error;
  const more = names.length > MOST_FIELDS_TOLD ? ` and ${names.length - MOST_FIELDS_TOLD} more` : '';
  const hint = `${path} takes ${names.slice(0, MOST_FIELDS_TOLD).join(', ')}${more}; /v1/openapi.json says what each means.`;
  return new Problem(error.reason, error.detail, { ...error.options, hint });
}

/** Mostly a path without its @ in curl, or an address. */
export const textForFile = (field: string, text: string): Problem =>
  invalidParameter(`${field} must be a file part, not text.`, {
    hint: /^https?:/i.test(text)
      ? `Send the address of a file as ${field}@url.`
      : `Send the bytes of the file; with curl, an @ before its path does: -F ${field}=@report.pdf.`,
  });

/** Where something is missing, a name that nothing reads is most likely it. */
function withUnknown(
  error: unknown,
  unknown: readonly string[],
  known: readonly string[],
  parts: readonly Part[],
): unknown {
  if (!(error instanceof Problem) || unknown.length === 0) return error;
  const missing = /^(\S+) is required\b(: send it as a file part)?/.exec(error.detail);
  if (!missing) return error;
  const isFile = (name: string): boolean => parts.some((part) => part.field === name && !('text' in part));
  const told = unknown.map((name) => {
    const near = nearestName(name, known) ?? (missing[2] && isFile(name) ? missing[1] : undefined);
    return near ? `${shown(name)} (did you mean ${near}?)` : shown(name);
  });
  const detail = `${error.detail} Of what was sent nothing reads ${told.join(', ')}.`;
  return new Problem(error.reason, detail, error.options);
}

function planOf(path: string, op: AnyOperation, parts: readonly Part[], onUnknown: OnUnknown): Plan {
  // Fields may be named like anything, `constructor` too: no object of ours must answer to such names.
  const files: Record<string, PlannedFile[]> = Object.create(null);
  const values = new Map<string, unknown[]>();
  for (const name of Object.keys(op.inputs)) files[name] = [];
  const known = namesOf(op);
  for (const part of withoutTextBesideFiles(parts, (name) => files[name] !== undefined)) {
    const input = files[inputName(part.field)];
    if (input && 'text' in part) {
      if (part.text === '') continue;
      throw textForFile(part.field, part.text);
    }
    if (input && !('text' in part)) input.push(plannedFile(part));
    else if ('uploadId' in part || 'url' in part || !readsText(op, part.field)) onUnknown(part.field, known);
    else append(values, part.field, 'text' in part ? part.text : jsonPartText(op, part));
  }
  const { params, passwords, reproducible } = checkValues(op, values);
  dropUnused(op, files, params);
  checkFiles(op, files, params);
  const { [MAIN_INPUT]: main = [], ...extraFiles } = files;
  const steps = [{ op: path, params, passwords, extraFiles }];
  return { pipeline: false, reproducible, files: main, steps };
}

/**
 * "A text part under a file field beside a file (or upload) for that field is ignored" (operations 1.2). So is an empty
 * file beside an upload or an address: clients made from the description cannot leave out a file that it requires.
 */
export function withoutTextBesideFiles(parts: readonly Part[], isFile: (name: string) => boolean): Part[] {
  const isText = (part: Part): boolean => 'text' in part || ('file' in part && part.perhapsText === true);
  const namesOf = (chosen: readonly Part[]) => new Set(chosen.map(({ field }) => inputName(field)));
  const filled = namesOf(parts.filter((part) => !isText(part)));
  const elsewhere = namesOf(parts.filter((part) => 'uploadId' in part || 'url' in part));
  return parts.filter((part) => {
    const name = inputName(part.field);
    if (!isFile(name)) return true;
    if (isText(part)) return !filled.has(name);
    return !('file' in part && part.file.size === 0 && elsewhere.has(name));
  });
}

const fieldOf = (op: AnyOperation, name: string): Field | undefined =>
  (Object.hasOwn(op.params, name) ? (op.params as Record<string, Field>)[name] : undefined) ??
  Object.values(op.params as Record<string, Field>).find((field) => field.aliases.includes(name));

const hasField = (op: AnyOperation, name: string): boolean => fieldOf(op, name) !== undefined;

/** Names by which the fields of an operation go; `inputPassword` (operations 1.3) and a few more are common to all. */
export const paramNamesOf = (op: AnyOperation): string[] => [
  ...Object.entries(op.params as Record<string, Field>).flatMap(([name, { aliases }]) => [name, ...aliases]),
  'inputPassword',
  ...Object.keys(COMMON_FIELDS),
];

const namesOf = (op: AnyOperation): string[] => [...Object.keys(op.inputs), ...paramNamesOf(op)];

/** The name that a field is declared under, of whatever was sent: an alias, or an upload or address in place of a file. */
export function declaredName(op: AnyOperation, sent: string): string {
  const name = fileFieldOf(sent);
  if (Object.hasOwn(op.inputs, name)) return name;
  const params = Object.entries(op.params as Record<string, Field>);
  return params.find(([, { aliases }]) => aliases.includes(sent))?.[0] ?? sent;
}

/** Whether an operation has a parameter of this name, its files apart. */
export function isParam(op: AnyOperation, name: string): boolean {
  if (name === 'inputPassword' || isCommonField(name) || hasField(op, name)) return true;
  const bracket = name.endsWith(']') ? name.indexOf('[') : -1;
  return bracket > 0 && (fieldOf(op, name.slice(0, bracket))?.bracketed ?? false);
}

/** Whether an operation looks at text under this name; if only to say that it should be a file. */
export const readsText = (op: AnyOperation, name: string): boolean =>
  Object.hasOwn(op.inputs, inputName(name)) || isParam(op, name);

/** "json: JSON text, or a part of type application/json" (operations 1.2): such a part may come as a file. */
function jsonPartText(op: AnyOperation, part: { field: string; file: JobFile }): string {
  if (fieldOf(op, part.field)?.kind !== 'json') {
    throw invalidParameter(`${part.field} must be text, not a file part.`);
  }
  return smallText(part.field, part.file);
}

export function smallText(field: string, file: JobFile): string {
  if (!('chunks' in file.content) || file.size > LIMITS.jsonBytes) {
    throw invalidParameter(`${field} must be JSON of at most ${LIMITS.jsonBytes} bytes.`);
  }
  return Buffer.concat(file.content.chunks).toString('utf8');
}

/** Files that the chosen mode does not use are not even looked at. */
export function dropUnused(
  op: AnyOperation,
  files: Record<string, PlannedFile[]>,
  params: Record<string, unknown>,
): void {
  for (const name of op.unused?.(params) ?? []) if (files[String(name)]) files[String(name)] = [];
}

function checkFiles(
  op: AnyOperation,
  files: Record<string, PlannedFile[]>,
  params: Record<string, unknown>,
): void {
  const counts: Record<string, number> = {};
  for (const [name, list] of Object.entries(files)) {
    checkFileCount(op, name, list.length);
    counts[name] = list.length;
  }
  op.check?.(params, counts);
}
