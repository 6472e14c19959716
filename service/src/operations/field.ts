// What a field is: a schema (what the value must be) and a `fromText` (how form text becomes a value). Coercion inside
// the schema would corrupt the published JSON Schema.
import type { z } from 'zod';
import type { Reason } from '../contract/problems.ts';

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
  /** Values that a list may have; more need not be read to be refused. */
  most?: number;
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

/** What every kind of field may be told. */
export interface Common {
  aliases?: readonly string[];
  reason?: Reason;
}
export type Presence<T> = { default: T } | { required: true } | { default?: undefined; required?: undefined };
export type Present<T, P> = P extends { default: T } | { required: true } ? Field<T> : Field<T | undefined>;

type Shape = Pick<Field, 'kind' | 'description' | 'schema' | 'expects' | 'fromText'> &
  Partial<Pick<Field, 'repeatable' | 'most' | 'emptyIsValue' | 'bracketed' | 'reason'>>;

export function field<T, P extends Presence<T>>(shape: Shape, options: P & Common): Present<T, P> {
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
