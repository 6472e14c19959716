// `bindery pipeline steps.yaml file...`: several operations in one request, kept in a file.
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { PipelineStep } from '@bindery/sdk';
import { fileFieldsOf, findOperation, nearestName } from '@bindery/sdk/catalogue';
import { parse } from 'yaml';
import { columns, optionWord, UsageError } from './command.ts';
import { unreadable } from './failures.ts';
import { readInputs, STANDARD_INPUT } from './inputs.ts';
import { readOperationWords } from './operation-words.ts';
import { COMMON_OPTIONS } from './option-names.ts';
import { callOptions, runTasks, type Task } from './run-operation.ts';

const PIPELINE_SUMMARY = 'Several operations in one request, from a YAML or JSON file';

export function pipelineHelp(): string {
  const rows = Object.entries(COMMON_OPTIONS)
    .filter(([name]) => name !== 'concurrency')
    .map(([name, option]): [string, string] => [optionWord(name, option), option.description]);
  return `${PIPELINE_SUMMARY}

Usage: bindery pipeline <steps.yaml> <file>... [options]

The file is a list of steps, or has them under "steps":

  - op: general/merge-pdfs
  - op: general/rotate-pdf
    params: { angle: 90 }
  - op: security/add-watermark
    params: { watermarkType: image, watermarkImage: logo.png }

Files among the parameters are looked for beside the steps file.

Options:
${columns(rows)}
Examples:
  bindery pipeline steps.yaml report.pdf -o done.pdf
  bindery pipeline steps.yaml a.pdf b.pdf -o merged.pdf --force
`;
}

/** Of words that follow a steps file: the options every operation has. */
export const NO_FIELDS = {
  summary: '',
  description: '',
  files: [],
  params: [],
  example: { files: {}, params: {} },
  result: { shape: 'file', mediaTypes: [], mayBeNothing: false },
} as const;

export async function runPipeline(args: readonly string[]): Promise<number> {
  const {
    files: [stepsFile, ...files],
    common,
  } = readOperationWords(NO_FIELDS, args);
  if (stepsFile === undefined)
    throw new UsageError('a file with steps is missing (see bindery pipeline --help)');
  if (files.length === 0) throw new UsageError('a document is missing');
  if ([stepsFile, ...files].filter((file) => file === STANDARD_INPUT).length > 1)
    throw new UsageError('standard input (-) can be read only once');
  const steps = readSteps(stepsFile);
  const inputs = readInputs(files);
  const sources = inputs.map(({ source }) => source);
  const task: Task = {
    label: inputs.map(({ label }) => label).join(', '),
    help: 'bindery help pipeline',
    call: (bindery, options) => bindery.runPipeline(sources, steps, callOptions(options)),
    begin: (bindery, options) => bindery.jobs.startPipeline(sources, steps, callOptions(options)),
  };
  return runTasks([task], common, files);
}

export function readSteps(path: string): PipelineStep[] {
  const read: unknown = parsedFile(path);
  if (!Array.isArray(read)) requireKnown(path, read, ['steps']);
  const steps = Array.isArray(read) ? read : (read as { steps?: unknown } | null)?.steps;
  if (!Array.isArray(steps) || steps.length === 0) throw new UsageError(`${path} holds no list of steps`);
  return steps.map((step: unknown, at) => {
    requireKnown(`${path}: step ${at}`, step, ['op', 'params', 'operation', 'parameters']);
    const { op, operation, params, parameters } = (step ?? {}) as Record<string, unknown>;
    const name = op ?? operation;
    if (typeof name !== 'string') throw new UsageError(`${path}: step ${at} has no "op"`);
    return withPaths(name, (params ?? parameters ?? {}) as Record<string, unknown>, dirname(path));
  });
}

/** A word that nothing reads would be taken for done. */
function requireKnown(place: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null) return;
  const name = Object.keys(given).find((each) => !known.includes(each));
  if (name === undefined) return;
  const near = nearestName(name, known);
  throw new UsageError(`${place} has "${name}", which means nothing${near ? `; did you mean ${near}?` : ''}`);
}

function parsedFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path === STANDARD_INPUT ? 0 : path, 'utf8');
  } catch {
    throw unreadable(path);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${path} is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** File fields of a step name files beside the steps file. */
function withPaths(name: string, params: Record<string, unknown>, folder: string): PipelineStep {
  const op = findOperation(name) ?? name;
  const fileFields = fileFieldsOf(op);
  const located = (value: unknown) =>
    typeof value === 'string' && !isAbsolute(value) ? resolve(folder, value) : value;
  const own = Object.entries(params).map(([field, value]) => [
    field,
    fileFields.includes(field) ? [value].flat().map(located) : value,
  ]);
  return { op, params: Object.fromEntries(own) };
}
