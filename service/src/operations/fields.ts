// The closed vocabulary of operation fields. A field has a schema (what the value must be) and a
// `fromText` (how form text becomes a value): coercion inside the schema would corrupt the published
// JSON Schema. Each face (REST, OpenAPI, SDK, CLI, web form) holds one table over the kinds below.
import { z } from 'zod';
import { LIMITS } from '../contract/limits.ts';
import { Problem, type Reason } from '../contract/problems.ts';
import { parsePageSelection } from '../pdf/pages/page-selection.ts';

export type FieldKind =
  | 'text'
  | 'secret'
  | 'integer'
  | 'number'
  | 'flag'
  | 'choice'
  | 'list'
  | 'pages'
  | 'colour'
  | 'size'
  | 'url'
  | 'json';

export interface Field<T = unknown> {
  kind: FieldKind;
  description: string;
  schema: z.ZodType;
  /** What a valid value looks like, to finish the sentence "<field> must be ...". */
  expects: string;
  reason: Reason;
  required: boolean;
  default?: unknown;
  aliases: readonly string[];
  /** A repeated field is a list; all others refuse a second value. */
  repeatable: boolean;
  /** Operations 1.4: an empty value counts as absent, except where stated. */
  emptyIsValue: boolean;
  /** `name[key]` fields are gathered into one object. */
  bracketed: boolean;
  /** Form text to a value for `schema`; what cannot be read is returned as it is, for the schema to refuse. */
  fromText(text: string): unknown;
  /** Phantom: the type `run` receives. */
  readonly type?: T;
}

export type ValueOf<F> = F extends Field<infer T> ? T : never;
export type Values<P> = { [K in keyof P]: ValueOf<P[K]> };

interface Common {
  aliases?: readonly string[];
  reason?: Reason;
}
type Presence<T> = { default: T } | { required: true } | { default?: undefined; required?: undefined };
type Present<T, P> = P extends { default: T } | { required: true } ? Field<T> : Field<T | undefined>;

type Shape = Pick<Field, 'kind' | 'description' | 'schema' | 'expects' | 'fromText'> &
  Partial<Pick<Field, 'repeatable' | 'emptyIsValue' | 'bracketed' | 'reason'>>;

function field<T, P extends Presence<T>>(shape: Shape, options: P & Common): Present<T, P> {
  const made: Field = {
    reason: 'invalid_parameter',
    repeatable: false,
    emptyIsValue: false,
    bracketed: false,
    ...shape,
    required: 'required' in options && options.required === true,
    aliases: options.aliases ?? [],
    ...(options.reason ? { reason: options.reason } : {}),
    ...('default' in options && options.default !== undefined ? { default: options.default } : {}),
  };
  return made as Present<T, P>;
}

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
  let schema = z
    .string()
    .min(min)
    .max(max * 2);
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

export function flag<P extends Presence<boolean>>(
  description: string,
  options: P & Common,
): Present<boolean, P> {
  const fromText = (t: string) => {
    const word = t.trim().toLowerCase();
    return TRUE.has(word) ? true : FALSE.has(word) ? false : t;
  };
  return field<boolean, P>(
    { kind: 'flag', description, schema: z.boolean(), expects: 'true or false', fromText },
    options,
  );
}

export function choice<const V extends readonly [string, ...string[]], P extends Presence<V[number]>>(
  description: string,
  values: V,
  options: P & Common & { emptyIsValue?: boolean },
): Present<V[number], P> {
  // "enum and bool values: any letter case" (operations 1.2).
  const byLower = new Map(values.map((value) => [value.toLowerCase(), value]));
  const fromText = (t: string) => byLower.get(t.trim().toLowerCase()) ?? t;
  return field<V[number], P>(
    { kind: 'choice', description, schema: z.enum(values), expects: `one of ${values.join(', ')}`, fromText },
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
    (split === 'lines' ? t.split(/\r\n|[\n\r]/) : split ? t.split(',').map((part) => part.trim()) : [t])
      .filter((part) => part.trim() !== '')
      .map((part) => item.fromText(part));
  const schema = z.array(item.schema).min(min).max(max);
  const expects = `a list of ${min > 0 ? `${min} to ` : 'at most '}${max} values, each ${item.expects}`;
  return field<T[], P>({ kind: 'list', description, schema, expects, fromText, repeatable: true }, options);
}

/** A page selection (operations 1.4), kept as text: only the document knows how many pages there are. */
export function pages<P extends Presence<string>>(
  description: string,
  options: P & Common & { emptyIsAbsent?: boolean },
): Present<string, P> {
  const schema = z.string().superRefine((value, context) => {
    try {
      parsePageSelection(value);
    } catch (error) {
      const message = error instanceof Problem ? error.detail : 'not a page selection';
      context.addIssue({ code: 'custom', message });
    }
  });
  const expects = 'a page selection such as 1,3,5-8, 7-, all or 2n';
  return field<string, P>(
    {
      kind: 'pages',
      description,
      schema,
      expects,
      fromText: (t) => t,
      reason: 'invalid_page_selection',
      // "An empty value counts as absent ... except in page selections" (operations 1.2).
      emptyIsValue: options.emptyIsAbsent !== true,
    },
    options,
  );
}

/** #RRGGBB, RRGGBB or #RGB; the value is always #rrggbb. */
export function colour<P extends Presence<string>>(
  description: string,
  options: P & Common,
): Present<string, P> {
  const fromText = (t: string) => {
    const hex = t.trim();
    if (/^#[0-9a-f]{3}$/i.test(hex)) return `#${[...hex.slice(1)].map((d) => d + d).join('')}`.toLowerCase();
    return /^#?[0-9a-f]{6}$/i.test(hex) ? `#${hex.replace('#', '')}`.toLowerCase() : t;
  };
  const schema = z.string().regex(/^#[0-9a-fA-F]{6}$/);
  return field<string, P>(
    { kind: 'colour', description, schema, expects: 'a colour such as #RRGGBB, RRGGBB or #RGB', fromText },
    options,
  );
}

const UNITS: Record<string, number> = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  tb: 1024 ** 4,
  '': 1024 ** 2,
};

/** "number plus B, KB, MB, GB or TB (factor 1024 ...); no unit means MB. Bounds 1 KB to 2 GB." In bytes. */
export function size<P extends Presence<number>>(
  description: string,
  options: P & Common,
): Present<number, P> {
  return field<number, P>(
    {
      kind: 'size',
      description,
      schema: z
        .number()
        .min(1024)
        .max(2 * 1024 ** 3),
      expects: 'a size from 1 KB to 2 GB, such as 500KB or 1.5 MB',
      fromText: sizeFromText,
    },
    options,
  );
}

export function sizeFromText(given: string): unknown {
  const match = /^(\d+(?:[.,]\d+)?)([kmgt]?b)?$/i.exec(given.replace(/\s+/g, ''));
  if (!match) return given;
  const factor = UNITS[(match[2] ?? '').toLowerCase()] ?? 1;
  return Math.floor(Number((match[1] ?? '').replace(',', '.')) * factor);
}

/** A web address; whether it is public is checked where it is fetched. */
export function url<P extends Presence<string>>(
  description: string,
  options: P & Common,
): Present<string, P> {
  const schema = z
    .string()
    .max(2048)
    .refine((value) => {
      const parsed = URL.parse(value);
      return (
        parsed !== null &&
        /^https?:$/.test(parsed.protocol) &&
        parsed.username === '' &&
        parsed.password === ''
      );
    })
    .meta({ format: 'uri' });
  return field<string, P>(
    {
      kind: 'url',
      description,
      schema,
      expects: 'an http or https address of at most 2048 characters without credentials',
      fromText: (t) => t.trim(),
      reason: 'url_not_allowed',
    },
    options,
  );
}

export function json<S extends z.ZodType, P extends Presence<z.output<S>>>(
  description: string,
  schema: S,
  options: P & Common & { expects: string; bracketed?: boolean; plainText?: boolean },
): Present<z.output<S>, P> {
  const fromText = (t: string): unknown => {
    if (Buffer.byteLength(t) > LIMITS.jsonBytes) return undefined;
    try {
      const value: unknown = JSON.parse(t);
      return nestsTooDeep(value) ? undefined : value;
    } catch {
      // `plainText`: one plain name is as good as JSON (form/delete-fields).
      return options.plainText ? t : undefined;
    }
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

/** Whether values nest further than JSON of a field may; looks no deeper than that. */
export function nestsTooDeep(value: unknown, levels: number = LIMITS.jsonDepth): boolean {
  if (value === null || typeof value !== 'object') return false;
  const items = Object.values(value);
  // An empty list nests nothing: 32 levels of bookmarks end in `"children":[]`.
  if (items.length === 0) return false;
  return levels === 0 || items.some((inner) => nestsTooDeep(inner, levels - 1));
}
