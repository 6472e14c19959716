// Messages of agents, answered by the protocol's library.
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller, McpParts } from './caller.ts';
import { serverFor } from './protocol.ts';
import { type ToolList, toolList } from './tools.ts';

const EVENT_STREAM = 'text/event-stream';

export interface Answerer {
  answer(message: Request, caller: Caller): Promise<Response>;
  close(): Promise<void>;
}

export function createAnswerer(parts: McpParts): Answerer {
  const list = toolList((path) => parts.turnedOff.has(path));
  const handler = createMcpHandler(({ authInfo }) => serverFor(parts, callerIn(authInfo), list), {
    onerror: (error) => parts.log.info('mcp request refused', { error: error.message }),
  });
  return {
    answer: async (message, caller) =>
      (await wantsPlainJson(message))
        ? plainJson(parts, list, message, caller)
        : handler.fetch(message, { authInfo: passOf(caller) }),
    close: () => handler.close(),
  };
}

/** The caller goes through the library as what it calls a token; it was checked at the gate. */
const passOf = (caller: Caller): AuthInfo => ({
  token: '',
  clientId: caller.key.id,
  scopes: [...caller.key.scopes],
  extra: { caller },
});

function callerIn(pass: AuthInfo | undefined): Caller {
  const caller = pass?.extra?.caller as Caller | undefined;
  if (!caller) throw new Error('a message came without its caller');
  return caller;
}

/** Clients of before 2026 that accept plain JSON only are answered so, instead of being refused. */
async function wantsPlainJson(message: Request): Promise<boolean> {
  const wantsEvents = (message.headers.get('accept') ?? '').includes(EVENT_STREAM);
  return !wantsEvents && isLegacyRequest(message.clone());
}

async function plainJson(
  parts: McpParts,
  list: ToolList,
  message: Request,
  caller: Caller,
): Promise<Response> {
  const server = serverFor(parts, caller, list);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const headers = new Headers(message.headers);
  headers.set('accept', `application/json, ${EVENT_STREAM}`);
  return transport.handleRequest(new Request(message, { headers }));
}
