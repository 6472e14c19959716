// A JSON Schema as one readable line: {"pageCount": integer, "fonts": [text]}.

type Schema = Record<string, unknown>;

const WORDS: Record<string, string> = { string: 'text', boolean: 'true or false' };

/** `named` resolves references; what refers to itself is shown as an ellipsis. */
export function sketch(schema: Schema, named: Record<string, Schema>, open: readonly string[] = []): string {
  const inner = (value: unknown): string => sketch(value as Schema, named, open);
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const target = named[name];
    return !target || open.includes(name) ? '...' : sketch(target, named, [...open, name]);
  }
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map(inner).join(' or ');
  if (schema.type === 'array') return `[${inner(schema.items ?? {})}, ...]`;
  if (schema.type === 'object') return object(schema, inner);
  const types = [schema.type ?? 'any'].flat().map(String);
  return types.map((type) => WORDS[type] ?? type).join(' or ');
}

function object(schema: Schema, inner: (value: unknown) => string): string {
  const required = (schema.required ?? []) as string[];
  const members = Object.entries((schema.properties ?? {}) as Schema).map(
    ([name, value]) => `"${name}"${required.includes(name) ? '' : '?'}: ${inner(value)}`,
  );
  if (typeof schema.additionalProperties === 'object')
    members.push(`...: ${inner(schema.additionalProperties)}`);
  return `{${members.join(', ')}}`;
}
