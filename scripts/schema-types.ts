// A JSON Schema as a TypeScript type: {"pageCount": integer} becomes { pageCount: number }.

type Schema = Record<string, unknown>;

const WORDS: Record<string, string> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  null: 'null',
  array: 'readonly unknown[]',
  object: 'Record<string, unknown>',
};

/** `named` gives the type's name for the last part of a reference. */
export function typeOf(schema: Schema, named: (reference: string) => string): string {
  const inner = (value: unknown): string => typeOf((value ?? {}) as Schema, named);
  if (typeof schema.$ref === 'string') return named(schema.$ref.split('/').at(-1) ?? '');
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  if ('const' in schema) return literal(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return union(choices.map(inner));
  if (Array.isArray(schema.prefixItems)) return `readonly [${schema.prefixItems.map(inner).join(', ')}]`;
  if (schema.type === 'array' && schema.items) return `readonly ${grouped(inner(schema.items))}[]`;
  if (schema.type === 'object') return objectType(schema, inner);
  const types = [schema.type ?? []].flat().map((type) => WORDS[String(type)] ?? 'unknown');
  return types.length > 0 ? union(types) : 'unknown';
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const grouped = (type: string): string => (/[|\s]/.test(type) && !type.startsWith('{') ? `(${type})` : type);

/** Members of an object type, one to a line with its description; usable as the body of an interface. */
export function members(schema: Schema, inner: (value: unknown) => string): string {
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>)
    .map(([name, value]) => {
      const optional = required.includes(name) ? '' : '?';
      return `${comment(value.description)}${memberName(name)}${optional}: ${inner(value)};\n`;
    })
    .join('');
}

function objectType(schema: Schema, inner: (value: unknown) => string): string {
  const own = members(schema, inner);
  const rest = schema.additionalProperties;
  if (own === '')
    return `Record<string, ${typeof rest === 'object' && rest !== null ? inner(rest) : 'unknown'}>`;
  return `{\n${own}}`;
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

/** A documentation comment, or nothing. */
export function comment(text: unknown): string {
  if (typeof text !== 'string' || text.trim() === '') return '';
  return `/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`;
}
