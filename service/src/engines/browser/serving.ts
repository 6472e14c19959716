// Who answers the requests of a page. Chromium itself reaches nothing: each request is paused and answered here, from
// what the job holds or by the job's way out, or refused.
import type { Connection, ProtocolEvent } from './connection.ts';

export interface PageRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  /** The page itself, as against what it loads and the frames in it. */
  isPage: boolean;
}

export interface PageAnswer {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
}

/** Undefined refuses. */
export type Server = (request: PageRequest) => Promise<PageAnswer | undefined>;

interface Paused {
  requestId: string;
  frameId?: string;
  resourceType?: string;
  request: {
    url: string;
    method: string;
    headers: Record<string, string>;
    postDataEntries?: { bytes?: string }[];
  };
}

export interface Serving {
  /** Settles when no request has been waiting for so long. */
  quiet(forMs: number): Promise<void>;
  /** Refuses what is still waited for. */
  refuseWaiting(): void;
  stop(): void;
}

/** Answers every request of the browser until it is stopped; there is one page at a time. */
export function serve(connection: Connection, mainFrameId: string, server: Server): Serving {
  let underWay = 0;
  let lastAt = performance.now();
  let refusing = Promise.withResolvers<undefined>();
  const answer = async ({ requestId, frameId, resourceType, request }: Paused): Promise<void> => {
    underWay += 1;
    const isDocument = resourceType === 'Document';
    const asked = server({
      url: request.url,
      method: request.method,
      headers: request.headers,
      body: bodyOf(request.postDataEntries),
      isPage: isDocument && frameId === mainFrameId,
    });
    const answered = await Promise.race([asked.catch(() => undefined), refusing.promise]);
    underWay -= 1;
    lastAt = performance.now();
    if (!answered) {
      // A navigation that is called off leaves the page as it is; one that fails puts the browser's own page there.
      const errorReason = isDocument ? 'Aborted' : 'BlockedByClient';
      connection.tell('Fetch.failRequest', { requestId, errorReason });
      return;
    }
    connection.tell('Fetch.fulfillRequest', {
      requestId,
      responseCode: answered.status,
      responseHeaders: answered.headers.map(([name, value]) => ({ name, value })),
      body: Buffer.from(answered.body).toString('base64'),
    });
  };
  const stop = connection.listen(({ method, params }: ProtocolEvent) => {
    if (method === 'Fetch.requestPaused') void answer(params as unknown as Paused);
  });
  return {
    stop,
    refuseWaiting() {
      refusing.resolve(undefined);
      refusing = Promise.withResolvers();
    },
    async quiet(forMs) {
      while (underWay > 0 || performance.now() - lastAt < forMs)
        await new Promise((next) => setTimeout(next, Math.min(10, forMs || 1)));
    },
  };
}

function bodyOf(entries: { bytes?: string }[] | undefined): Uint8Array | undefined {
  if (!entries || entries.length === 0) return undefined;
  return Buffer.concat(entries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64')));
}
