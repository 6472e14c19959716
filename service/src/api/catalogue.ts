// Operations as plain data, for faces that list and explain them: the command line, agents, their describe call.
import { KINDS } from '../contract/kinds.ts';
import type { AnyOperation, FileInput, Output } from '../operations/define.ts';
import type { Field, FieldKind } from '../operations/fields.ts';
import { FIELD_COMPONENTS } from './openapi/fields.ts';
import { mediaTypes, resultName } from './openapi/results.ts';
import { inlineSchema, type JsonSchema } from './openapi/schemas.ts';

export interface CatalogueFile {
  name: string;
  required: boolean;
  many: boolean;
  min: number;
  max: number;
  /** Such as "PDF, PNG". */
  accepts: string;
  /** Usual endings of such files, without a dot. */
  extensions: readonly string[];
  description: string;
}

export interface CatalogueParam {
  name: string;
  kind: FieldKind;
  required: boolean;
  description: string;
  /** What finishes the sentence "must be ...". */
  expects: string;
  default?: unknown;
  /** All valid values, where they can be counted. */
  values?: readonly (string | number)[];
  /** JSON Schema of the value. */
  schema: JsonSchema;
}

export interface CatalogueEntry {
  summary: string;
  description: string;
  files: readonly CatalogueFile[];
  params: readonly CatalogueParam[];
  result: {
    shape: Output['shape'];
    mediaTypes: readonly string[];
    /** `<name>` stands for that of the first input. */
    name?: string;
    mayBeNothing: boolean;
  };
}

export function catalogueEntry(op: AnyOperation): CatalogueEntry {
  const files = Object.entries(op.inputs as Record<string, FileInput>).map(fileOf);
  const params = Object.entries(op.params as Record<string, Field>).map(paramOf);
  const output = op.output as Output;
  const name = resultName(output);
  return {
    summary: op.summary,
    description: op.description ?? '',
    files,
    params: takesPdf(op) ? [...params, PASSWORD] : params,
    result: {
      shape: output.shape,
      mediaTypes: mediaTypes(output),
      ...(name === undefined ? {} : { name }),
      mayBeNothing: output.shape === 'file' && output.mayBeNothing,
    },
  };
}

const takesPdf = (op: AnyOperation): boolean =>
  Object.values(op.inputs as Record<string, FileInput>).some(({ kinds }) => kinds.includes('pdf'));

/** Operations 1.3: common to every operation that takes a PDF. */
const PASSWORD: CatalogueParam = {
  name: 'inputPassword',
  kind: 'secret',
  required: false,
  description: 'Opens an encrypted document; of several, each file is opened with the first that fits',
  expects: 'text of at most 127 bytes, or a list of such',
  schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};

function fileOf([name, input]: [string, FileInput]): CatalogueFile {
  const { required, many, min, max, kinds, description } = input;
  return {
    name,
    required,
    many,
    min,
    max,
    accepts: kinds.map((kind) => KINDS[kind].label).join(', '),
    extensions: kinds.flatMap((kind) => KINDS[kind].extensions),
    description,
  };
}

/** Kinds whose values have a shape of their own, described once. */
const SHARED_SCHEMAS: Partial<Record<FieldKind, JsonSchema | undefined>> = {
  pages: FIELD_COMPONENTS.PageSelection,
  colour: FIELD_COMPONENTS.Colour,
  size: FIELD_COMPONENTS.ByteSize,
  url: FIELD_COMPONENTS.WebAddress,
};

function paramOf([name, field]: [string, Field]): CatalogueParam {
  const schema = SHARED_SCHEMAS[field.kind] ?? inlineSchema(field.schema, 'input');
  return {
    name,
    kind: field.kind,
    required: field.required,
    description: field.description,
    expects: field.expects,
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(Array.isArray(schema.enum) ? { values: schema.enum as (string | number)[] } : {}),
    schema,
  };
}

/** The parameters of an operation as one JSON Schema, for those who check or fill them by machine. */
export const parametersSchema = ({ params }: CatalogueEntry): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    params.map(({ name, schema, description, default: fallback }) => [
      name,
      { ...schema, description, ...(fallback === undefined ? {} : { default: fallback }) },
    ]),
  ),
  required: params.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
});
