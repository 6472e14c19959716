// The words of an operation's command: files, its own fields as options, and options that every operation has.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CatalogueEntry, CatalogueFile, CatalogueParam } from '@bindery/sdk/catalogue';
import { UsageError } from './command.ts';
import { unreadable } from './failures.ts';
import { COMMON_OPTIONS, optionName } from './option-names.ts';
import { parseMessage } from './words.ts';

export interface OperationWords {
  files: string[];
  params: Record<string, unknown>;
  /** Paths for file fields besides the main one. */
  fileParams: Record<string, string[]>;
  common: CommonWords;
}

export interface CommonWords {
  output: string | undefined;
  force: boolean;
  json: boolean;
  url: string | undefined;
  key: string | undefined;
  local: boolean;
  timeoutMs: number;
  /** Whether --timeout was given: work in the background has no limit otherwise. */
  isTimed: boolean;
  background: boolean;
  concurrency: number;
  quiet: boolean;
}

export function readOperationWords(entry: CatalogueEntry, args: readonly string[]): OperationWords {
  const secondary = entry.files.filter(({ name }) => name !== 'fileInput');
  const { values, positionals } = parsed(entry.params, secondary, args);
  const params: Record<string, unknown> = {};
  for (const param of entry.params) {
    const given = givenFor(param.name, values);
    if (given.length > 0) params[param.name] = paramValue(param, given);
    else if (param.required)
      throw new UsageError(`--${optionName(param.name)} is required: ${param.description}`);
  }
  const fileParams: Record<string, string[]> = {};
  for (const file of secondary) {
    const given = givenFor(file.name, values).map(String);
    if (given.length > 0) fileParams[file.name] = given;
    else if (file.required)
      throw new UsageError(`--${optionName(file.name)} is required: ${file.description}`);
  }
  return { files: positionals, params, fileParams, common: commonWords(values) };
}

const givenFor = (name: string, values: Record<string, unknown>): unknown[] =>
  spellings(name).flatMap((spelling) => listed(values[spelling]));

const listed = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());

export function commonWords(values: Record<string, unknown>): CommonWords {
  const text = (name: string) => values[name] as string | undefined;
  return {
    output: text('output'),
    force: values.force === true,
    json: values.json === true,
    url: text('url'),
    key: text('key'),
    local: values.local === true,
    timeoutMs: wholeNumber('timeout', text('timeout') ?? '300', 0, 86_400) * 1000,
    isTimed: values.timeout !== undefined,
    background: values.background === true,
    concurrency: wholeNumber('concurrency', text('concurrency') ?? '4', 1, 64),
    quiet: values.quiet === true,
  };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
}

/** Options as Node's parser wants them: every field under both spellings. */
function parsed(params: readonly CatalogueParam[], files: readonly CatalogueFile[], args: readonly string[]) {
  const options: Record<string, { type: 'boolean' | 'string'; short?: string; multiple?: boolean }> = {};
  for (const { name, kind } of params) {
    const type = kind === 'flag' ? ('boolean' as const) : ('string' as const);
    for (const spelling of spellings(name)) options[spelling] = { type, multiple: type === 'string' };
  }
  for (const { name } of files) {
    for (const spelling of spellings(name)) options[spelling] = { type: 'string', multiple: true };
  }
  for (const [name, { value, short }] of Object.entries(COMMON_OPTIONS)) {
    options[name] = { type: value === undefined ? 'boolean' : 'string', ...(short ? { short } : {}) };
  }
  try {
    return parseArgs({
      args: flagsSpelledOut(valuesJoined(args, options), options),
      options,
      allowPositionals: true,
      allowNegative: true,
    });
  } catch (error) {
    throw new UsageError(parseMessage(error, Object.keys(options)));
  }
}

const spellings = (name: string): string[] =>
  Object.hasOwn(COMMON_OPTIONS, name) ? [optionName(name)] : [...new Set([optionName(name), name])];

/**
 * `--angle -90` is `--angle=-90`; Node's parser takes what begins with a hyphen for an option. What is one of our options
 * stays one: a value was forgotten before it.
 */
function valuesJoined(
  args: readonly string[],
  options: Record<string, { type: 'boolean' | 'string'; short?: string }>,
): string[] {
  const shorts = Object.values(options).flatMap(({ short }) => short ?? []);
  const isOption = (arg: string): boolean => {
    const name = arg.slice(2).split('=', 1)[0] ?? '';
    if (arg.startsWith('--'))
      return name === '' || [name, name.replace(/^no-/, '')].some((one) => Object.hasOwn(options, one));
    return shorts.includes(arg.slice(1));
  };
  const joined: string[] = [];
  let ended = false;
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const takesValue = !ended && before.startsWith('--') && options[before.slice(2)]?.type === 'string';
    if (takesValue && /^-./.test(arg) && !isOption(arg)) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
    ended ||= arg === '--';
  }
  return joined;
}

/** `--flag=false` and `--flag false` are `--no-flag`; Node's parser knows only the latter. */
function flagsSpelledOut(
  args: readonly string[],
  options: Record<string, { type: 'boolean' | 'string' }>,
): string[] {
  return flagsJoined(args, options).map((arg) => {
    const match = /^--([^=]+)=(true|false|yes|no|on|off|1|0)$/i.exec(arg);
    const name = match?.[1] ?? '';
    if (!match || options[name]?.type !== 'boolean') return arg;
    return /^(true|yes|on|1)$/i.test(match[2] ?? '') ? `--${name}` : `--no-${name}`;
  });
}

/** A word that can only be the value of the flag before it. */
function flagsJoined(
  args: readonly string[],
  options: Record<string, { type: 'boolean' | 'string' }>,
): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const isFlag = before.startsWith('--') && options[before.slice(2)]?.type === 'boolean';
    if (isFlag && /^(?:true|false)$/i.test(arg)) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

function paramValue(param: CatalogueParam, given: readonly unknown[]): unknown {
  const option = optionName(param.name);
  if (param.kind === 'list') return given.map(String);
  if (given.length > 1 && param.kind !== 'secret') throw new UsageError(`--${option} is given twice`);
  if (param.kind === 'flag') return given[0];
  const values = given.map((value) =>
    mayComeFromFile(param) ? fromFile(String(value), option) : String(value),
  );
  if (param.kind === 'json') return jsonValue(values[0] ?? '');
  return values.length > 1 ? values : values[0];
}

const mayComeFromFile = ({ kind }: CatalogueParam): boolean => kind === 'json' || kind === 'secret';

/** `@path` reads the value from a file: JSON is awkward and passwords are visible on a command line. */
function fromFile(value: string, option: string): string {
  if (!value.startsWith('@')) return value;
  if (value.startsWith('@@')) return value.slice(1);
  try {
    return readFileSync(value.slice(1), 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw unreadable(value.slice(1), `--${option}: `);
  }
}

/** Left as it is where it is no JSON: some fields take plain text as well, and the service tells what is wrong. */
function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
