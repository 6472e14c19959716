// What a command is, and how it explains itself.

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

export interface Option {
  description: string;
  /** One letter: -o for --output. */
  short?: string;
  /** What stands for the value in the help; absent: a flag. */
  value?: string;
  default?: string;
  required?: boolean;
}

export interface Words {
  positionals: string[];
  /** A declared text option, its default where it was not given. */
  text(name: string): string | undefined;
  flag(name: string): boolean;
}

export interface Command {
  summary: string;
  /** Names of the words that must follow. */
  positionals: readonly string[];
  options: Record<string, Option>;
  examples: readonly string[];
  run(words: Words, print: (text: string) => void): Promise<void>;
}

/** Commands under one word. */
export interface Group {
  summary: string;
  example: string;
  commands: Record<string, Command>;
}

const MOST_LEFT = 34;
/** Wider lines are hard to read; programs that read help are given none that are broken. */
export const lineWidth = (): number =>
  process.stdout.isTTY ? Math.min(process.stdout.columns || 80, 120) : Infinity;

export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

export const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.min(MOST_LEFT, Math.max(0, ...rows.map(([left]) => left.length)));
  const indent = ' '.repeat(width + 4);
  return rows
    .map(([left, right]) => {
      const [first = '', ...others] = wrapped(right, Math.max(30, lineWidth() - indent.length));
      const beside =
        left.length <= width ? `  ${left.padEnd(width)}  ${first}\n` : `  ${left}\n${indent}${first}\n`;
      return beside + others.map((line) => `${indent}${line}\n`).join('');
    })
    .join('');
};

/** As it stands in help: `-o, --output <path>`. */
export const optionWord = (name: string, { short, value }: Option): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`;

export function commandHelp(path: string, command: Command): string {
  const words = command.positionals.map((name) => ` <${name}>`).join('');
  const rows = Object.entries(command.options).map(([name, option]): [string, string] => {
    const note = option.required ? ' (required)' : option.default ? ` (default: ${option.default})` : '';
    return [optionWord(name, option), option.description + note];
  });
  const examples = command.examples.map((example) => `  ${example}\n`).join('');
  return [
    `${command.summary}\n\nUsage: ${path}${words}${rows.length > 0 ? ' [options]' : ''}\n`,
    rows.length > 0 ? `\nOptions:\n${columns(rows)}` : '',
    `\nExamples:\n${examples}`,
  ].join('');
}

/** `usage` is what follows the words of the group. */
export function groupHelp(
  path: string,
  { summary, example, usage = '<command> [options]' }: { summary: string; example: string; usage?: string },
  entries: Record<string, { summary: string }>,
): string {
  const rows = Object.entries(entries).map(([name, entry]): [string, string] => [name, entry.summary]);
  return `${summary}

Usage: ${path} ${usage}

${usage.startsWith('<command>') ? 'Commands' : 'Operations'}:
${columns(rows)}
Example:
  ${example}

"${path} ${usage.split(' ', 1)[0]} --help" tells more.
`;
}
