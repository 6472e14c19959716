import type { FastifyReply, FastifyRequest } from 'fastify';

/** JSON as bytes: the framework would look for a schema and add a charset the contract does not name. */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  value: unknown,
): FastifyReply {
  const body = Buffer.from(JSON.stringify(value));
  request.call.bytesOut = body.length;
  return reply.code(status).header('content-type', 'application/json').send(body);
}
