// Bodies of everything that is not an operation.

import type { Config } from '../../config.ts';
import { ISOLATION_LEVELS } from '../../jobs/isolation.ts';
import { type Components, componentRef, type JsonSchema } from './schemas.ts';

const bytes = (description: string): JsonSchema => ({ type: 'integer', format: 'int64', description });

/** An object all of whose members are there, unless named as optional. */
function object(properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

export const DELIVERED_RESULT: JsonSchema = object({
  filename: {
    type: ['string', 'null'],
    description: 'The name that the result would have had; null where it has none.',
  },
  mediaType: { type: 'string', description: 'Media type of the result.' },
  size: bytes('Size of the result in bytes.'),
  status: { type: 'integer', description: 'What the PUT was answered with.' },
  location: { type: 'string', description: 'Where the result went: the address without its query.' },
});

export const serviceSchemas = (limits: Config['limits']): Components => ({
  PipelineStep: {
    type: 'object',
    properties: {
      op: {
        type: 'string',
        description:
          'Path of an operation; its last segment alone will do where that is unique. Another name: operation.',
        examples: ['general/rotate-pdf', '/api/v1/general/rotate-pdf', 'rotate-pdf'],
      },
      params: {
        type: 'object',
        description:
          'The fields of the operation as JSON values. Further files: `<field>@upload` with the id of an upload, `<field>@url` with its address, `<field>@part` with the name of a part of this request; arrays where the field takes several. Another name: parameters.',
      },
    },
    required: ['op'],
  },
  UploadRequest: object(
    {
      filename: { type: 'string', minLength: 1, maxLength: 1024, description: 'Name of the file.' },
      size: { ...bytes('Size of the file in bytes.'), minimum: 1, maximum: limits.uploadBytes },
      contentType: { type: ['string', 'null'], maxLength: 255, description: 'Media type of the file.' },
    },
    ['contentType'],
  ),
  Upload: object({
    id: componentRef('UploadId'),
    chunkSize: bytes('Size in bytes of each chunk except the last.'),
    chunkCount: { type: 'integer', description: 'Number of chunks expected.' },
    maxBytes: bytes('Largest size an upload may have.'),
    expiresAt: { type: 'string', format: 'date-time', description: 'When the upload expires.' },
  }),
  CompletedUpload: object({
    id: componentRef('UploadId'),
    filename: { type: 'string', description: 'Name of the file.' },
    size: bytes('Size of the file in bytes.'),
  }),
  Status: object(
    {
      maxUploadBytes: bytes('Largest body of one request.'),
      maxChunkedUploadBytes: bytes('Largest chunked upload.'),
      uploadChunkBytes: bytes('Size of a chunk.'),
      status: { type: 'string', description: '`UP`.' },
      version: { type: 'string', description: 'Version of the service.' },
      languages: {
        type: 'array',
        items: { type: 'string' },
        description: 'Codes of the languages that misc/ocr-pdf can read here.',
      },
      scopes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Groups of operations that this key may call; `*` is all of them.',
      },
      unavailable: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description:
          'Operations that cannot be called here at present, each with the reason: turned off by the operator, or an engine is missing. Absent where every operation can be called.',
      },
    },
    ['unavailable'],
  ),
  RedactionKey: object({
    keyId: {
      type: 'string',
      description: 'SHA-256 of the key (SubjectPublicKeyInfo, DER) in hexadecimal, as signature.keyId says.',
    },
    algorithm: { type: 'string', enum: ['Ed25519'], description: 'What it signs by.' },
    publicKey: { type: 'string', description: 'The public key (SubjectPublicKeyInfo) as PEM.' },
  }),
  Live: object({ live: { type: 'boolean', description: 'The process answers.' } }),
  Ready: object(
    {
      ready: { type: 'boolean', description: 'Requests will be served.' },
      why: {
        type: 'string',
        enum: ['starting', 'stopping', 'unreachable'],
        description:
          'Why not: no worker is up yet, a stop is under way, or servers that several machines share do not answer.',
      },
    },
    ['why'],
  ),
  Health: object(
    {
      status: { type: 'string', enum: ['STARTING', 'UP'], description: 'Whether workers are up.' },
      live: { type: 'boolean', description: 'The process answers.' },
      ready: { type: 'boolean', description: 'Requests will be served.' },
      isolation: {
        type: 'string',
        enum: [...ISOLATION_LEVELS],
        description: 'How workers are kept from the machine; absent while no worker is known.',
      },
      unreachable: {
        type: 'array',
        items: { type: 'string' },
        description: 'Servers that several machines share and that do not answer at present: Redis, S3.',
      },
      engines: {
        type: 'object',
        description: 'What this machine has of each engine, by its name.',
        additionalProperties: object(
          {
            available: { type: 'boolean', description: 'It can be used.' },
            version: { type: 'string', description: 'Its version.' },
            missing: { type: 'string', description: 'What to install where it is missing.' },
            note: { type: 'string', description: 'What to know of it though it works.' },
            languages: {
              type: 'array',
              items: { type: 'string' },
              description: 'Codes of the languages it knows here.',
            },
          },
          ['version', 'missing', 'note', 'languages'],
        ),
      },
    },
    ['unreachable', 'isolation'],
  ),
});
