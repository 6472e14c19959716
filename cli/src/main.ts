// The `bindery` command: a table of groups, each a table of commands.
import { readFileSync } from 'node:fs';
import { commandHelp, type Group, groupHelp, readWords, UsageError } from './command.ts';
import { KEYS } from './keys.ts';

const GROUPS: Record<string, Group> = { keys: KEYS };

const SUMMARY = 'bindery: PDF processing service';
const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';
const print = (text: string): void => {
  process.stdout.write(text);
};

async function run([groupName, commandName, ...args]: readonly string[]): Promise<void> {
  if (groupName === '--version') return print(`${version()}\n`);
  if (isHelp(groupName)) return print(groupHelp('bindery', SUMMARY, GROUPS));
  const group = choose(GROUPS, groupName, 'bindery');
  const path = `bindery ${groupName}`;
  if (isHelp(commandName)) return print(groupHelp(path, group.summary, group.commands));
  const command = choose(group.commands, commandName, path);
  if (args.some(isHelp)) return print(commandHelp(`${path} ${commandName}`, command));
  await command.run(readWords(command, args), print);
}

function choose<T>(table: Record<string, T>, name: string | undefined, path: string): T {
  const found = name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  const wrong = name === undefined ? 'a command is missing' : `"${name}" is not a command`;
  throw new UsageError(`${wrong}; there are ${Object.keys(table).join(', ')} (see ${path} --help)`);
}

function version(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(file) as { version: string }).version);
}

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`bindery: ${message.replace(/\s*\n\s*/g, ' ')}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
