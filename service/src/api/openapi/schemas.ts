// JSON Schema 2020-12 from zod schemas, in the form an OpenAPI document can hold.
import { z } from 'zod';

export type JsonSchema = { [keyword: string]: unknown };
export type Components = Record<string, JsonSchema>;

/** Requests are described as what may be sent, results as what is made. */
type Side = 'input' | 'output';

export const componentRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A schema that stands where it is used; only for schemas that do not refer to themselves. */
export function inlineSchema(schema: z.ZodType, side: Side): JsonSchema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, side),
  });
  return made;
}

/**
 * A schema as components: itself under `name`, what it repeats or recurses into beside it. References inside an
 * OpenAPI document start at the root of the document, so zod's own `#` and `#/$defs/...` would point nowhere.
 */
export function namedSchema(name: string, schema: z.ZodType, side: Side): Components {
  const { $defs = {}, ...made } = inlineSchema(schema, side);
  const partName = (part: string): string => `${name}${part.replace(/^__schema/, 'Part')}`;
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string' ? movedRef(inner, name, partName) : moved(inner),
      ]),
    );
  };
  const components: Components = { [name]: moved(made) as JsonSchema };
  for (const [part, inner] of Object.entries($defs as Components)) {
    components[partName(part)] = moved(inner) as JsonSchema;
  }
  return components;
}

function movedRef(ref: string, name: string, partName: (part: string) => string): string {
  if (ref === '#') return `#/components/schemas/${name}`;
  return ref.startsWith('#/$defs/') ? `#/components/schemas/${partName(ref.slice('#/$defs/'.length))}` : ref;
}

/**
 * Patterns that RE2 and Python compile, too: generated clients do so as they start. What only JavaScript knows (looking
 * ahead and behind, Unicode properties, its own escapes) is said in words instead.
 */
export const isPortable = (pattern: unknown): boolean =>
  typeof pattern !== 'string' || !/\(\?(?!:)|\\(?:[pPkucx1-9]|b)|\[\^?\]/.test(pattern);

/** What zod adds and no reader needs. */
function tidy(schema: JsonSchema, side: Side): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === 'date-time' || !isPortable(schema.pattern)) delete schema.pattern;
  if (schema.minItems === 0) delete schema.minItems;
  if (schema.minLength === 0) delete schema.minLength;
  delete schema.id;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  // Operations 1.7: "JSON objects may gain members later".
  if (side === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
}
