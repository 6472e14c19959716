// Where the service is and how a caller is known there.

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
}

export interface Connection {
  /** `path` is what follows /api/v1/. */
  send(path: string, init: RequestInit): Promise<Response>;
}

export function connect(baseUrl: string | URL, apiKey: string, fetcher: typeof fetch): Connection {
  const base = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new TypeError(`"${baseUrl}" is no address of a service; one looks like http://127.0.0.1:8080`);
  if (!/^[\x20-\x7e]*$/.test(apiKey.trim()))
    throw new TypeError('The API key holds characters that no API key has.');
  const root = `${base.origin}${base.pathname.replace(/\/+$/, '')}/api/v1/`;
  return {
    send: (path, init) =>
      fetcher(root + path, {
        ...init,
        // Followed, it would take the key to wherever it leads.
        redirect: 'manual',
        headers: { ...(init.headers as Record<string, string> | undefined), 'x-api-key': apiKey.trim() },
      }),
  };
}
