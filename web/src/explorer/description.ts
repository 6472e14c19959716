// What the explorer reads of an OpenAPI document.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly contentMediaType?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
}

export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface DescribedCall extends Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
}

export const callsOf = ({ paths }: Described): DescribedCall[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      id: operation.operationId,
      tag: operation.tags?.[0] ?? '',
      method: method.toUpperCase(),
      path,
    })),
  );

const DEEPEST = 8;

/** What a reference leads to, with what stands beside it. */
export function resolved<T extends { readonly $ref?: string }>(
  description: Described,
  value: T | undefined,
  depth = 0,
): T {
  if (!value?.$ref || depth > DEEPEST) return (value ?? {}) as T;
  const [section = '', name = ''] = value.$ref.replace('#/components/', '').split('/');
  const target = description.components?.[section]?.[name] as T | undefined;
  return { ...resolved(description, target, depth + 1), ...value, $ref: undefined };
}

export interface DescribedField {
  readonly name: string;
  readonly place: 'body' | 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly description: string;
}

export function fieldsOf(description: Described, call: DescribedCall): DescribedField[] {
  const parameters = (call.parameters ?? []).map((each) => {
    const {
      name = '',
      in: place = 'query',
      required = false,
      description: meaning = '',
      schema,
    } = resolved(description, each);
    return {
      name,
      place: place as DescribedField['place'],
      required,
      description: meaning,
      schema: resolved(description, schema),
    };
  });
  const [content] = Object.values(call.requestBody?.content ?? {});
  const body = resolved(description, content?.schema);
  const required = new Set([body, ...(body.allOf ?? [])].flatMap((each) => each.required ?? []));
  const fields = Object.entries(body.properties ?? {}).map(([name, schema]) => {
    const own = resolved(description, schema);
    return {
      name,
      place: 'body' as const,
      required: required.has(name),
      schema: own,
      description: own.description ?? resolved(description, own.items).description ?? '',
    };
  });
  return [...parameters, ...fields];
}

/** Such as "integer, 1 to 9" or "file". */
export function typeOf(description: Described, schema: Schema): string {
  if (schema.format === 'binary') return 'file';
  if (schema.enum) return schema.enum.map(String).join(' | ');
  if (schema.items) return `${typeOf(description, resolved(description, schema.items))} […]`;
  const type = [schema.type ?? 'string'].flat().join(' | ');
  const { minimum, maximum } = schema;
  return minimum !== undefined && maximum !== undefined ? `${type}, ${minimum} – ${maximum}` : type;
}
