// JSON Schemas as Python types: objects become TypedDicts with names of their own.

type Schema = Record<string, unknown>;

const WORDS: Record<string, string> = {
  string: 'str',
  boolean: 'bool',
  integer: 'int',
  number: 'float',
  null: 'None',
  array: 'List[Any]',
  object: 'Dict[str, Any]',
};

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const RESERVED = new Set([
  'from',
  'class',
  'def',
  'in',
  'is',
  'not',
  'None',
  'True',
  'False',
  'import',
  'global',
]);

/** `objectType` gives the name of an object's type; without it objects are plain dictionaries. */
export function pythonType(
  schema: Schema,
  objectType: (schema: Schema) => string = () => 'Dict[str, Any]',
): string {
  const inner = (value: unknown): string => pythonType((value ?? {}) as Schema, objectType);
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'Any';
  if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if ('const' in schema) return `Literal[${literal(schema.const)}]`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return union(choices.map(inner));
  if (Array.isArray(schema.prefixItems)) return 'List[Any]';
  if (schema.type === 'array' && schema.items) return `List[${inner(schema.items)}]`;
  if (schema.type === 'object') return dictionary(schema, inner, objectType);
  const types = [schema.type ?? []].flat().map((type) => WORDS[String(type)] ?? 'Any');
  return types.length > 0 ? union(types) : 'Any';
}

function dictionary(
  schema: Schema,
  inner: (value: unknown) => string,
  objectType: (schema: Schema) => string,
): string {
  if (Object.keys((schema.properties ?? {}) as object).length > 0) return objectType(schema);
  const rest = schema.additionalProperties;
  return `Dict[str, ${typeof rest === 'object' && rest !== null ? inner(rest) : 'Any'}]`;
}

const union = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  return all.length === 1 ? (all[0] ?? 'Any') : `Union[${all.join(', ')}]`;
};

const literal = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

/** Named schemas as declarations, inner objects before those that hold them. */
export function declarations(named: Record<string, Schema>): string[] {
  const made: string[] = [];
  for (const [name, schema] of Object.entries(named).reverse()) declare(name, schema, made);
  return made;
}

function declare(name: string, schema: Schema, made: string[]): void {
  const inside =
    (suffix: string) =>
    (value: Schema): string => {
      const own = `${name}${suffix}`;
      declare(own, value, made);
      return own;
    };
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  if (schema.type !== 'object' || properties.length === 0) {
    made.push(`${name} = ${quotedNames(pythonType(schema, inside('Item')))}\n`);
    return;
  }
  const required = (schema.required ?? []) as string[];
  const members = properties.map(([key, value]) => {
    const type = pythonType(value, inside(key.slice(0, 1).toUpperCase() + key.slice(1).replace(/\W/g, '_')));
    return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, about: value.description };
  });
  const plain = members.every(({ key }) => IDENTIFIER.test(key) && !RESERVED.has(key));
  made.push(
    plain
      ? `class ${name}(TypedDict):\n${members.map(({ key, type, about }) => `${note(about)}    ${key}: ${type}\n`).join('')}`
      : `${name} = TypedDict(${JSON.stringify(name)}, {\n${members.map(({ key, type }) => `    ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`).join('')}})\n`,
  );
}

const note = (about: unknown): string =>
  typeof about === 'string' && about !== '' ? `    #: ${about.replaceAll('\n', ' ')}\n` : '';

/** An alias may speak of a type that comes later: as text it is looked up when a checker asks. */
const quotedNames = (type: string): string => type.replace(/\b([A-Z]\w*(?:Result|Part)\w*)\b/g, '"$1"');
