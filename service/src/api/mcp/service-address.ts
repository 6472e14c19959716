// The address under which a caller reaches the service, for links it is given.
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** RFC 9112 3.2, 3986 3.2.2: a registered name or an address, and a port; of the characters names have in practice. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?\.?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * As the operator says; else as this caller came, where its Host header is one; else where its connection ends. The
 * header is the caller's text: anything else in it would stand in an address and in a line for a shell. X-Forwarded-*
 * count where a trusted proxy wrote them.
 */
export function serviceAddress(request: FastifyRequest, { baseUrl }: Config): string {
  if (baseUrl !== null) return baseUrl;
  const { headers, socket, call } = request;
  const host = call?.from.host ?? headers.host;
  const protocol = call?.from.protocol ?? request.protocol;
  if (host !== undefined && HOST.test(host) && URL.canParse(`${protocol}://${host}`))
    return `${protocol}://${host}`;
  const bound = (socket.localAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/, '');
  return `${protocol}://${bound.includes(':') ? `[${bound}]` : bound}:${socket.localPort}`;
}
