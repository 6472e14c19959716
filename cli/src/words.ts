// How the words of a command are read.
import { parseArgs } from 'node:util';
import { nearestName } from '@bindery/sdk/catalogue';
import { type Command, type Option, UsageError, type Words } from './command.ts';

export function readWords(command: Command, args: readonly string[]): Words {
  const { values, positionals } = parsed(command, args);
  if (positionals.length !== command.positionals.length) {
    const wanted = command.positionals.map((name) => `<${name}>`).join(' ') || 'no further words';
    throw new UsageError(`expected ${wanted}, got ${positionals.join(' ') || 'none'}`);
  }
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && values[name] === undefined) throw new UsageError(`--${name} is required`);
  }
  const given = (name: string) => values[name] ?? command.options[name]?.default;
  return {
    positionals,
    text: (name) => given(name) as string | undefined,
    flag: (name) => given(name) === true,
  };
}

function parsed(command: Command, args: readonly string[]) {
  const entries = Object.entries(command.options);
  const type = (option: Option) => (option.value === undefined ? ('boolean' as const) : ('string' as const));
  const options = Object.fromEntries(
    entries.map(([name, option]) => [
      name,
      { type: type(option), ...(option.short ? { short: option.short } : {}) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(parseMessage(error, Object.keys(options)));
  }
}

/** What Node's parser says, in our words; `names` are the options there are. */
export function parseMessage(error: unknown, names: readonly string[]): string {
  // Node adds advice in further sentences; the first says what is wrong.
  const message = (error instanceof Error ? error.message : String(error)).split(/\. |\n/)[0] ?? '';
  const unknown = /Unknown option '--?([^']+)'/.exec(message)?.[1];
  if (unknown === undefined) return message.replace(/\.$/, '');
  const near = nearestName(unknown, names);
  return `there is no option --${unknown}${near ? `; did you mean --${near}?` : ''}`;
}
