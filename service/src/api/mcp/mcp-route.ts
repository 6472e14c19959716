// POST /mcp: the same operations for agents, over the Model Context Protocol, without sessions. And the files that
// agents send and fetch by signed address.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { excessOf } from '../../contract/bounded-json.ts';
import { LIMITS, MIB } from '../../contract/limits.ts';
import { contentDisposition } from '../../contract/names.ts';
import { Problem } from '../../contract/problems.ts';
import type { KeptFile } from '../../state/state.ts';
import { callerOf, disconnectSignal, onceOver } from '../rest/call.ts';
import { isAllowedOrigin } from '../rest/cross-origin.ts';
import { readBody, refuseDeclaredSize } from '../rest/forms/body.ts';
import { watched } from '../rest/forms/chunk-body.ts';
import { type Gate, gate } from '../rest/gate.ts';
import type { HeldBytes } from '../rest/held-bytes.ts';
import type { Metrics } from '../rest/metrics.ts';
import type { ServerParts } from '../rest/parts.ts';
import { countCall, countKeyed, requireRate } from '../rest/rate-limit.ts';
import { uploadNotFound } from '../rest/upload-claims.ts';
import type { Answerer } from './answerer.ts';
import type { McpParts } from './caller.ts';
import { refusal, wrongSize } from './kept-files.ts';
import { messagesIn } from './messages.ts';
import { OlderSessions, SESSION_HEADER } from './older-sessions.ts';
import { hasUnheardProxy, serviceAddress } from './service-address.ts';
import { type FileVerb, SignedAddresses } from './signed-addresses.ts';

const PATH = '/mcp';
/** A message; files come by address, or in chunks of 1 MB of base64. */
const MESSAGE_BYTES = 4 * MIB;
/** A message is held as bytes, as text and as values. */
const MESSAGE_TIMES = 4;
/** What stands around the JSON of a field: the message, its parameters, its arguments, the steps. */
const MESSAGE_DEPTH = LIMITS.jsonDepth + 10;

export function addMcp(app: FastifyInstance, base: ServerParts, held: HeldBytes, metrics: Metrics): void {
  const parts: McpParts = {
    ...base,
    metrics,
    addresses: new SignedAddresses(base.state.signingSecret),
  };
  // The protocol's library is loaded when the first agent comes: a service without agents is 7 MB smaller.
  let loading: Promise<Answerer> | undefined;
  const answerer = (): Promise<Answerer> => {
    loading ??= import('./answerer.ts').then(({ createAnswerer }) => createAnswerer(parts));
    return loading;
  };
  app.addHook('onClose', async () => (await loading)?.close());

  const sessions = new OlderSessions();
  let hasWarned = false;
  const onRequest = [checkOrigin(parts), gate(parts, { operation: 'mcp', maxBytes: MESSAGE_BYTES })];
  app.post(PATH, { onRequest }, async (request, reply) => {
    const share = held.share();
    onceOver(reply.raw, share.giveBack);
    const body = await readBody(request.raw, MESSAGE_BYTES, share, MESSAGE_TIMES);
    request.call.bytesIn = body.length;
    const excess = excessOf(body, MESSAGE_DEPTH);
    if (excess !== undefined) throw new Problem('bad_request', `The message ${excess}.`);
    const message = messageOf(request, body, disconnectSignal(reply.raw));
    const key = callerOf(request);
    const messages = messagesIn(body);
    // The first was counted at the gate.
    if (messages.length > 1)
      requireRate(await countCall(key, reply, parts.state.rates, parts.config.rate, messages.length - 1));
    const alone = messages.length === 1 ? messages[0] : undefined;
    const session = sessions.enter(key.id, request.headers[SESSION_HEADER]?.toString(), alone ?? {});
    onceOver(reply.raw, session.leave);
    if (session.newSession !== undefined) reply.header(SESSION_HEADER, session.newSession);
    if (!hasWarned && hasUnheardProxy(request, parts.config)) {
      hasWarned = true;
      const proxy = request.call.from.address;
      parts.log.warn(
        'addresses for agents may be wrong: a proxy is not trusted; see BINDERY_TRUSTED_PROXIES and BINDERY_BASE_URL',
        { proxy },
      );
    }
    const caller = {
      ...{ key, share, requestId: request.id, trace: request.call.trace, cancelled: session.cancelled },
      base: serviceAddress(request, parts.config),
    };
    return sendResponse(reply, await (await answerer()).answer(message, caller));
  });
  addFiles(app, parts);
}

/** The protocol's own rule against pages that call a server of the local network: an unknown Origin is refused. */
function checkOrigin(parts: McpParts): Gate {
  const { allowOrigins, baseUrl } = parts.config;
  const own = baseUrl === null ? undefined : new URL(baseUrl).origin.toLowerCase();
  return async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined || isAllowedOrigin(origin, allowOrigins) || origin.toLowerCase() === own) return;
    await countKeyed(request, reply, parts);
    throw new Problem(
      'forbidden',
      'Pages of this origin may not call the service; see BINDERY_ALLOW_ORIGINS.',
    );
  };
}

function messageOf(request: FastifyRequest, body: Buffer, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !/^(?:content-length|connection|host)$/.test(name))
      headers.set(name, String(value));
  }
  return new Request(`http://localhost${PATH}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
    signal,
  });
}

function sendResponse(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'cache-control') reply.header(name, value);
  return reply.send(response.body === null ? '' : Readable.fromWeb(response.body as never));
}

function addFiles(app: FastifyInstance, parts: McpParts): void {
  const { files } = parts.state;
  const path = `${PATH}/files/:id`;

  app.put(path, async (request, reply) => {
    request.call.operation = 'mcp';
    const id = permitted(parts, request, 'put');
    const maxBytes = parts.config.limits.uploadBytes;
    refuseDeclaredSize(request.raw, maxBytes);
    const file = await liveFile(parts, id);
    if (file.ready) throw uploadNotFound();
    const { declaredSize } = file;
    const coming = request.headers['content-length'];
    if (declaredSize !== undefined && coming !== undefined && Number(coming) !== declaredSize)
      throw wrongSize(declaredSize, `${coming} bytes are being sent`);
    const body = watched(request.raw);
    const caps = { maxBytes, storageBytes: parts.config.limits.uploadStorageBytes, last: true };
    const written = await body.guard(files.write(id, 0, body.data, caps));
    if (written === 'insufficient_storage') throw refusal(written);
    if (written === 'too_large') throw new Problem('payload_too_large', `A file may have ${maxBytes} bytes.`);
    if (written === 'wrong_size') throw wrongSize(declaredSize, 'another number came');
    if (typeof written === 'string') throw uploadNotFound();
    request.call.bytesIn = written.size;
    return reply.code(201).send({ file_id: id, size: written.size });
  });

  app.get(path, async (request, reply) => {
    request.call.operation = 'mcp';
    const id = permitted(parts, request, 'get');
    const file = await liveFile(parts, id);
    if (!file.ready) throw uploadNotFound();
    request.call.bytesOut = file.size;
    reply
      .header('content-type', file.mediaType)
      .header('content-length', String(file.size))
      .header('content-disposition', contentDisposition(file.filename));
    return reply.send(await (await files.bytesOf(file)).stream());
  });
}

/** A signed address says what its key may: it ends with the key. */
async function liveFile({ state }: McpParts, id: string): Promise<KeptFile> {
  const file = await state.files.find(id);
  if (file === undefined || !(await state.keys.isLive(file.owner))) throw uploadNotFound();
  return file;
}

/** The id, if the address carries leave; all else is as if it were not there. */
function permitted({ addresses }: McpParts, request: FastifyRequest, verb: FileVerb): string {
  const { id } = request.params as { id: string };
  const { until, signature } = request.query as { until?: unknown; signature?: unknown };
  if (addresses.isGood(verb, id, String(until), String(signature))) return id;
  throw uploadNotFound();
}
