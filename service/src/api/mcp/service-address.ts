// The address under which a caller reaches the service, for links it is given.
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { isLoopback } from '../rest/host-names.ts';

/** RFC 9112 3.2, 3986 3.2.2: a registered name or an address, and a port; of the characters names have in practice. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?\.?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Told at the start, where nothing says how callers reach a service that not only this machine calls. */
export function doubtOfAddress({
  host,
  baseUrl,
  trustedProxies,
  serverNames,
}: Pick<Config, 'host' | 'baseUrl' | 'trustedProxies' | 'serverNames'>): string | undefined {
  if (baseUrl !== null || trustedProxies.length > 0) return undefined;
  if (isLoopback(host) && serverNames.length === 0) return undefined;
  return 'addresses for agents to send and fetch files begin with http:// and the Host header: behind a proxy or TLS they are wrong; set BINDERY_BASE_URL or BINDERY_TRUSTED_PROXIES';
}

/** Whether somebody in between says how the caller came, and is not believed. */
export const hasUnheardProxy = ({ headers, call }: FastifyRequest, { baseUrl }: Config): boolean =>
  baseUrl === null &&
  call.from.host === undefined &&
  call.from.protocol === undefined &&
  [headers['x-forwarded-proto'], headers['x-forwarded-host'], headers.forwarded].some(Boolean);

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
