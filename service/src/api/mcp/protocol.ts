// The protocol's server for one request: made anew each time, its lists made once.
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { Caller, McpParts, ToldOfCall } from './caller.ts';
import { RESOURCE_TEMPLATES, RESOURCES, readResource } from './resources.ts';
import { callTool } from './tool-calls.ts';
import type { ToolList } from './tools.ts';

const nothingTold = (): ToldOfCall => ({ operation: '', reason: '', bytesIn: 0, bytesOut: 0 });

/** The request that carried it is `mcp` to log and metrics: here is what it asked for. */
function recordCall(parts: McpParts, caller: Caller, tool: string, told: ToldOfCall, ms: number): void {
  parts.metrics.recordTool({ tool, ...told });
  parts.log.info('tool call', {
    requestId: caller.requestId,
    key: caller.key.id,
    tool,
    ...told,
    ms: Math.round(ms * 10) / 10,
  });
}

/** Of 100: what is told while the result is brought stays below the whole. */
const MOST_MEASURED = 99;

/** Lists change only with the version and the settings of the service. */
const CACHED = { ttlMs: 3_600_000, cacheScope: 'public' as const };

export function serverFor(parts: McpParts, caller: Caller, { tools, instructions }: ToolList): Server {
  const server = new Server(
    { name: 'bindery', title: 'Bindery', version: parts.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      cacheHints: {
        'tools/list': CACHED,
        'resources/list': CACHED,
        'resources/templates/list': CACHED,
        'server/discover': CACHED,
      },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    readResource(
      {
        ...{ ...caller, parts, signal: mcpReq.signal, told: nothingTold() },
        ...{ progress: () => {}, wantsProgress: false },
      },
      params.uri,
    ),
  );
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { notify, _meta } = mcpReq;
    const signal = caller.cancelled ? AbortSignal.any([mcpReq.signal, caller.cancelled]) : mcpReq.signal;
    const token = _meta?.progressToken;
    let notes = 0;
    let isMeasured = false;
    const progress = (message: string, done?: number): void => {
      if (token === undefined) return;
      isMeasured ||= done !== undefined;
      // The protocol wants it to rise with each note, if by next to nothing.
      notes = Math.max(notes + (isMeasured ? 0.001 : 1), (done ?? 0) * MOST_MEASURED);
      const scale = isMeasured ? { total: 100 } : {};
      const note = { progressToken: token, progress: notes, ...scale, message };
      notify({ method: 'notifications/progress', params: note }).catch(() => {});
    };
    const told = nothingTold();
    const begun = performance.now();
    const wantsProgress = token !== undefined;
    const context = { ...caller, parts, signal, told, progress, wantsProgress };
    const isThere = tools.some(({ name }) => name === params.name);
    const called = isThere ? callTool(context, params.name, params.arguments) : undefined;
    if (called === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name}. Tools: ${names}.`,
      );
    }
    return called.finally(() => recordCall(parts, caller, params.name, told, performance.now() - begun));
  });
  return server;
}
