// A server for agents on this machine, over standard input and output. It speaks REST to a Bindery service; nothing
// but protocol messages is written to standard output.
import { readFileSync } from 'node:fs';
import { Bindery, plainLine } from '@bindery/sdk';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { AllowedFolders } from './folders.ts';
import { callTool } from './tool-calls.ts';
import { TOOLS } from './tools.ts';

const USAGE = `bindery-mcp: PDF operations for agents, on files of this machine

Settings (environment):
  BINDERY_API_KEY        API key of the service (required)
  BINDERY_URL            address of the service (default: http://127.0.0.1:8080)
  BINDERY_ALLOWED_DIRS   folders whose files may be read and written, with : between (default: the current folder)
  BINDERY_TIMEOUT_MS     for one call (default: 300000)
`;

function stop(text: string, code: number): never {
  process.stderr.write(text);
  process.exit(code);
}

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) stop(USAGE, 0);

const { BINDERY_ALLOWED_DIRS, BINDERY_TIMEOUT_MS } = process.env;
const folders = openFolders(
  (BINDERY_ALLOWED_DIRS || process.cwd()).split(':').filter((folder) => folder !== ''),
);
const bindery = openClient();
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const INSTRUCTIONS = `PDF operations on local files. Paths must lie under: ${folders.list.join(', ')}. pdf_describe_operation tells the parameters of an operation. Existing files are never replaced.`;

function openFolders(named: readonly string[]): AllowedFolders {
  try {
    return new AllowedFolders(named);
  } catch (error) {
    return stop(
      `bindery-mcp: a folder of BINDERY_ALLOWED_DIRS cannot be used: ${(error as Error).message}\n`,
      1,
    );
  }
}

function openClient(): Bindery {
  try {
    const timeoutMs = BINDERY_TIMEOUT_MS || '300000';
    if (!/^\d{1,12}$/.test(timeoutMs))
      throw new Error(`BINDERY_TIMEOUT_MS is "${timeoutMs}" but must be a number of milliseconds.`);
    return Bindery.fromEnvironment({ timeoutMs: Number(timeoutMs) });
  } catch (error) {
    return stop(`bindery-mcp: ${(error as Error).message}\n\n${USAGE}`, 1);
  }
}

function serverForAgent(): Server {
  const server = new Server(
    { name: 'bindery-mcp', title: 'Bindery', version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' } },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...TOOLS] }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) => {
      if (token === undefined) return;
      const note = { progressToken: token, progress: sentBytes, total: totalBytes, message: 'sending' };
      mcpReq.notify({ method: 'notifications/progress', params: note }).catch(() => {});
    };
    const options = { signal: mcpReq.signal, onProgress };
    const result = await callTool({ bindery, folders }, params.name, params.arguments, options);
    if (result) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
  });
  return server;
}

serveStdio(serverForAgent, {
  onerror: (error) => process.stderr.write(`bindery-mcp: ${plainLine(error.message)}\n`),
});
