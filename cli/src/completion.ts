// What the last word on a command line may become. Files are offered where a path belongs, and nowhere else.
import type { CatalogueEntry } from '@bindery/sdk/catalogue';
import type { Command, Option } from './command.ts';
import { chooseOperation, isGroup, operationsOf } from './operations.ts';
import { COMMON_OPTIONS, optionName } from './option-names.ts';
import { GROUP_SUMMARIES } from './overview.ts';
import { commandNamed, groupNamed, OWN_SUMMARIES } from './own-commands.ts';
import { VERBS } from './verbs.ts';

/** A word, and what it means. */
type Row = readonly [word: string, meaning: string];

interface Offer {
  rows: readonly Row[];
  files: boolean;
}

const NOTHING: Offer = { rows: [], files: false };
const PATHS: Offer = { rows: [], files: true };
const rowsOnly = (rows: readonly Row[]): Offer => ({ rows, files: false });

/** A line of the answer that stands for paths of this machine. */
const FILES_LINE = ':files';

/** `words` are those after `bindery`; the last is the one to complete, and may be empty. */
export async function completionLines(words: readonly string[]): Promise<string[]> {
  const last = words.at(-1) ?? '';
  const { rows, files } = await offerFor(words);
  const fitting = rows.filter(([word]) => word.startsWith(last));
  const lines = fitting.map(([word, meaning]) => (meaning === '' ? word : `${word}\t${oneLine(meaning)}`));
  return [...lines, ...(files ? [FILES_LINE] : [])];
}

const MEANING_LETTERS = 70;

/** The first sentence: a line of a list is no place for more. */
function oneLine(text: string): string {
  const first = (text.split(/[.;:] |\n/, 1)[0] ?? '').trim();
  return first.length > MEANING_LETTERS ? `${first.slice(0, MEANING_LETTERS - 1)}…` : first;
}

async function offerFor(words: readonly string[]): Promise<Offer> {
  const [first = '', ...rest] = words;
  if (words.length <= 1)
    return rowsOnly([...Object.entries(OWN_SUMMARIES), ...ALSO, ...groupRows(), ...verbRows(first)]);
  if (first === 'help') return offerFor(rest);
  if (first === 'pipeline') return optionOrPath(NO_OPERATION, rest);
  if (first === 'batch')
    return rest.length === 1 ? { rows: verbRows(rest[0] ?? ''), files: true } : offerFor(rest);
  const command = await commandNamed(first);
  if (command !== undefined) return offerOfCommand(command, rest);
  const commands = (await groupNamed(first))?.commands;
  if (commands !== undefined) {
    if (rest.length === 1)
      return rowsOnly(Object.entries(commands).map(([name, { summary }]) => [name, summary]));
    const [name = '', ...args] = rest;
    const chosen = Object.hasOwn(commands, name) ? commands[name] : undefined;
    return chosen ? offerOfCommand(chosen, args) : NOTHING;
  }
  if (isGroup(first)) {
    if (rest.length === 1)
      return rowsOnly(Object.entries(operationsOf(first)).map(([name, { summary }]) => [name, summary]));
    return offerOfOperation(first, rest[0] ?? '', rest.slice(1));
  }
  const [group = '', ...name] = VERBS.get(first)?.split('/') ?? [];
  // A pipeline of a batch: its steps stand in a file.
  return name.length > 0 ? offerOfOperation(group, name.join('/'), rest) : optionOrPath(NO_OPERATION, rest);
}

const ALSO: readonly Row[] = [
  ['help', 'Explain a command or an operation'],
  ['version', 'Tell the version'],
];

const groupRows = (): Row[] => Object.entries(GROUP_SUMMARIES);

/** One name for each operation, the shortest, unless only a longer one is what was begun. */
function verbRows(begun: string): Row[] {
  const shortest = new Map<string, string>();
  for (const [verb, path] of VERBS) {
    const known = shortest.get(path);
    const fits = verb.startsWith(begun);
    if (fits && (known === undefined || verb.length < known.length)) shortest.set(path, verb);
  }
  return [...shortest].map(([path, verb]) => {
    const [group = '', ...name] = path.split('/');
    return [verb, chooseOperation(group, name.join('/')).entry.summary];
  });
}

function offerOfOperation(group: string, name: string, args: readonly string[]): Offer {
  try {
    return optionOrPath(chooseOperation(group, name).entry, args);
  } catch {
    return NOTHING;
  }
}

interface Fields {
  params: CatalogueEntry['params'];
  files: readonly { name: string; description: string }[];
}
const MAIN_FILE = 'fileInput';
/** Words that are not of one operation: files, and the options every operation has. */
const NO_OPERATION: Fields = { params: [], files: [{ name: MAIN_FILE, description: '' }] };

function optionOrPath({ params, files }: Fields, args: readonly string[]): Offer {
  const last = args.at(-1) ?? '';
  const before = args.at(-2) ?? '';
  const isNamed = (name: string) => [`--${optionName(name)}`, `--${name}`].includes(before);
  const param = params.find(({ name }) => isNamed(name));
  if (param && param.kind !== 'flag')
    return rowsOnly((param.values ?? []).map((value) => [String(value), '']));
  if (files.some(({ name }) => name !== MAIN_FILE && isNamed(name))) return PATHS;
  const common = valueOffer(COMMON_OPTIONS, before);
  if (common) return common;
  if (!last.startsWith('-')) return files.some(({ name }) => name === MAIN_FILE) ? PATHS : NOTHING;
  const own = [...params, ...files.filter(({ name }) => name !== MAIN_FILE)];
  return rowsOnly([
    ...own.map(({ name, description }): Row => [`--${optionName(name)}`, description]),
    ...optionRows(COMMON_OPTIONS),
    HELP,
  ]);
}

const HELP: Row = ['--help', 'All of its options, with an example'];

const optionRows = (options: Readonly<Record<string, Option>>): Row[] =>
  Object.entries(options).map(([name, { description }]) => [`--${name}`, description]);

/** What stands for the value of an option that takes a path. */
const PATH_WORDS: readonly (string | undefined)[] = ['path', 'file', 'folder', 'pdf'];

/** Of the value of the option before; undefined where that is none. */
function valueOffer(options: Readonly<Record<string, Option>>, before: string): Offer | undefined {
  const found = Object.entries(options).find(
    ([name, { short }]) => before === `--${name}` || (short !== undefined && before === `-${short}`),
  )?.[1];
  if (found?.value === undefined) return undefined;
  return PATH_WORDS.includes(found.value) ? PATHS : NOTHING;
}

function offerOfCommand({ options, positionals }: Command, args: readonly string[]): Offer {
  const value = valueOffer(options, args.at(-2) ?? '');
  if (value) return value;
  if ((args.at(-1) ?? '').startsWith('-')) return rowsOnly([...optionRows(options), HELP]);
  return positionals.some((name) => name.endsWith('.json')) ? PATHS : NOTHING;
}
