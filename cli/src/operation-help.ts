// The help of an operation, from what it declares.
import type { CatalogueEntry, CatalogueParam } from '@bindery/sdk/catalogue';
import { columns, lineWidth, optionWord, wrapped } from './command.ts';
import type { Chosen } from './operations.ts';
import { COMMON_OPTIONS, optionName } from './option-names.ts';
import { nameOf } from './verbs.ts';

const VALUE_WORDS: Record<CatalogueParam['kind'], string> = {
  text: 'text',
  secret: 'password|@file',
  integer: 'n',
  number: 'n',
  flag: '',
  choice: 'choice',
  list: 'value',
  pages: 'pages',
  colour: '#rrggbb',
  size: 'size',
  url: 'address',
  json: 'json|@file',
};

export function operationHelp({ path, entry }: Chosen): string {
  const main = entry.files.find(({ name }) => name === 'fileInput');
  const own = [...secondaryRows(entry), ...entry.params.map(paramRow)];
  const common = Object.entries(COMMON_OPTIONS).map(([name, option]): [string, string] => [
    optionWord(name, option),
    option.description + (option.default ? ` (default: ${option.default})` : ''),
  ]);
  return [
    `${entry.summary}.\n`,
    entry.description ? `\n${paragraph(entry.description)}` : '',
    `\nUsage: bindery ${nameOf(path)}${main ? ' <file>...' : ''} [options]\n`,
    main
      ? `\n${paragraph(`Files: ${main.accepts}. ${main.many ? 'All go into one call, in order.' : 'Each file is a call of its own.'} - is standard input.`)}`
      : '',
    own.length > 0 ? `\nOptions of this operation:\n${columns(own)}` : '',
    `\nCommon options:\n${columns(common)}`,
    `\n${paragraph(`Result: ${resultText(entry)}`)}`,
    `\nExample:\n  ${exampleText(path, entry)}\n`,
  ].join('');
}

const secondaryRows = (entry: CatalogueEntry): [string, string][] =>
  entry.files
    .filter(({ name }) => name !== 'fileInput')
    .map(({ name, description, accepts, many, required }) => [
      `--${optionName(name)} <path>`,
      `${description} (${accepts}${many ? '; may be repeated' : ''}${required ? '; required' : ''})`,
    ]);

function paramRow(param: CatalogueParam): [string, string] {
  const { kind, values, description, required } = param;
  const word = VALUE_WORDS[kind];
  const choices = values && values.length <= 12 ? `: ${values.join(', ')}` : '';
  const bounds = kind === 'integer' || kind === 'number' ? `: ${param.expects}` : '';
  const note = required
    ? ' (required)'
    : param.default === undefined || param.default === ''
      ? ''
      : ` (default: ${defaultText(param.default)})`;
  return [
    `--${optionName(param.name)}${word ? ` <${word}>` : ''}`,
    `${description}${choices || bounds}${note}`,
  ];
}

const defaultText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

function resultText({ result }: CatalogueEntry): string {
  const nothing = result.mayBeNothing ? ' There may be nothing to return: exit code 3.' : '';
  if (result.shape === 'json') return 'JSON, on standard output.';
  const text = result.mediaTypes[0] === 'text/plain' ? ', on standard output unless -o is given' : '';
  return `${result.name ?? 'a file'}${text}.${nothing}`;
}

/** A call that works, with files of these names at hand. */
export function exampleText(path: string, entry: CatalogueEntry): string {
  const { files, params } = entry.example;
  const { fileInput = [], ...others } = files;
  const words = [
    nameOf(path),
    ...fileInput,
    ...Object.entries(others).flatMap(([field, names]) =>
      names.map((each) => `--${optionName(field)} ${each}`),
    ),
    ...Object.entries(params).flatMap(([field, value]) =>
      listed(entry, field, value).map((each) => optionWords(field, each)),
    ),
  ];
  return `bindery ${words.join(' ')}`;
}

const listed = (entry: CatalogueEntry, field: string, value: unknown): unknown[] =>
  entry.params.find(({ name }) => name === field)?.kind === 'list' ? [value].flat() : [value];

function optionWords(field: string, value: unknown): string {
  const option = `--${optionName(field)}`;
  if (value === true) return option;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `${option} ${/^[\w.,/:#-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`;
}

const LINE = 100;
const paragraph = (text: string): string => `${wrapped(text, Math.min(LINE, lineWidth())).join('\n')}\n`;
