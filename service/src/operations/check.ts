// Values of fields, from a caller's words to what `run` receives. Rules of operations 1.2.
import type { core } from 'zod';
import { NOT_JSON, readJson } from '../contract/bounded-json.ts';
import { invalidParameter, Problem } from '../contract/problems.ts';
import { COMMON_FIELDS } from './common-fields.ts';
import type { AnyOperation } from './define.ts';
import { type Field, secret } from './fields.ts';

/** What was sent for each name: form text, or JSON values in a pipeline. */
export type GivenValues = ReadonlyMap<string, readonly unknown[]>;

const INPUT_PASSWORD = secret('Opens encrypted PDFs; may be repeated for several files', {});

export interface CheckedValues {
  params: Record<string, unknown>;
  passwords: string[];
  reproducible: boolean;
}

export function checkValues(op: AnyOperation, given: GivenValues): CheckedValues {
  const params: Record<string, unknown> = {};
  const refused = new Map<string, unknown>();
  for (const [name, field] of Object.entries(op.params as Record<string, Field>)) {
    try {
      params[name] = checkField(name, field, gather(name, field, given));
    } catch (error) {
      params[name] = field.default;
      refused.set(name, error);
    }
  }
  // Operations 1.2: "fields the chosen mode does not use, are ignored", whatever they hold.
  if (refused.size > 0) for (const name of op.unused?.(params) ?? []) refused.delete(String(name));
  for (const error of refused.values()) throw error;
  return { params, passwords: inputPasswords(given), reproducible: asksReproducible(given) };
}

/** Common field of every operation that takes a PDF (operations 1.3): repeated, never split at commas. */
export function inputPasswords(given: GivenValues): string[] {
  return (given.get('inputPassword') ?? [])
    .flat()
    .filter((value) => value !== '' && value !== null)
    .map((value) => checkField('inputPassword', INPUT_PASSWORD, [value]) as string);
}

/** Common field of every operation and of the pipeline. */
export function asksReproducible(given: GivenValues): boolean {
  const field = COMMON_FIELDS.reproducible;
  return checkField('reproducible', field, gather('reproducible', field, given)) as boolean;
}

function gather(name: string, field: Field, given: GivenValues): unknown[] {
  const values = [name, ...field.aliases].flatMap((key) => given.get(key) ?? []);
  const present = values.filter((value) => value !== null && (field.emptyIsValue || !isBlank(value, field)));
  return field.bracketed ? gatherBrackets(name, field, present, given) : present;
}

/** An empty list of pages is as empty as its text. */
const isBlank = (value: unknown, { kind }: Field): boolean =>
  typeof value === 'string'
    ? value.trim() === ''
    : kind === 'pages' && Array.isArray(value) && value.length === 0;

/** `name[key]` fields make one object, on top of what the field itself says. */
function gatherBrackets(name: string, field: Field, values: unknown[], given: GivenValues): unknown[] {
  const entries: [string, unknown][] = [];
  for (const [key, texts] of given) {
    const inner =
      key.startsWith(`${name}[`) && key.endsWith(']') ? key.slice(name.length + 1, -1) : undefined;
    if (inner !== undefined) for (const text of texts) entries.push([inner, text]);
  }
  if (entries.length === 0) return values;
  const base = values.map((value) => (typeof value === 'string' ? field.fromText(value) : value));
  return [Object.assign(Object.create(null), ...base, Object.fromEntries(entries))];
}

function checkField(name: string, field: Field, values: readonly unknown[]): unknown {
  if (values.length === 0) {
    if (field.required) throw invalidParameter(`${name} is required: ${field.expects}.`);
    return field.default;
  }
  if (values.length > 1 && !field.repeatable) {
    throw invalidParameter(`${name} was sent ${values.length} times; send it once.`);
  }
  const value = field.repeatable ? values.flatMap((each) => read(field, each)) : read(field, values[0]);
  const parsed = field.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusal(name, field, parsed.error.issues[0], values[0]);
}

function read(field: Field, value: unknown): unknown {
  if (typeof value === 'string') return field.fromText(value);
  // Operations 9.2: "an array for a pages field is joined by commas"; REST's text forms are accepted too.
  if (field.kind === 'pages') return Array.isArray(value) ? value.join(',') : String(value);
  if (field.kind === 'list' && Array.isArray(value)) return readList(field, value);
  if (field.kind === 'list') return [value];
  // A number is as good as its text where text, a colour, a size or yes and no is asked for.
  if (typeof value === 'number' && ['text', 'colour', 'size', 'flag'].includes(field.kind)) {
    return field.fromText(String(value));
  }
  return value;
}

/** As much of a list as is needed to see that it is too long. */
function readList(
  { fromText, most = Number.POSITIVE_INFINITY }: Field,
  given: readonly unknown[],
): unknown[] {
  const values: unknown[] = [];
  for (const each of given) {
    if (values.length > most) break;
    if (typeof each === 'string') values.push(...(fromText(each) as unknown[]));
    else values.push(each);
  }
  return values;
}

function refusal(name: string, field: Field, issue: core.$ZodIssue | undefined, sent: unknown): Problem {
  if (field.kind === 'pages') return new Problem(field.reason, `${name}: ${issue?.message ?? field.expects}`);
  // Operations 1.2: "a value outside its type or bounds: 400 invalid_parameter"; only its kind makes an address forbidden.
  if (field.kind === 'url' && issue?.code === 'too_big')
    return invalidParameter(`${name} must be ${field.expects}.`);
  if (field.kind === 'json' && typeof sent === 'string') {
    const read = readJson(sent);
    if ('fault' in read)
      return new Problem(field.reason, `${name} must be ${field.expects}; it ${read.fault}.`, {
        ...(read.fault === NOT_JSON && { hint: QUOTING }),
      });
  }
  const place = field.kind === 'json' ? pathText(issue?.path ?? []) : '';
  if (place)
    return new Problem(field.reason, `${name}${place} is not valid: ${name} must be ${field.expects}.`);
  return new Problem(field.reason, `${name} must be ${field.expects}${shown(field, sent)}.`);
}

const QUOTING = `JSON has names and text in double quotes; in a shell, single quotes around it keep them: -F 'name={"a":"b"}'.`;

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');

function shown(field: Field, sent: unknown): string {
  // Addresses may carry passwords.
  if (field.kind === 'secret' || field.kind === 'json' || field.kind === 'url') return '';
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  if (text === undefined || text.length > 60) return '';
  return `; got ${JSON.stringify(text)}`;
}

/** How a file that is missing can be sent. Of a step: operations 9.3, "Extra files". */
const WAYS = {
  form: (name: string) =>
    `send it as a file part, or send ${name}@upload with the id of a completed upload, or ${name}@url with its address`,
  step: (name: string) =>
    `give params ${name}@part, the name of an extra file part, or ${name}@upload, the id of a completed upload, or ${name}@url, its address`,
} as const;

/** Files of one input: how many there may be. */
export function checkFileCount(
  op: AnyOperation,
  name: string,
  count: number,
  way: keyof typeof WAYS = 'form',
): void {
  const input = op.inputs[name];
  if (!input) return;
  if (input.required && count === 0) {
    const hint = `With curl, an @ before a path sends the file: -F ${name}=@report.pdf.`;
    throw invalidParameter(`${name} is required: ${WAYS[way](name)}.`, way === 'form' ? { hint } : {});
  }
  if (!input.many && count > 1) {
    throw invalidParameter(`${name} takes one file; ${count} were sent.`, {
      hint: 'Send a call for each file, or all of them to /api/v1/batch; general/merge-pdfs makes one document of many.',
    });
  }
  if (count > input.max || count < input.min) {
    throw invalidParameter(`${name} takes ${input.min} to ${input.max} files; ${count} were sent.`);
  }
}
