// What an operation answers when it works.
import { KINDS } from '../../contract/kinds.ts';
import type { AnyOperation, FileOutput, Output } from '../../operations/define.ts';
import { pascalName } from './names.ts';
import { headerRefs, KEYED_HEADERS } from './problems.ts';
import { type Components, componentRef, type JsonSchema, namedSchema } from './schemas.ts';

const OCTET = KINDS.any.mediaType;
const FILE_HEADERS = [...KEYED_HEADERS, 'Content-Disposition', 'Idempotency-Replayed'];
const JSON_HEADERS = [...KEYED_HEADERS, 'Idempotency-Replayed'];

const bare = (mediaType: string): string => mediaType.split(';')[0] ?? mediaType;
const bodyOf = (mediaType: string): JsonSchema =>
  mediaType.startsWith('text/')
    ? { schema: { type: 'string' } }
    : { schema: { type: 'string', format: 'binary' } };

function fileResponse(
  description: string,
  mediaTypes: readonly string[],
  own: Record<string, string>,
): JsonSchema {
  return {
    description,
    headers: {
      ...headerRefs(...FILE_HEADERS),
      ...Object.fromEntries(
        Object.entries(own).map(([name, meaning]) => [
          name,
          { description: meaning, schema: { type: 'string' } },
        ]),
      ),
    },
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, bodyOf(mediaType)])),
  };
}

/** Most results are one file of one type without headers of their own: described once. */
const SHARED: Record<string, string> = {
  [bare(KINDS.pdf.mediaType)]: 'PdfFile',
  [bare(KINDS.text.mediaType)]: 'TextFile',
  [OCTET]: 'BinaryFile',
};

export const RESULT_RESPONSES: Components = Object.fromEntries([
  ...Object.entries(SHARED).map(([mediaType, name]) => [name, fileResponse('The result.', [mediaType], {})]),
  [
    'Nothing',
    { description: 'It worked, and there is nothing to return.', headers: headerRefs(...JSON_HEADERS) },
  ],
]);

/** Media types of the responses, the usual one first. */
export function mediaTypes(output: Output): string[] {
  if (output.shape === 'json') return [KINDS.json.mediaType];
  if (output.shape === 'archive') return [OCTET];
  const kinds = [output.kind, ...output.alternatives];
  // Operations 1.7: "ZIP is always application/octet-stream".
  const types = kinds.map((kind) => (output.octet || kind === 'zip' ? OCTET : bare(KINDS[kind].mediaType)));
  return [...new Set(types)];
}

/** The name of the usual result, `<name>` standing for that of the first input. */
export function resultName(output: Output): string | undefined {
  if (output.shape === 'json') return output.name;
  return output.shape === 'archive'
    ? `<name>${output.suffix}.zip`
    : `<name>${output.suffix}.${output.extension}`;
}

export function resultResponses(
  path: string,
  op: AnyOperation,
): { responses: Record<string, JsonSchema>; components: Components } {
  const output = op.output as Output;
  if (output.shape === 'json') return jsonResponses(path, output);
  const description = fileDescription(output);
  const types = mediaTypes(output);
  const shared =
    types.length === 1 && Object.keys(output.headers).length === 0 ? SHARED[types[0] ?? ''] : undefined;
  const made = shared
    ? { $ref: `#/components/responses/${shared}`, description }
    : fileResponse(description, types, output.headers);
  const nothing = output.shape === 'file' && output.mayBeNothing;
  return {
    responses: { 200: made, ...(nothing ? { 204: { $ref: '#/components/responses/Nothing' } } : {}) },
    components: {},
  };
}

function fileDescription(output: Exclude<Output, { shape: 'json' }>): string {
  const name = `\`${resultName(output)}\``;
  if (output.shape === 'file')
    return `The ${KINDS[output.kind].label} result${alternatives(output)}, named ${name} unless stated otherwise.`;
  const single = output.singleAsItself ? '; a single file is sent as itself' : '';
  return `A ZIP, named ${name}${single}.`;
}

const alternatives = ({ alternatives: kinds }: FileOutput): string =>
  kinds.length === 0 ? '' : ` (or ${kinds.map((kind) => KINDS[kind].label).join(', ')}, as the fields ask)`;

function jsonResponses(
  path: string,
  output: Extract<Output, { shape: 'json' }>,
): { responses: Record<string, JsonSchema>; components: Components } {
  const name = `${pascalName(path)}Result`;
  const headers = output.name === undefined ? JSON_HEADERS : FILE_HEADERS;
  return {
    responses: {
      200: {
        description: 'The result.',
        headers: headerRefs(...headers),
        content: { [KINDS.json.mediaType]: { schema: componentRef(name) } },
      },
    },
    components: namedSchema(name, output.schema, 'output'),
  };
}
