// The HTTP face of the service: one Fastify instance, its hooks and its routes.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { KIB } from '../contract/limits.ts';
import { traceparentOf } from '../contract/trace-context.ts';
import { addMcp } from './mcp/mcp-route.ts';
import { followCalls } from './rest/call.ts';
import { allowOrigins } from './rest/cross-origin.ts';
import { endAfterBodies } from './rest/discard.ts';
import { ClientGone } from './rest/forms/body.ts';
import { TrustedProxies } from './rest/forwarded.ts';
import { BROUGHT_BYTES, HeldBytes } from './rest/held-bytes.ts';
import { checkHostNames } from './rest/host-names.ts';
import type { ServerParts } from './rest/parts.ts';
import { answerClientError, problemOf, sendFrameworkProblem, sendProblem } from './rest/problems.ts';
import { COMMON_HEADERS, requestIdFor } from './rest/response-headers.ts';
import { addAdminKeys } from './rest/routes/admin-keys.ts';
import { addBatch } from './rest/routes/batch.ts';
import { addDescription, addInfo } from './rest/routes/info.ts';
import { addJobs } from './rest/routes/jobs.ts';
import { addMetrics, recordCalls } from './rest/routes/metrics.ts';
import { addOperations } from './rest/routes/operations.ts';
import { addPipeline } from './rest/routes/pipeline.ts';
import { addUnknownPath, watchMethods } from './rest/routes/unknown-path.ts';
import { addUploads } from './rest/routes/uploads.ts';
import { addWorkbench } from './rest/routes/workbench.ts';
import { Drain } from './rest/shutdown.ts';
import { UsageCounts } from './rest/usage-counts.ts';

export type { ServerParts } from './rest/parts.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Stops accepting, lets answers in flight finish, cuts off what is left after `graceMs`. */
    shutdown(graceMs: number): Promise<void>;
  }
}

const HEADERS_TIMEOUT_MS = 20_000;
/** Node looks every 30 s unless told: slow headers would have 50 s. */
const TIMEOUTS_LOOK_MS = 2000;
/** A whole request must have arrived by then, however steadily it drips. */
const REQUEST_TIMEOUT_MS = 900_000;
/** Longer than the 60 s that proxies keep a connection: the side that closes first must be theirs. */
const KEEP_ALIVE_MS = 72_000;
/** As long as a request line can be: a segment that is too long is unknown like any other (interface 3). */
const LONGEST_PATH_SEGMENT = 16 * KIB;
/** The framework would look at their Content-Type and refuse what no route of ours minds. */
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];

export function buildServer(parts: ServerParts): FastifyInstance {
  const app = fastify({
    logger: false,
    requestIdHeader: false,
    genReqId: requestIdFor,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PATH_SEGMENT },
    frameworkErrors: (error, request, reply) => void sendFrameworkProblem(request, reply, error, parts),
    clientErrorHandler: answerClientError,
    // Node would refuse on its own, without a problem document; nothing here needs the header.
    http: { requireHostHeader: false, connectionsCheckingInterval: TIMEOUTS_LOOK_MS },
  });
  // An expectation we do not know would be answered by Node itself; it may as well be ignored.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  app.server.headersTimeout = HEADERS_TIMEOUT_MS;
  const drain = new Drain();
  drain.follow(app);
  app.decorate('shutdown', (graceMs: number) => drain.shutdown(app, graceMs, parts.config.lingerMs));

  // Bodies are read by the routes themselves, as streams.
  for (const method of METHODS_WITH_BODY)
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  // An operator who allows larger requests means to have some of them.
  const held = new HeldBytes({ brought: Math.max(BROUGHT_BYTES, 4 * parts.config.limits.requestBytes) });
  const metrics = recordCalls(parts, held);
  const usage = new UsageCounts(parts.state.usage, parts.log);
  followCalls(app, new TrustedProxies(parts.config.trustedProxies), (request, reply, answered) => {
    metrics.over(request, reply, answered);
    usage.note(request.call);
  });
  app.addHook('onClose', () => usage.close());
  const { telemetry } = parts;
  if (telemetry) {
    telemetry.sendFigures(metrics.registry);
    app.addHook('onRequest', (request, reply, done) => {
      request.call.trace = telemetry.begin(request.headers);
      reply.header('traceresponse', traceparentOf(request.call.trace));
      done();
    });
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(COMMON_HEADERS).header('x-request-id', request.id);
    done();
  });
  checkHostNames(app, parts.config);
  allowOrigins(app, parts.config.allowOrigins);
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (drain.isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
  endAfterBodies(app);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));

  const methodsFor = watchMethods(app);
  if (parts.config.role !== 'worker') {
    addOperations(app, parts, held);
    addPipeline(app, parts, held);
    addUploads(app, parts, held);
    addJobs(app, parts);
    addMcp(app, parts, held, metrics.registry);
    addAdminKeys(app, parts, held);
    addBatch(app, parts, held);
    addDescription(app, parts);
    if (parts.workbench) addWorkbench(app, parts.workbench);
  }
  addInfo(app, parts, () => drain.isDraining);
  if (parts.config.metrics) addMetrics(app, parts, metrics.registry);
  addUnknownPath(app, parts, methodsFor);
  return app;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Nobody is left to answer; the log has it as closed by the client.
  if (error instanceof ClientGone || reply.raw.destroyed) {
    request.raw.destroy();
    return reply.hijack();
  }
  return sendProblem(request, reply, problemOf(error));
}
