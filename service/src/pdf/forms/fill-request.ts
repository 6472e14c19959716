// The shapes in which values for a form may come.
import { invalidParameter } from '../../contract/problems.ts';
import type { GivenValue } from './field-input.ts';

export type FillObject = Record<string, unknown>;
export type NamedInput = readonly [string, GivenValue];

/**
 * `{"field":"value"}`, `{"template":{...}}`, `{"fields":[{"name","value"}]}`, or a list of these. An object with
 * both fields and template is what form/fields gave; its template is meant to be edited, so it wins. What is no
 * value is refused, naming its place.
 */
export function namedValues(data: FillObject | FillObject[], source: string): NamedInput[] {
  if (!Array.isArray(data)) return valuesOf(data, source);
  return data.flatMap((part, index) => valuesOf(part, `${source}[${index}]`));
}

function valuesOf(part: FillObject, place: string): NamedInput[] {
  const { template, fields } = part;
  const listed = isNamedList(fields) ? fields : undefined;
  if (!isObject(template) && !listed) return entriesOf(Object.entries(part), place);
  const entries = (listed ?? []).map(({ name, value }): [string, unknown] => [name, value]);
  return [
    ...entriesOf(entries, `${place}.fields`),
    ...entriesOf(isObject(template) ? Object.entries(template) : [], `${place}.template`),
  ];
}

/** As in other requests, null leaves things as they are. */
function entriesOf(entries: readonly [string, unknown][], place: string): NamedInput[] {
  return entries.flatMap(([name, value]): NamedInput[] => {
    if (value === null || value === undefined) return [];
    if (isScalar(value) || (Array.isArray(value) && value.every(isScalar))) return [[name, value]];
    throw invalidParameter(
      `${place}.${name} must be text, a number, true, false, null or an array of these.`,
    );
  });
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const isObject = (value: unknown): value is FillObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNamedList = (value: unknown): value is { name: string; value?: unknown }[] =>
  Array.isArray(value) && value.every((each) => isObject(each) && typeof each.name === 'string');
