// A server for agents on this machine, over standard input and output. It speaks REST to a Bindery service; nothing
// but protocol messages is written to standard output.
import { readFileSync } from 'node:fs';
import { Bindery, type Progress, plainLine } from '@bindery/sdk';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { AllowedFolders } from './folders.ts';
import { callTool } from './tool-calls.ts';
import { toolsWithout } from './tools.ts';

const USAGE = `bindery-mcp: PDF operations for agents, on files of this machine

Settings (environment):
  BINDERY_API_KEY        API key of the service (required)
  BINDERY_URL            address of the service (default: http://127.0.0.1:8080)
  BINDERY_ALLOWED_DIRS   folders whose files may be read and written, with : between (default: the current folder)
  BINDERY_TIMEOUT_MS     for one call (default: 300000)
  BINDERY_PATIENCE_MS    after which a call is answered with a job (default: 45000, 240000 where the host follows progress)
`;

function stop(text: string, code: number): never {
  process.stderr.write(text);
  process.exit(code);
}

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) stop(USAGE, 0);

const { BINDERY_ALLOWED_DIRS } = process.env;
const folders = openFolders(
  (BINDERY_ALLOWED_DIRS || process.cwd()).split(':').filter((folder) => folder !== ''),
);
const bindery = openClient();
const patience = numberIn('BINDERY_PATIENCE_MS');
/** Hosts give up after a minute unless they are told of progress. */
const PATIENCE_MS = 45_000;
const PATIENCE_WITH_PROGRESS_MS = 240_000;
/** The share of a call that bringing its files counts for. */
const SENDING = 0.1;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const INSTRUCTIONS = `PDF operations on local files. Paths must lie under: ${folders.list.join(', ')}. pdf_describe_operation tells the parameters of an operation. Existing files are never replaced. Long work is answered with a job: pdf_job goes on with it.`;

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

function numberIn(name: 'BINDERY_TIMEOUT_MS' | 'BINDERY_PATIENCE_MS'): number | undefined {
  const text = process.env[name];
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return stop(`bindery-mcp: ${name} is "${text}" but must be a number of milliseconds.\n\n${USAGE}`, 1);
}

function openClient(): Bindery {
  try {
    return Bindery.fromEnvironment({ timeoutMs: numberIn('BINDERY_TIMEOUT_MS') ?? 300_000 });
  } catch (error) {
    return stop(`bindery-mcp: ${(error as Error).message}\n\n${USAGE}`, 1);
  }
}

const STATUS_MS = 3000;

/** What the service cannot do; where it does not say so in time, agents hear of it when they ask. */
async function unavailable(): Promise<Readonly<Record<string, string>>> {
  try {
    return (await bindery.status({ timeoutMs: STATUS_MS, retries: 0 })).unavailable ?? {};
  } catch {
    return {};
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
  server.setRequestHandler('tools/list', async () => ({ tools: toolsWithout(await unavailable()) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    const wantsProgress = token !== undefined;
    // What was told may only grow: first the files arrive, then the work goes on.
    let told = -1;
    const onProgress = ({ sentBytes, totalBytes, work }: Progress) => {
      const sent = totalBytes > 0 ? sentBytes / totalBytes : 0;
      const progress = work ? SENDING + (1 - SENDING) * work.done : SENDING * sent;
      if (token === undefined || progress <= told) return;
      told = progress;
      const note = { progressToken: token, progress, total: 1, message: work?.message ?? 'sending' };
      mcpReq.notify({ method: 'notifications/progress', params: note }).catch(() => {});
    };
    const patienceMs = patience ?? (wantsProgress ? PATIENCE_WITH_PROGRESS_MS : PATIENCE_MS);
    const options = { signal: mcpReq.signal, onProgress, patienceMs, wantsProgress };
    const result = await callTool({ bindery, folders }, params.name, params.arguments, options);
    if (result) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
  });
  return server;
}

serveStdio(serverForAgent, {
  onerror: (error) => process.stderr.write(`bindery-mcp: ${plainLine(error.message)}\n`),
});
