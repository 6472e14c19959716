// The `bindery` command: operations by group, and commands of its own. What is not needed for help and completion is
// imported only where it is.
import { readFileSync } from 'node:fs';
import { type Command, commandHelp, type Group, groupHelp, UsageError } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { Chosen } from './operations.ts';
import { GROUP_SUMMARIES, overview } from './overview.ts';
import { commandNamed, groupNamed, OWN_SUMMARIES } from './own-commands.ts';

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';
const print = (text: string): void => {
  process.stdout.write(text);
};

/** The exit code. */
async function run([first, ...rest]: readonly string[]): Promise<number> {
  if (['--version', '-v', '-V', 'version'].includes(first ?? '')) return said(`${version()}\n`);
  if (first === 'help' && rest.length > 0) return run([...rest, '--help']);
  if (first === undefined || isHelp(first) || first === 'help') return said(overview());
  if (first === 'complete') return completed(rest[0] === '--' ? rest.slice(1) : rest);
  if (first === 'pipeline') return pipeline(rest);
  if (first === 'batch') return batch(rest);
  const found = await commandNamed(first);
  if (found !== undefined) return command(first, found, rest);
  const commands = await groupNamed(first);
  if (commands !== undefined) return group(first, commands, rest);
  return operation(first, rest);
}

function said(text: string): number {
  print(text);
  return EXIT.done;
}

async function completed(words: readonly string[]): Promise<number> {
  const { completionLines } = await import('./completion.ts');
  return said((await completionLines(words)).map((line) => `${line}\n`).join(''));
}

async function pipeline(args: readonly string[]): Promise<number> {
  const { pipelineHelp, runPipeline } = await import('./pipeline.ts');
  return args.some(isHelp) ? said(pipelineHelp()) : runPipeline(args);
}

async function batch(args: readonly string[]): Promise<number> {
  const { batchHelp, runBatch } = await import('./batch.ts');
  return args.some(isHelp) ? said(batchHelp()) : runBatch(args);
}

async function operation(first: string, rest: readonly string[]): Promise<number> {
  const { chooseOperation, isGroup, notACommand, operationsOf } = await import('./operations.ts');
  const { VERB_NAMES, VERBS } = await import('./verbs.ts');
  if (isGroup(first)) {
    const [name, ...args] = rest;
    if (name !== undefined && !isHelp(name)) return performed(chooseOperation(first, name), args);
    const { exampleText } = await import('./operation-help.ts');
    const operations = operationsOf(first);
    const [[path = '', entry] = []] = Object.entries(operations);
    const example = entry ? exampleText(`${first}/${path}`, entry) : '';
    const usage = '<operation> <file>... [options]';
    return said(
      groupHelp(`bindery ${first}`, { summary: GROUP_SUMMARIES[first] ?? '', example, usage }, operations),
    );
  }
  const [group = '', ...name] = VERBS.get(first)?.split('/') ?? [];
  if (name.length > 0) return performed(chooseOperation(group, name.join('/')), rest);
  throw notACommand(first, [...Object.keys(OWN_SUMMARIES), ...Object.keys(GROUP_SUMMARIES), ...VERB_NAMES]);
}

async function performed(chosen: Chosen, args: readonly string[]): Promise<number> {
  if (args.some(isHelp)) return said((await import('./operation-help.ts')).operationHelp(chosen));
  return (await import('./run-operation.ts')).runOperation(chosen, args);
}

async function group(
  name: string,
  { commands, ...about }: Group,
  [word, ...args]: readonly string[],
): Promise<number> {
  const path = `bindery ${name}`;
  if (isHelp(word)) return said(groupHelp(path, about, commands));
  const found = word !== undefined && Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (found === undefined) {
    const wrong = word === undefined ? 'a command is missing' : `"${word}" is not a command`;
    throw new UsageError(`${wrong}; there are ${Object.keys(commands).join(', ')} (see ${path} --help)`);
  }
  return command(`${name} ${word}`, found, args);
}

async function command(path: string, chosen: Command, args: readonly string[]): Promise<number> {
  if (args.some(isHelp)) return said(commandHelp(`bindery ${path}`, chosen));
  const { readWords } = await import('./words.ts');
  await chosen.run(readWords(chosen, args), print);
  return Number(process.exitCode ?? EXIT.done);
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
  const { exitCodeOf, failureText } = await import('./failures.ts');
  process.stderr.write(failureText(error));
  process.exitCode = exitCodeOf(error);
}
