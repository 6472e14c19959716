// What the service says of itself: status, health, its description.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EngineStates } from '../../../jobs/runner.ts';
import { findKey } from '../authentication.ts';
import { isKnownTag } from '../entity-tags.ts';
import { gate } from '../gate.ts';
import type { ServerParts } from '../parts.ts';
import { sendJson } from '../send-json.ts';
import { unavailableOperations } from '../unavailable.ts';
import { sendPageFile, wantsPage } from './workbench.ts';

export function addInfo(app: FastifyInstance, parts: ServerParts, isDraining: () => boolean): void {
  const { config, runner, state, version, reportKey, isolation } = parts;

  app.get(
    '/api/v1/info/status',
    { onRequest: gate(parts, { operation: 'info/status' }) },
    (request, reply) => {
      const { requestBytes, uploadBytes, chunkBytes } = config.limits;
      const unavailable = unavailableOperations(parts);
      return sendJson(request, reply, 200, {
        maxUploadBytes: requestBytes,
        maxChunkedUploadBytes: uploadBytes,
        uploadChunkBytes: chunkBytes,
        status: 'UP',
        version,
        // Of text recognition; empty until a worker has told what this machine has.
        languages: runner.engines()?.tesseract.languages ?? [],
        scopes: request.call.key?.scopes ?? [],
        ...(Object.keys(unavailable).length > 0 && { unavailable }),
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

  const health = async (request: FastifyRequest, reply: FastifyReply) => {
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
      isolation: isolation(),
      engines: isKnown ? (engines ?? {}) : withoutVersions(engines),
      ...(unreachable.length > 0 && { unreachable }),
    });
  };
  app.get('/api/v1/info/health', health);
  // Where people and their tools look first.
  app.get('/health', health);
  // Browsers ask for it whatever stands in the page.
  if (!parts.workbench?.files['/favicon.ico'])
    app.get('/favicon.ico', (request, reply) => {
      request.call.operation = 'favicon';
      return reply.code(204).send();
    });
}

const withoutVersions = (engines: EngineStates = {} as EngineStates): object =>
  Object.fromEntries(Object.entries(engines).map(([name, { version: _, ...state }]) => [name, state]));

export function addDescription(app: FastifyInstance, { openapi, version, workbench }: ServerParts): void {
  const body = Buffer.from(openapi);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

  app.get('/v1/openapi.json', (request, reply) => {
    request.call.operation = 'openapi';
    reply.header('etag', etag);
    if (isKnownTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    request.call.bytesOut = body.length;
    return reply.header('content-type', 'application/json').send(body);
  });

  app.get('/', (request, reply) => {
    const page = workbench?.files['/'];
    if (workbench && page && wantsPage(request)) return sendPageFile(request, reply, workbench.folder, page);
    request.call.operation = 'root';
    if (workbench) reply.header('vary', 'Accept');
    return sendJson(request, reply, 200, { name: 'bindery', version, description: '/v1/openapi.json' });
  });
}
