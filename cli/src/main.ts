// The `bindery` command: operations by group, and commands of its own.
import { readFileSync } from 'node:fs';
import { nearestName } from '@bindery/sdk/catalogue';
import {
  type Command,
  columns,
  commandHelp,
  type Group,
  groupHelp,
  readWords,
  UsageError,
} from './command.ts';
import { COMPLETION, completions } from './completion.ts';
import { EXIT, EXIT_WORDS, exitCodeOf, failureText } from './failures.ts';
import { type Chosen, chooseOperation, GROUP_SUMMARIES, isGroup, operationsOf } from './operations.ts';
import { VERB_NAMES, VERBS } from './verbs.ts';

const GROUPS: Record<string, () => Promise<Group>> = {
  keys: async () => (await import('./keys.ts')).KEYS,
  jobs: async () => (await import('./jobs.ts')).JOBS,
  completion: async () => COMPLETION,
};
/** Each is loaded when it is called: keys and doctor bring the service's code with them. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  login: async () => (await import('./login.ts')).LOGIN,
  serve: async () => (await import('./serve.ts')).SERVE,
  doctor: async () => (await import('./doctor.ts')).DOCTOR,
  'verify-report': async () => (await import('./verify-report.ts')).VERIFY_REPORT,
};
const OWN_SUMMARIES: Record<string, string> = {
  pipeline: 'Several operations in one request, from a YAML or JSON file',
  batch: 'One operation or pipeline for each of many files, as one job',
  jobs: 'Calls in the background: list, show, wait, result, cancel',
  login: 'Keep the address and key of a service',
  serve: 'Run the service here',
  keys: 'API keys of the service',
  doctor: 'Which engines are available, and what to install',
  'verify-report': 'Check a redaction report and the file it speaks of',
  completion: 'Completion scripts for shells',
};

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';
const print = (text: string): void => {
  process.stdout.write(text);
};

/** The exit code. */
async function run([first, ...rest]: readonly string[]): Promise<number> {
  if (['--version', '-v', '-V', 'version'].includes(first ?? '')) return said(`${version()}\n`);
  if (first === 'help' && rest.length > 0) return run([...rest, '--help']);
  if (first === undefined || isHelp(first) || first === 'help') return said(overview());
  if (first === 'complete')
    return said(`${completions(rest[0] === '--' ? rest.slice(1) : rest, OWN_WORDS).join('\n')}\n`);
  if (first === 'pipeline') return pipeline(rest);
  if (first === 'batch') return batch(rest);
  if (isGroup(first)) return operation(first, rest);
  if (Object.hasOwn(COMMANDS, first))
    return command(first, await (COMMANDS[first] as () => Promise<Command>)(), rest);
  if (Object.hasOwn(GROUPS, first))
    return group(first, await (GROUPS[first] as () => Promise<Group>)(), rest);
  const verb = VERBS.get(first);
  if (verb !== undefined) return operationAt(verb, rest);
  const near = nearestName(first, [
    ...Object.keys(OWN_SUMMARIES),
    ...Object.keys(GROUP_SUMMARIES),
    ...VERB_NAMES,
  ]);
  throw new UsageError(
    `"${first}" is not a command${near ? `; did you mean ${near}?` : ''} (see bindery --help)`,
  );
}

function said(text: string): number {
  print(text);
  return EXIT.done;
}

async function pipeline(args: readonly string[]): Promise<number> {
  const { pipelineHelp, runPipeline } = await import('./pipeline.ts');
  return args.some(isHelp) ? said(pipelineHelp()) : runPipeline(args);
}

async function batch(args: readonly string[]): Promise<number> {
  const { batchHelp, runBatch } = await import('./batch.ts');
  return args.some(isHelp) ? said(batchHelp()) : runBatch(args);
}

async function operation(groupName: string, [name, ...args]: readonly string[]): Promise<number> {
  const path = `bindery ${groupName}`;
  if (name === undefined || isHelp(name)) {
    return said(groupHelp(path, GROUP_SUMMARIES[groupName] ?? groupName, operationsOf(groupName)));
  }
  const chosen = chooseOperation(groupName, name);
  return performed(chosen, args);
}

function operationAt(path: string, args: readonly string[]): Promise<number> {
  const [group = '', ...name] = path.split('/');
  return performed(chooseOperation(group, name.join('/')), args);
}

async function performed(chosen: Chosen, args: readonly string[]): Promise<number> {
  if (args.some(isHelp)) return said((await import('./operation-help.ts')).operationHelp(chosen));
  return (await import('./run-operation.ts')).runOperation(chosen, args);
}

async function group(
  name: string,
  { summary, commands }: Group,
  [word, ...args]: readonly string[],
): Promise<number> {
  const path = `bindery ${name}`;
  if (isHelp(word)) return said(groupHelp(path, summary, commands));
  const found = word !== undefined && Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (found === undefined) {
    const wrong = word === undefined ? 'a command is missing' : `"${word}" is not a command`;
    throw new UsageError(`${wrong}; there are ${Object.keys(commands).join(', ')} (see ${path} --help)`);
  }
  return command(`${name} ${word}`, found, args);
}

async function command(path: string, chosen: Command, args: readonly string[]): Promise<number> {
  if (args.some(isHelp)) return said(commandHelp(`bindery ${path}`, chosen));
  await chosen.run(readWords(chosen, args), print);
  return Number(process.exitCode ?? EXIT.done);
}

const OWN_WORDS: Record<string, readonly string[]> = {
  ...Object.fromEntries(Object.keys(OWN_SUMMARIES).map((name) => [name, []])),
  batch: [...VERBS.keys()],
  keys: ['create', 'list', 'revoke', 'rotate'],
  jobs: ['list', 'show', 'wait', 'result', 'cancel'],
  completion: Object.keys(COMPLETION.commands),
};

function overview(): string {
  const rows = (table: Record<string, string>) => columns(Object.entries(table));
  const codes = Object.entries(EXIT).map(([name, code]): [string, string] => [
    String(code),
    EXIT_WORDS[name as keyof typeof EXIT],
  ]);
  return `bindery: PDF processing, with a service or by itself

Usage: bindery <operation> <file>... [options]
       bindery <group> <operation> <file>... [options]
       bindery <command> [options]

Examples:
  bindery merge a.pdf b.pdf -o merged.pdf
  bindery rotate report.pdf --angle 90
  bindery compress scan.pdf -o small.pdf
  bindery ocr scan.pdf --languages eng -o searchable.pdf

Operations:
${rows(GROUP_SUMMARIES)}
Commands:
${rows(OWN_SUMMARIES)}
Exit codes:
${columns(codes)}
Environment:
  BINDERY_URL      address of the service (default: that of bindery login, else http://127.0.0.1:8080)
  BINDERY_API_KEY  API key of the service (default: that of bindery login)

"bindery help <group>" lists operations, "bindery help <operation>" explains one.
`;
}

function version(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(file) as { version: string }).version);
}

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(failureText(error));
  process.exitCode = exitCodeOf(error);
}
