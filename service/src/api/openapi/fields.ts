// How each kind of field looks in a form. The table is closed over the kinds: a new kind does not compile until it
// stands here.
import { LIMITS } from '../../contract/limits.ts';
import type { Field, FieldKind } from '../../operations/fields.ts';
import { type Components, componentRef, inlineSchema, type JsonSchema, namedSchema } from './schemas.ts';

/** Kinds whose form text has a shape of its own, described once. */
export const FIELD_COMPONENTS: Components = {
  PageSelection: {
    type: 'string',
    maxLength: LIMITS.pageSelectionCharacters,
    description:
      'Comma list of pages (`5`), ranges (`3-7`), open ranges (`7-`), the word `all`, and expressions with `n` evaluated for n = 1, 2, 3 and so on (`2n` even pages, `2n-1` odd pages). Pages count from 1.',
    examples: ['1,3,5-8', '7-', 'all', '2n'],
  },
  Colour: {
    type: 'string',
    pattern: '^\\s*(#?[0-9A-Fa-f]{6}|#[0-9A-Fa-f]{3})\\s*$',
    description: '`#RRGGBB`, `RRGGBB` or `#RGB`, hexadecimal.',
    examples: ['#d3d3d3'],
  },
  ByteSize: {
    type: 'string',
    pattern: '^\\s*\\d+([.,]\\d+)?\\s*([KkMmGgTt]?[Bb])?\\s*$',
    description: 'A number with B, KB, MB, GB or TB (factor 1024); without a unit, MB. From 1 KB to 2 GB.',
    examples: ['500KB', '1.5 MB'],
  },
  WebAddress: {
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?://',
    description: 'A public http or https address, without credentials.',
    examples: ['https://example.org/'],
  },
};

interface Described {
  schema: JsonSchema;
  /** What the schema cannot say is said in words. */
  inWords?: boolean;
  components?: Components;
}

type Describe = (field: Field, componentName: string) => Described;

const asItIs: Describe = (field) => ({ schema: inlineSchema(field.schema, 'input') });
const asComponent =
  (name: string): Describe =>
  () => ({ schema: componentRef(name) });

const FORM_SCHEMAS: Record<FieldKind, Describe> = {
  text: (field) => ({ schema: inlineSchema(field.schema, 'input'), inWords: !isPlainText(field) }),
  secret: (field) => ({ schema: inlineSchema(field.schema, 'input'), inWords: true }),
  integer: asItIs,
  number: asItIs,
  flag: asItIs,
  choice: asItIs,
  list: asItIs,
  pages: asComponent('PageSelection'),
  colour: asComponent('Colour'),
  size: asComponent('ByteSize'),
  url: asComponent('WebAddress'),
  // The part is text that holds JSON. Declared as an array or object it would mean repeated parts.
  json: (field, name) => {
    const components = namedSchema(name, field.schema, 'input');
    const { [name]: whole = {}, ...others } = components;
    // Of a choice that has a name OpenAPI Generator makes a class, which compiles neither as Go nor as Java.
    const inPlace = 'anyOf' in whole && Object.keys(others).length === 0;
    const contentSchema = inPlace ? whole : componentRef(name);
    return {
      schema: { type: 'string', contentMediaType: 'application/json', contentSchema },
      inWords: true,
      ...(inPlace ? {} : { components }),
    };
  },
};

const isPlainText = (field: Field): boolean =>
  /^text of (?:at most |\d+ to )\d+ characters$/.test(field.expects);

/** One field of a form: its property, and the components it refers to. */
export function formField(
  field: Field,
  componentName: string,
): { property: JsonSchema; components: Components } {
  const { schema, inWords, components } = FORM_SCHEMAS[field.kind](field, componentName);
  const formDefault = defaultInForm(field);
  return {
    property: {
      ...schema,
      description: sentences(
        field.description,
        inWords ? `Valid: ${field.expects}` : '',
        field.bracketed ? `Also one part per entry, each with its key in brackets after the name` : '',
        field.aliases.length > 0 ? `Other names: ${field.aliases.join(', ')}` : '',
      ),
      ...(formDefault === undefined ? {} : { default: formDefault }),
    },
    components: components ?? {},
  };
}

/** The default as a form would send it; undefined where there is none. */
export function defaultInForm(field: Field): unknown {
  if (field.default === undefined) return undefined;
  if (field.kind === 'json') return JSON.stringify(field.default);
  if (field.kind === 'size') return sizeText(Number(field.default));
  return field.default;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

function sizeText(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && amount % 1024 === 0 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount}${UNITS[unit]}`;
}

/** Joins phrases into sentences; empty ones are left out. */
export const sentences = (...phrases: string[]): string =>
  phrases
    .filter((phrase) => phrase !== '')
    .map((phrase) => (/[.!?]$/.test(phrase) ? phrase : `${phrase}.`))
    .join(' ');
