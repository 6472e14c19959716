// Texts that no field of a kind may take.
import { z } from 'zod';
import { LIMITS } from '../../src/contract/limits.ts';
import type { Field, FieldKind } from '../../src/operations/fields.ts';

/** One text, or the texts of a repeated field. */
export type BadValue = string | string[];

interface Bounds {
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  multipleOf?: number;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
}

const boundsOf = (field: Field): Bounds =>
  z.toJSONSchema(field.schema, { io: 'input', unrepresentable: 'any' }) as Bounds;

/** Plain decimal, as forms carry it: never 1e21. */
const plain = (value: number): string => BigInt(Math.trunc(value)).toString();

function outside({ minimum, exclusiveMinimum, maximum }: Bounds): string[] {
  return [
    ...(minimum === undefined ? [] : [plain(minimum - 1)]),
    ...(exclusiveMinimum === undefined ? [] : [plain(exclusiveMinimum)]),
    ...(maximum === undefined ? [] : [plain(Math.floor(maximum) + 1)]),
  ];
}

/** A new kind does not compile until it is told what such a field refuses. */
const REFUSED: Record<FieldKind, (field: Field) => BadValue[]> = {
  text: (field) => ['x'.repeat((boundsOf(field).maxLength ?? LIMITS.textCharacters) + 1)],
  secret: () => ['x'.repeat(LIMITS.jsonBytes), 'a\0b'],
  integer: (field) => {
    const bounds = boundsOf(field);
    const step = bounds.multipleOf === undefined ? [] : [plain((bounds.minimum ?? 0) + 1)];
    return ['x', '1.5', '1e1', '0x10', '--1', 'NaN', ...outside(bounds), ...step];
  },
  number: (field) => ['x', '1e1', 'NaN', 'Infinity', '1,5', ...outside(boundsOf(field))],
  flag: () => ['maybe', '2', 'truee'],
  choice: () => ['no-such-choice'],
  list: (field) => [Array((boundsOf(field).maxItems ?? 1) + 1).fill('1')],
  pages: (field) => [
    '0',
    '5-3',
    '-3',
    'x',
    '1,,2',
    '1/0',
    '1'.repeat(LIMITS.pageSelectionCharacters + 1),
    ...(field.emptyIsValue ? ['', ' '] : []),
  ],
  colour: () => ['red', '#12345', '#gggggg', 'rgb(1,2,3)'],
  size: () => ['x', '-1MB', '1023B', '2049MB', '1PB'],
  url: () => [
    'x',
    'ftp://example.org/',
    'file:///etc/passwd',
    'http://user:word@example.org/',
    'javascript:1',
  ],
  // A field that takes anything is there to be ignored.
  json: (field) =>
    field.schema.safeParse(undefined).success
      ? []
      : ['['.repeat(LIMITS.jsonDepth + 1) + ']'.repeat(LIMITS.jsonDepth + 1)],
};

export const badValues = (field: Field): BadValue[] => REFUSED[field.kind](field);
