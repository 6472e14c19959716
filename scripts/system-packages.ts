// Installs system packages that are missing, by apt, where this user may; says what it does, and never fails:
// what cannot be installed is reported, and the service starts without it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SYSTEM_PACKAGES, type SystemPackage } from '../service/src/engines/packages.ts';
import { isPresent, type Places, placesOf } from '../service/src/engines/present.ts';

/** Where things are on this machine; tests hand in another one. */
export interface Machine extends Places {
  aptLists: string;
  isRoot: boolean;
  /** Whether somebody is there to type a password for sudo. */
  onTerminal: boolean;
  /** Remembers what failed, so that the next start does not wait for it again. */
  memory: string;
  say(text: string): void;
}

const RETRY_AFTER_MS = 3600_000;
const APT_TIMEOUT_MS = 1200_000;
const INSTALL = ['install', '-y', '-q', '--no-install-recommends'];
// A fresh machine may be updating itself just now; a dead mirror must not hold the start for minutes.
const APT_OPTIONS = [
  '-o',
  'DPkg::Lock::Timeout=120',
  '-o',
  'Acquire::http::Timeout=30',
  '-o',
  'Acquire::Retries=1',
];
const QUESTIONS_OFF = ['DEBIAN_FRONTEND=noninteractive', 'NEEDRESTART_SUSPEND=1'];

export function thisMachine(): Machine {
  const root = resolve(import.meta.dirname, '..');
  return {
    ...placesOf(process.env.PATH ?? ''),
    aptLists: '/var/lib/apt/lists',
    isRoot: process.getuid?.() === 0,
    onTerminal: process.stdin.isTTY === true && process.stderr.isTTY === true,
    memory: join(root, '.bindery', 'failed-packages.json'),
    say: (text) => process.stderr.write(`bindery: ${text}\n`),
  };
}

/** Installs what is missing of these and returns what still is. */
export function installMissing(
  wanted: readonly SystemPackage[],
  machine: Machine,
  again = false,
): SystemPackage[] {
  const missing = wanted.filter((row) => !isPresent(row.provides, machine));
  if (missing.length === 0) return [];
  const apt = findApt(machine);
  const failedBefore = again ? new Map<string, number>() : readMemory(machine);
  const hopeful = missing.filter((row) => !failedBefore.has(row.name));
  if (apt !== undefined && hopeful.length > 0) install(hopeful, apt, machine);
  const still = missing.filter((row) => !isPresent(row.provides, machine));
  if (apt !== undefined) writeMemory(machine, still, failedBefore);
  report(still, apt, machine);
  return still;
}

/** The words before apt-get's own arguments, or undefined where this user cannot install. */
function findApt(machine: Machine): string[] | undefined {
  const has = (program: string) => isPresent({ program: [program] }, machine);
  if (!has('apt-get')) return undefined;
  const apt = ['env', ...QUESTIONS_OFF, 'apt-get', ...APT_OPTIONS];
  if (machine.isRoot) return apt;
  if (!has('sudo')) return undefined;
  if (run(['sudo', '-n', 'true'], machine).done) return ['sudo', '-n', ...apt];
  return machine.onTerminal ? ['sudo', ...apt] : undefined;
}

function install(rows: readonly SystemPackage[], apt: readonly string[], machine: Machine): void {
  const names = packagesOf(rows);
  machine.say(`installing system packages with apt: ${names.join(', ')} ...`);
  if (apt[0] === 'sudo' && apt[1] !== '-n') machine.say('sudo may ask for your password.');
  const update = () => run([...apt, 'update', '-q'], machine);
  const attempt = (packages: readonly string[]) => run([...apt, ...INSTALL, ...packages], machine);

  const listed = hasAptLists(machine.aptLists);
  if (!listed) update();
  if (attempt(names).done) return;
  // Lists may be too old for the mirror.
  if (listed) {
    update();
    if (attempt(names).done) return;
  }
  // One package that this distribution lacks must not keep the others out.
  for (const row of rows) {
    const tried = attempt(row.debian);
    if (!tried.done)
      machine.say(`apt could not install ${row.debian.join(', ')}: ${lastWords(tried.output)}`);
  }
}

const packagesOf = (rows: readonly SystemPackage[]): string[] => [
  ...new Set(rows.flatMap((row) => row.debian)),
];

function hasAptLists(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /_Packages(\.\w+)?$/.test(name));
}

function run(words: readonly string[], machine: Machine): { done: boolean; output: string } {
  const [program = '', ...args] = words;
  const asksPassword = program === 'sudo' && args[0] !== '-n';
  const ended = spawnSync(program, args, {
    env: { ...process.env, PATH: machine.path.join(':') },
    encoding: 'utf8',
    timeout: APT_TIMEOUT_MS,
    // sudo asks on the terminal itself; whatever else reads must not wait for an answer.
    stdio: [asksPassword ? 'inherit' : 'ignore', 'pipe', 'pipe'],
  });
  return { done: ended.status === 0, output: ended.error?.message ?? `${ended.stdout}${ended.stderr}` };
}

function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => line.startsWith('E: ')) ?? lines.at(-1) ?? 'it said nothing')
    .replace(/^E: /, '')
    .slice(0, 300);
}

function report(still: readonly SystemPackage[], apt: readonly string[] | undefined, machine: Machine): void {
  for (const row of still) machine.say(`not available: ${row.name}; without it ${row.without}.`);
  if (still.length === 0) return;
  const command = `apt-get install --no-install-recommends ${packagesOf(still).join(' ')}`;
  if (apt === undefined) machine.say(`to install what is missing, as root: apt-get update && ${command}`);
  else machine.say('they are tried again in an hour, or at once by: npm run setup');
}

function readMemory(machine: Machine): Map<string, number> {
  try {
    const remembered: unknown = JSON.parse(readFileSync(machine.memory, 'utf8'));
    const entries = Object.entries(remembered ?? {}).filter(
      ([, at]) => Date.now() - Number(at) < RETRY_AFTER_MS,
    );
    return new Map(entries.map(([name, at]) => [name, Number(at)]));
  } catch {
    return new Map();
  }
}

function writeMemory(
  machine: Machine,
  still: readonly SystemPackage[],
  before: ReadonlyMap<string, number>,
): void {
  try {
    if (still.length === 0) {
      rmSync(machine.memory, { force: true });
      return;
    }
    mkdirSync(join(machine.memory, '..'), { recursive: true });
    const failed = still.map((row) => [row.name, before.get(row.name) ?? Date.now()]);
    writeFileSync(machine.memory, JSON.stringify(Object.fromEntries(failed)));
  } catch {
    // A read-only checkout: the next start tries again.
  }
}

if (import.meta.main) {
  const uses = process.argv.slice(2);
  const wanted = SYSTEM_PACKAGES.filter((row) => uses.includes(row.for));
  installMissing(wanted, thisMachine(), uses.includes('--again'));
}
