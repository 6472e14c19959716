// Operations as plain data, for faces that list and explain them: the command line, agents, their describe call.
import { KINDS } from '../contract/kinds.ts';
import { COMMON_FIELDS } from '../operations/common-fields.ts';
import type { AnyOperation, FileInput, Output } from '../operations/define.ts';
import type { Field, FieldKind } from '../operations/fields.ts';
import type { CatalogueEntry, CatalogueFile, CatalogueParam } from './catalogue-entry.ts';
import { exampleCall } from './example-call.ts';
import { FIELD_COMPONENTS } from './openapi/fields.ts';
import { mediaTypes, resultName } from './openapi/results.ts';
import { inlineSchema, type JsonSchema } from './openapi/schemas.ts';

export function catalogueEntry(op: AnyOperation): CatalogueEntry {
  const files = Object.entries(op.inputs as Record<string, FileInput>).map(fileOf);
  const params = Object.entries(op.params as Record<string, Field>).map(paramOf);
  const output = op.output as Output;
  const name = resultName(output);
  return {
    summary: op.summary,
    description: op.description ?? '',
    example: exampleCall(op),
    files,
    params: [...params, ...(takesPdf(op) ? [PASSWORD] : []), ...Object.entries(COMMON_FIELDS).map(paramOf)],
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
