// Values that make a careless check slow or large: long runs of one character, near misses of a field's own pattern,
// lists of wrong items, deep nests, many keys. Each as large as a form lets it be.
import { z } from 'zod';
import type { Field } from '../../src/operations/fields.ts';
import { nearMisses } from './pumped-texts.ts';

/** A field of a form may have this many bytes; a little less, for what stands around. */
const FULL = 1_000_000;
const RUNS = [
  'a',
  ' ',
  '1',
  ',',
  '-',
  '\n',
  '(',
  '[',
  '"',
  '\\',
  '\0',
  '.',
  '\u{1f600}',
  '1,',
  '1-,',
  'x ',
  ' ,',
  'n+',
];

/** Outside V8's heap, which is bounded while the checks are measured; the texts of most fields are the same, and ASCII. */
const KEPT = new Map<string, Buffer>();
const MOST_KEPT = 64;

/** A large text is made once: making it takes many times as long as checking it. */
function keptText(name: string, make: () => string): string {
  const kept = KEPT.get(name);
  if (kept) return kept.toString('latin1');
  const made = make();
  if (KEPT.size < MOST_KEPT) KEPT.set(name, Buffer.from(made, 'latin1'));
  return made;
}

const full = (unit: string, size = FULL): string => unit.repeat(Math.floor(size / Buffer.byteLength(unit)));
const listOf = (item: string): string => keptText(`list ${item}`, () => `[${full(`${item},`)}${item}]`);
const manyKeys = (value: string): string => keptText(`keys ${value}`, () => objectOfMany(value));

function objectOfMany(value: string): string {
  const entries: string[] = [];
  for (let bytes = 0; bytes < FULL; ) {
    const entry = `"k${entries.length}":${value}`;
    entries.push(entry);
    bytes += entry.length + 1;
  }
  return `{${entries.join(',')}}`;
}

/** Texts for a field, each at most 1 MiB. */
export function* hostileTexts(field: Field): Generator<[name: string, text: string]> {
  for (const run of RUNS) yield [`a run of ${JSON.stringify(run)}`, full(run)];
  const longest = longestTextOf(field);
  if (longest < FULL)
    for (const run of RUNS)
      yield [`${longest} of ${JSON.stringify(run)}`, run.repeat(longest).slice(0, longest)];
  for (const pattern of patternsOf(field.schema)) {
    const misses = [
      ...new Set([...nearMisses(pattern, Math.min(longest, 20_000)), ...nearMisses(pattern, 100)]),
    ];
    for (const miss of misses.slice(0, 60)) yield [`a near miss of ${pattern}`, miss.slice(0, longest)];
  }
  if (field.kind === 'json') yield* hostileJson(field);
  yield ['a long number', `1e${full('9')}`];
}

function* hostileJson(field: Field): Generator<[name: string, text: string]> {
  const schema = z.toJSONSchema(field.schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const items = new Set([
    '1',
    '""',
    'null',
    '{}',
    '[]',
    '[1]',
    '{"__proto__":1}',
    '{"a":1}',
    'true',
    '"a"',
    '-1e9',
  ]);
  for (const item of itemsFor(schema)) items.add(item);
  for (const item of items) {
    yield [`a list of ${item}`, listOf(item)];
    yield [`many keys with ${item}`, manyKeys(item)];
    for (const key of keysIn(schema)) {
      yield [`a list of ${item} under ${key}`, `{${JSON.stringify(key)}:${listOf(item)}}`];
      yield [`a list of ${item} under ${key} in a list`, `[{${JSON.stringify(key)}:${listOf(item)}}]`];
    }
  }
  yield ['many keys under __proto__', `{"__proto__":${manyKeys('1')}}`];
  yield ['lists in lists', '['.repeat(FULL / 2) + ']'.repeat(FULL / 2)];
  yield ['lists in lists as deep as allowed', listOf('['.repeat(62) + ']'.repeat(62))];
  yield ['objects in objects', `${'{"a":'.repeat(FULL / 6)}1${'}'.repeat(FULL / 6)}`];
  yield ['an escaped text', `"${full('\\u0000')}"`];
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  $defs?: Record<string, Schema>;
}

const within = (schema: Schema): Schema[] => [
  schema,
  ...[...Object.values(schema.properties ?? {}), ...Object.values(schema.$defs ?? {})].flatMap(within),
  ...[schema.items, ...(schema.anyOf ?? [])].flatMap((inner) => (inner ? within(inner) : [])),
];

const keysIn = (schema: Schema): string[] => [
  ...new Set(within(schema).flatMap(({ properties = {} }) => Object.keys(properties))),
];

/** Objects that are almost, and fully, what the schema asks for. */
function itemsFor(schema: Schema): string[] {
  return within(schema).flatMap(({ properties }) => {
    if (!properties) return [];
    const keys = Object.keys(properties);
    const made = (value: (key: string) => unknown) =>
      JSON.stringify(Object.fromEntries(keys.map((key) => [key, value(key)])));
    const right = (key: string): unknown =>
      ({ string: 'a', integer: 1, number: 1, boolean: true, array: [] })[properties[key]?.type ?? ''] ?? 'a';
    return [made(() => null), made(() => ''), made(() => [1, 1]), made(right)];
  });
}

function longestTextOf({ kind, schema }: Field): number {
  if (kind === 'pages') return 16_384;
  const { maxLength } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    maxLength?: number;
  };
  return maxLength === undefined ? FULL : Math.min(maxLength, FULL);
}

/** Every pattern that a schema holds text against. */
export function patternsOf(schema: z.ZodType): RegExp[] {
  const seen = new Set<unknown>();
  const found: RegExp[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof RegExp) found.push(value);
    else if (value instanceof z.core.$ZodType || '_zod' in value) walk((value as z.ZodType)._zod.def);
    else for (const inner of Object.values(value)) walk(inner);
  };
  walk(schema);
  return found;
}

/** JSON values for a field of a pipeline step, beside its texts. */
export function* hostileStepValues(): Generator<[name: string, json: string]> {
  for (const item of ['1', '""', 'null', '[]', '{}', '"a,b"', '[1]', '{"a":1}', '"1-2"', 'true'])
    yield [`a list of ${item}`, listOf(item)];
  yield ['many keys', manyKeys('1')];
  yield ['many keys with lists', manyKeys('[]')];
  yield ['lists in lists', '['.repeat(FULL / 2) + ']'.repeat(FULL / 2)];
  yield ['a long number', full('9', FULL / 2)];
}

/** Names of fields, 2 MB of them together. */
export const HOSTILE_NAMES: readonly string[] = [
  '[',
  ']',
  '[]',
  'a[',
  ' ',
  '@',
  '@upload',
  '.',
  '__proto__[',
].flatMap((unit) => [unit.repeat(1000 / unit.length), `a${unit.repeat(500 / unit.length)}]`]);
