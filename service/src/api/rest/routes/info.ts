// What the service says of itself: status, health, its description.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { EngineStates } from '../../../jobs/runner.ts';
import { findKey } from '../authentication.ts';
import { gate } from '../gate.ts';
import type { ServerParts } from '../parts.ts';
import { sendJson } from '../send-json.ts';

export function addInfo(app: FastifyInstance, parts: ServerParts, isDraining: () => boolean): void {
  const { config, runner, state, version, reportKey, isolation } = parts;

  app.get(
    '/api/v1/info/status',
    { onRequest: gate(parts, { operation: 'info/status' }) },
    (request, reply) => {
      const { requestBytes, uploadBytes, chunkBytes } = config.limits;
      return sendJson(request, reply, 200, {
        maxUploadBytes: requestBytes,
        maxChunkedUploadBytes: uploadBytes,
        uploadChunkBytes: chunkBytes,
        status: 'UP',
        version,
        // Of text recognition; empty until a worker has told what this machine has.
        languages: runner.engines()?.tesseract.languages ?? [],
      });
    },
  );

  // Without a key: whoever was given a report may check it.
  app.get('/api/v1/info/redaction-key', (request, reply) => {
    request.call.operation = 'info/redaction-key';
    return sendJson(request, reply, 200, reportKey);
  });

  // Without a key, for load balancers and containers; these never wait for anything.
  // Whoever restarts what is not live must not do so because Redis is away or a stop is under way.
  app.get('/api/v1/info/live', (request, reply) => {
    request.call.operation = 'info/live';
    return sendJson(request, reply, 200, { live: true });
  });

  app.get('/api/v1/info/ready', (request, reply) => {
    request.call.operation = 'info/ready';
    const why = notReady();
    if (why === undefined) return sendJson(request, reply, 200, { ready: true });
    return sendJson(request, reply, 503, { ready: false, why });
  });

  /** What callers would run into. */
  function notReady(): 'starting' | 'stopping' | 'unreachable' | undefined {
    if (isDraining()) return 'stopping';
    if (state.unreachable().length > 0) return 'unreachable';
    return runner.engines() === undefined ? 'starting' : undefined;
  }

  app.get('/api/v1/info/health', async (request, reply) => {
    request.call.operation = 'info/health';
    const engines = runner.engines();
    const unreachable = state.unreachable();
    // Which version of an engine is here is nobody's business who may not use it.
    const isKnown =
      unreachable.length === 0 &&
      (await findKey(request, state.keys).then(
        (key) => key !== undefined,
        () => false,
      ));
    const ready = notReady() === undefined;
    return sendJson(request, reply, ready ? 200 : 503, {
      status: engines === undefined ? 'STARTING' : 'UP',
      live: true,
      ready,
      isolation,
      engines: isKnown ? (engines ?? {}) : withoutVersions(engines),
      ...(unreachable.length > 0 && { unreachable }),
    });
  });
}

const withoutVersions = (engines: EngineStates = {} as EngineStates): object =>
  Object.fromEntries(Object.entries(engines).map(([name, { version: _, ...state }]) => [name, state]));

/** RFC 9110 13.1.2: a list of tags, weak ones too, or any. */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));

export function addDescription(app: FastifyInstance, { openapi, version }: ServerParts): void {
  const body = Buffer.from(openapi);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

  app.get('/v1/openapi.json', (request, reply) => {
    request.call.operation = 'openapi';
    reply.header('etag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    request.call.bytesOut = body.length;
    return reply.header('content-type', 'application/json').send(body);
  });

  app.get('/', (request, reply) => {
    request.call.operation = 'root';
    return sendJson(request, reply, 200, { name: 'bindery', version, description: '/v1/openapi.json' });
  });
}
