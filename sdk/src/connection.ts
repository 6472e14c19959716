// Where the service is and how a caller is known there.
import type { AnswerFacts, Hooks } from './types.ts';

export interface ServiceStatus {
  /** The largest body of a single request. */
  maxUploadBytes: number;
  /** The largest file of a chunked upload. */
  maxChunkedUploadBytes: number;
  uploadChunkBytes: number;
  /** Codes of the languages that text recognition knows there. */
  languages?: readonly string[];
  /** Groups of operations that the key may call; `*` is all of them. */
  scopes?: readonly string[];
  /** Operations that cannot be called there at present, each with the reason. */
  unavailable?: Readonly<Record<string, string>>;
}

export interface Connection {
  /** `path` is what follows /api/v1/. */
  send(path: string, init: RequestInit): Promise<Response>;
}

export function connect(
  baseUrl: string | URL,
  apiKey: string,
  fetcher: typeof fetch,
  hooks: Hooks = {},
): Connection {
  const base = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new TypeError(`"${baseUrl}" is no address of a service; one looks like http://127.0.0.1:8080`);
  if (!/^[\x20-\x7e]*$/.test(apiKey.trim()))
    throw new TypeError('The API key holds characters that no API key has.');
  const root = `${base.origin}${base.pathname.replace(/\/+$/, '')}/api/v1/`;
  return {
    send: (path, init) =>
      told(hooks, { method: init.method ?? 'GET', path }, () =>
        fetcher(root + path, {
          ...init,
          // Followed, it would take the key to wherever it leads.
          redirect: 'manual',
          headers: { ...(init.headers as Record<string, string> | undefined), 'x-api-key': apiKey.trim() },
        }),
      ),
  };
}

export const answerFacts = ({ status, headers }: Response): AnswerFacts => ({
  status,
  headers,
  requestId: headers.get('x-request-id') ?? undefined,
});

async function told(
  hooks: Hooks,
  request: { method: string; path: string },
  send: () => Promise<Response>,
): Promise<Response> {
  const begun = performance.now();
  const ms = (): number => performance.now() - begun;
  hooks.onRequest?.(request);
  try {
    const response = await send();
    hooks.onResponse?.({ ...request, ...answerFacts(response), ms: ms() });
    return response;
  } catch (error) {
    hooks.onFailure?.({ ...request, ms: ms(), error });
    throw error;
  }
}
