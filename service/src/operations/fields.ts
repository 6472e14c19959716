// The closed vocabulary of operation fields. Each face (REST, OpenAPI, SDK, CLI, web form) holds one table over their
// kinds.
import { z } from 'zod';
import { NOT_JSON, readJson } from '../contract/bounded-json.ts';
import { listOf } from '../contract/bounded-schema.ts';
import { LIMITS } from '../contract/limits.ts';
import { type Common, type Field, field, type Presence, type Present } from './field.ts';

export type { Field, FieldKind, ValueOf, Values } from './field.ts';
export { colour, pages, size, sizeFromText, url } from './formed-fields.ts';

const characters = (text: string): number => [...text].length;

interface TextOptions extends Common {
  min?: number;
  max?: number;
  maxBytes?: number;
  pattern?: RegExp;
  /** For what a pattern cannot tell. */
  accepts?: (text: string) => boolean;
  expects?: string;
  emptyIsValue?: boolean;
}

export function text<P extends Presence<string>>(
  description: string,
  options: P & TextOptions,
): Present<string, P> {
  const { min = 0, max = LIMITS.textCharacters, maxBytes, pattern, accepts } = options;
  // Nothing looks at text that is too long already.
  let schema = z
    .string()
    .min(min)
    .max(max * 2, { abort: true });
  if (pattern) schema = schema.regex(pattern);
  const bounded = schema
    .refine(
      (value) => characters(value) <= max && (maxBytes === undefined || Buffer.byteLength(value) <= maxBytes),
    )
    .refine((value) => accepts === undefined || accepts(value))
    .meta({ maxLength: max });
  const expects =
    options.expects ??
    `text of ${min > 0 ? `${min} to ` : 'at most '}${max} characters${maxBytes ? ` and ${maxBytes} bytes` : ''}`;
  return field<string, P>(
    {
      kind: 'text',
      description,
      schema: bounded,
      expects,
      fromText: (t) => t,
      emptyIsValue: options.emptyIsValue ?? false,
    },
    options,
  );
}

/** A password: never logged, never echoed in a problem. */
export function secret<P extends Presence<string>>(
  description: string,
  options: P & Common & { maxBytes?: number; repeatable?: false },
): Present<string, P> {
  const maxBytes = options.maxBytes ?? LIMITS.passwordBytes;
  const schema = z
    .string()
    .refine((value) => Buffer.byteLength(value) <= maxBytes && !value.includes('\0'))
    .meta({ format: 'password' });
  const expects = `text of at most ${maxBytes} bytes`;
  return field<string, P>({ kind: 'secret', description, schema, expects, fromText: (t) => t }, options);
}

interface NumberOptions extends Common {
  min: number;
  max: number;
}

const PLAIN_DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const PLAIN_INTEGER = /^[+-]?\d+$/;

export function integer<P extends Presence<number>>(
  description: string,
  options: P & NumberOptions & { multipleOf?: number; oneOf?: readonly number[] },
): Present<number, P> {
  const { min, max, multipleOf, oneOf } = options;
  let schema = z.int().min(min).max(max);
  if (multipleOf) schema = schema.multipleOf(multipleOf);
  const allowed = oneOf ? schema.refine((value) => oneOf.includes(value)).meta({ enum: [...oneOf] }) : schema;
  const expects = oneOf
    ? `one of ${oneOf.join(', ')}`
    : `a whole number from ${min} to ${max}${multipleOf ? `, a multiple of ${multipleOf}` : ''}`;
  const fromText = (t: string) => (PLAIN_INTEGER.test(t.trim()) ? Number(t) : t);
  return field<number, P>({ kind: 'integer', description, schema: allowed, expects, fromText }, options);
}

export function number<P extends Presence<number>>(
  description: string,
  options: P & NumberOptions & { above?: number },
): Present<number, P> {
  const { min, max, above } = options;
  const bounded = z.number().min(min).max(max);
  const schema = above === undefined ? bounded : bounded.gt(above);
  const expects =
    above === undefined ? `a number from ${min} to ${max}` : `a number above ${above}, at most ${max}`;
  const fromText = (t: string) => (PLAIN_DECIMAL.test(t.trim()) ? Number(t) : t);
  return field<number, P>({ kind: 'number', description, schema, expects, fromText }, options);
}

const TRUE = new Set(['true', 'on', 'yes', '1']);
const FALSE = new Set(['false', 'off', 'no', '0']);

/** Off unless `default` says otherwise: a flag that was not sent always has a value. */
export function flag(description: string, options: Common & { default?: boolean } = {}): Field<boolean> {
  const fromText = (t: string) => {
    const word = t.trim().toLowerCase();
    return TRUE.has(word) ? true : FALSE.has(word) ? false : t;
  };
  return field(
    { kind: 'flag', description, schema: z.boolean(), expects: 'true or false', fromText },
    { default: false, ...options },
  );
}

export function choice<const V extends readonly [string, ...string[]], P extends Presence<V[number]>>(
  description: string,
  values: V,
  options: P & Common & { emptyIsValue?: boolean; otherNames?: Readonly<Record<string, V[number]>> },
): Present<V[number], P> {
  // "enum and bool values: any letter case" (operations 1.2).
  const otherNames = Object.entries(options.otherNames ?? {});
  const byLower = new Map<string, V[number]>([
    ...otherNames.map(([other, value]): [string, V[number]] => [other.toLowerCase(), value]),
    ...values.map((value): [string, V[number]] => [value.toLowerCase(), value]),
  ]);
  const also = otherNames.map(([other, value]) => `${other} is another word for ${value}`).join('; ');
  const fromText = (t: string) => byLower.get(t.trim().toLowerCase()) ?? t;
  return field<V[number], P>(
    {
      kind: 'choice',
      description: also ? `${description}; ${also}` : description,
      schema: z.enum(values),
      expects: `one of ${values.join(', ')}`,
      fromText,
    },
    options,
  );
}

/** Repeated field or comma separated; `split: false` for values that may hold commas, `lines` for one on each line. */
export function list<T, P extends Presence<T[]>>(
  description: string,
  item: Field<T>,
  options: P & Common & { min?: number; max: number; split?: boolean | 'lines' },
): Present<T[], P> {
  const { min = 0, max, split = true } = options;
  const fromText = (t: string) =>
    partsOf(t, split, max + 1).map((part) => item.fromText(split === true ? part.trim() : part));
  const schema = listOf(item.schema, { min, max });
  const expects = `a list of ${min > 0 ? `${min} to ` : 'at most '}${max} values, each ${item.expects}`;
  return field<T[], P>(
    { kind: 'list', description, schema, expects, fromText, repeatable: true, most: max },
    options,
  );
}

export function json<S extends z.ZodType, P extends Presence<z.output<S>>>(
  description: string,
  schema: S,
  options: P & Common & { expects: string; bracketed?: boolean; plainText?: boolean },
): Present<z.output<S>, P> {
  const fromText = (t: string): unknown => {
    const read = readJson(t);
    if ('value' in read) return read.value;
    // `plainText`: one plain name is as good as JSON (form/delete-fields).
    return options.plainText && read.fault === NOT_JSON ? t : undefined;
  };
  return field<z.output<S>, P>(
    {
      kind: 'json',
      description,
      schema,
      expects: options.expects,
      fromText,
      bracketed: options.bracketed ?? false,
    },
    options,
  );
}

/** What stands between commas or line ends and is not blank: at most so many, however many there are. */
function partsOf(text: string, split: boolean | 'lines', most: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length && parts.length < most; at += 1) {
    if (at < text.length && !endsPart(text.charCodeAt(at), split)) continue;
    // Millions of commas in a row are no reason to make millions of texts.
    const part = at === from ? '' : text.slice(from, at);
    if (part !== '' && part.trim() !== '') parts.push(part);
    from = at + 1;
  }
  return parts;
}

const endsPart = (code: number, split: boolean | 'lines'): boolean =>
  split === 'lines' ? code === 10 || code === 13 : split && code === 44;
