// What a person who started the service needs to know, on standard output.
import type { EngineStates } from './engines/engines.ts';
import type { Runner } from './jobs/runner.ts';

interface Facts {
  address: string;
  version: string;
  runner: Runner;
  isolation(): string | undefined;
  /** The page for people. */
  page: 'on' | 'off' | 'not built';
  newSecret?: string;
  fromEnvironment: boolean;
}

const ENGINES_WAIT_MS = 10_000;
const POLL_MS = 25;

const ISOLATION_WORDS: Record<string, string> = {
  bwrap: 'workers see no network and only their own files (bubblewrap)',
  'bwrap-landlock': 'workers see no network and only their own files (bubblewrap and Landlock)',
  landlock:
    'workers see no network and only their own files (Landlock); install bubblewrap and allow user namespaces to hide processes, too',
  none: 'NONE: documents can reach everything that this user can (BINDERY_ISOLATION=none)',
};

export async function announce(facts: Facts): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(`Bindery ${facts.version} listens on ${facts.address}`);
  say(`API key: ${keyLine(facts)}`);
  const page = pageLine(facts);
  if (page !== undefined) say(`Workbench: ${page}`);
  const engines = await enginesFound(facts.runner);
  const isolation = facts.isolation();
  say(`Isolation: ${ISOLATION_WORDS[isolation ?? ''] ?? 'told by the nodes that work on documents'}`);
  say(`Engines: ${engineLine(engines)}`);
  for (const [name, { note }] of Object.entries(engines ?? {})) if (note) say(`Note on ${name}: ${note}`);
}

function keyLine({ newSecret, fromEnvironment }: Facts): string {
  if (newSecret !== undefined) return `${newSecret} (shown this once; kept only hashed)`;
  if (fromEnvironment) return 'the one in BINDERY_API_KEY';
  return 'made earlier; `npx bindery keys create` makes another';
}

/** A key in the fragment is never sent to a server; the page takes it over and clears it. */
function pageLine({ page, address, newSecret }: Facts): string | undefined {
  if (page === 'off') return undefined;
  if (page === 'not built') return 'was not built; npm run setup builds it';
  return newSecret === undefined ? `${address}/` : `${address}/#key=${newSecret} (open it in a browser)`;
}

async function enginesFound(runner: Runner): Promise<EngineStates | undefined> {
  const until = Date.now() + ENGINES_WAIT_MS;
  while (runner.engines() === undefined && Date.now() < until)
    await new Promise((next) => setTimeout(next, POLL_MS));
  return runner.engines();
}

function engineLine(engines: EngineStates | undefined): string {
  if (!engines) return 'no worker has started yet; see the log';
  const found = Object.entries(engines);
  const have = found
    .filter(([, state]) => state.available)
    .map(([name, { version }]) => (version ? `${name} ${version}` : name));
  const lack = found
    .filter(([, state]) => !state.available)
    .map(([name, { missing }]) => `${name} (${missing})`);
  return lack.length === 0
    ? have.join(', ')
    : `${have.join(', ') || 'none'}. Not available: ${lack.join(', ')}`;
}
