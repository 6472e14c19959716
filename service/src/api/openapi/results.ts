// What an operation answers when it works.
import type { z } from 'zod';
import { type FileKind, KINDS } from '../../contract/kinds.ts';
import {
  type AnyOperation,
  type ArchiveOutput,
  CLAIMS_HEADER,
  type FileOutput,
  type Output,
} from '../../operations/define.ts';
import type { Field } from '../../operations/field.ts';
import { pascalName } from './names.ts';
import { headerRefs, KEYED_HEADERS } from './problems.ts';
import { type Components, componentRef, type JsonSchema, namedSchema } from './schemas.ts';

const OCTET = KINDS.any.mediaType;
const FILE_HEADERS = [...KEYED_HEADERS, 'Content-Disposition', 'X-Ignored-Fields', 'Idempotency-Replayed'];
const JSON_HEADERS = [...KEYED_HEADERS, 'X-Ignored-Fields', 'Idempotency-Replayed'];

/** Archives are of this type, too. */
const mayHoldPdf = (mediaType: string): boolean => [OCTET, bare(KINDS.pdf.mediaType)].includes(mediaType);

const bare = (mediaType: string): string => mediaType.split(';')[0] ?? mediaType;
function bodyOf(mediaType: string): JsonSchema {
  if (mediaType === KINDS.json.mediaType) return { schema: {} };
  return mediaType.startsWith('text/')
    ? { schema: { type: 'string' } }
    : { schema: { type: 'string', format: 'binary' } };
}

export const contentOf = (types: readonly string[]): JsonSchema =>
  Object.fromEntries(types.map((mediaType) => [mediaType, bodyOf(mediaType)]));

function fileResponse(
  description: string,
  mediaTypes: readonly string[],
  own: Record<string, string>,
): JsonSchema {
  return {
    description,
    headers: {
      ...headerRefs(...FILE_HEADERS, ...(mediaTypes.some(mayHoldPdf) ? [CLAIMS_HEADER] : [])),
      ...Object.fromEntries(
        Object.entries(own).map(([name, meaning]) => [
          name,
          { description: meaning, schema: { type: 'string' } },
        ]),
      ),
    },
    content: contentOf(mediaTypes),
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

/**
 * What a pipeline may answer: what its last step would, and the only file of an archive as what it is (operations 9.7:
 * "one file -> its own type").
 */
export function pipelineMediaTypes(operations: readonly AnyOperation[]): string[] {
  const types = operations.flatMap((op) => [
    ...mediaTypes(op.output as Output),
    ...entryKinds(op).map((kind) => bare(KINDS[kind].mediaType)),
  ]);
  // Generated clients go by the first type they know: bytes fit whatever comes.
  return [...new Set([OCTET, ...types.sort()])];
}

function entryKinds({ output, makes, params }: AnyOperation): FileKind[] {
  const { shape, whole, singleAsItself, entries } = output as ArchiveOutput;
  if (shape !== 'archive' || whole || singleAsItself) return [];
  if (!makes) return [entries];
  const choices = Object.entries(params as Record<string, Field>).filter(([, { kind }]) => kind === 'choice');
  return choices.flatMap(([name, { schema }]) =>
    (schema as z.ZodEnum).options.map((value) => makes({ [name]: value })),
  );
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
