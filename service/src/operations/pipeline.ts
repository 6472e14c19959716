// A pipeline request becomes a plan (operations 9): steps named, values checked, and what each step makes held
// against what the next one takes, before anything runs.
import { readJson } from '../contract/bounded-json.ts';
import type { FileKind } from '../contract/kinds.ts';
import { LIMITS } from '../contract/limits.ts';
import { append } from '../contract/maps.ts';
import { nearestName } from '../contract/nearest-name.ts';
import { invalidParameter, Problem } from '../contract/problems.ts';
import { asksReproducible, checkFileCount, checkValues, type GivenValues, inputPasswords } from './check.ts';
import { COMMON_FIELDS, isCommonField } from './common-fields.ts';
import type { AnyOperation, JsonOutput, Output } from './define.ts';
import { OPERATIONS } from './index.generated.ts';
import {
  dropUnused,
  fileFieldOf,
  inputName,
  isParam,
  MAIN_INPUT,
  type Part,
  type Plan,
  type PlannedFile,
  type PlannedStep,
  paramNamesOf,
  plannedFile,
  smallText,
  textForFile,
  withFields,
  withoutTextBesideFiles,
} from './plan.ts';
import { IGNORE_UNKNOWN, type OnUnknown } from './unknown-names.ts';

/** Names whose text a pipeline reads, if only to say that it should be a file. */
export const PIPELINE_TEXT: ReadonlySet<string> = new Set([
  'steps',
  'inputPassword',
  ...Object.keys(COMMON_FIELDS),
  MAIN_INPUT,
  'file',
]);

export function planPipeline(parts: readonly Part[], onUnknown: OnUnknown = IGNORE_UNKNOWN): Plan {
  const files: PlannedFile[] = [];
  const extraParts = new Map<string, PlannedFile[]>();
  const passwords: string[] = [];
  const common = new Map<string, string[]>();
  const stepTexts: string[] = [];
  for (const part of withoutTextBesideFiles(parts, (name) => name === MAIN_INPUT)) {
    const name = inputName(part.field);
    if (name === 'steps') {
      if ('uploadId' in part || 'url' in part) throw invalidParameter('steps must be JSON text.');
      stepTexts.push('text' in part ? part.text : smallText('steps', part.file));
    } else if ('text' in part) {
      if (name === MAIN_INPUT && part.text !== '') {
        throw textForFile(part.field, part.text);
      }
      if (name === 'inputPassword') passwords.push(part.text);
      else if (isCommonField(name)) append(common, name, part.text);
      else if (name !== MAIN_INPUT) onUnknown(part.field, [...PIPELINE_TEXT]);
    } else {
      const file = plannedFile(part);
      if (name === MAIN_INPUT) files.push(file);
      else append(extraParts, name, file);
    }
  }
  if (files.length === 0 || files.length > LIMITS.pipelineFiles) {
    throw invalidParameter(
      `fileInput takes 1 to ${LIMITS.pipelineFiles} file parts, uploads (fileInput@upload) or addresses (fileInput@url); ${files.length} were sent.`,
    );
  }
  const texts = parseSteps(stepTexts, onUnknown);
  const steps = texts.map((step, index) => planStep(step, index, extraParts, onUnknown));
  const named = partsNamedIn(texts);
  for (const name of extraParts.keys()) if (!named.has(name)) onUnknown(name, [...named]);
  const first = steps[0];
  if (first)
    first.planned.passwords = [
      ...first.planned.passwords,
      ...inputPasswords(new Map([['inputPassword', passwords]])),
    ];
  checkFlow(steps, files.length);
  // Of one result it cannot be asked for a single step: whichever says so means the whole.
  const reproducible = asksReproducible(common) || steps.some((step) => step.reproducible);
  return { pipeline: true, reproducible, files, steps: steps.map((step) => step.planned) };
}

interface StepText {
  op: string;
  params: Record<string, unknown>;
}

/** Names of extra parts that steps ask for. */
const partsNamedIn = (steps: readonly StepText[]): Set<string> =>
  new Set(
    steps.flatMap(({ params }) =>
      Object.entries(params).flatMap(([name, value]) =>
        name.endsWith('@part') ? [value].flat().map(String) : [],
      ),
    ),
  );

/** What a step may say, aliases included. */
const STEP_NAMES: readonly string[] = ['op', 'params', 'operation', 'parameters'];

function parseSteps(texts: readonly string[], onUnknown: OnUnknown): StepText[] {
  const wanted = `steps must be a JSON array of 1 to ${LIMITS.pipelineSteps} objects such as {"op":"general/rotate-pdf","params":{"angle":90}}`;
  if (texts.length !== 1)
    throw invalidParameter(texts.length ? 'steps was sent more than once; send it once.' : `${wanted}.`);
  const text = texts[0] ?? '';
  const read = readJson(text);
  if ('fault' in read) throw invalidParameter(`${wanted}; it ${read.fault}.`);
  const steps = read.value;
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > LIMITS.pipelineSteps) {
    throw invalidParameter(`${wanted}.`);
  }
  return steps.map((step: unknown, index) => {
    const given = isObject(step) ? step : {};
    const op = given.op ?? given.operation;
    const params = given.params ?? given.parameters ?? {};
    if (typeof op !== 'string')
      throw invalidParameter(`steps[${index}].op must name an operation.`, { step: index });
    if (!isObject(params)) {
      const at = { step: index, op: operationPath(op, index) };
      throw invalidParameter(`steps[${index}].params must be an object.`, at);
    }
    for (const name of Object.keys(given))
      if (!STEP_NAMES.includes(name)) onUnknown(name, STEP_NAMES, `steps[${index}].`);
    return { op, params };
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface CheckedStep {
  op: AnyOperation;
  planned: PlannedStep;
  reproducible: boolean;
}

function planStep(
  step: StepText,
  index: number,
  extraParts: ReadonlyMap<string, PlannedFile[]>,
  onUnknown: OnUnknown,
): CheckedStep {
  const path = operationPath(step.op, index);
  const op = OPERATIONS[path] as AnyOperation;
  try {
    const extraFiles: Record<string, PlannedFile[]> = {};
    for (const name of Object.keys(op.inputs)) {
      if (name !== MAIN_INPUT) extraFiles[name] = extraFilesOf(name, step.params, extraParts);
    }
    for (const name of Object.keys(step.params)) {
      if (fileFieldOf(name) === MAIN_INPUT)
        throw invalidParameter(`${name} does not belong in a step: it works on the current files.`);
    }
    const known = stepNames(op);
    for (const name of Object.keys(step.params))
      if (!known.has(name) && !isParam(op, name)) onUnknown(name, [...known], `steps[${index}].params.`);
    const values: GivenValues = new Map(Object.entries(step.params).map(([name, value]) => [name, [value]]));
    const { params, passwords, reproducible } = checkValues(op, values);
    dropUnused(op, extraFiles, params);
    return { op, planned: { op: path, params, passwords, extraFiles }, reproducible };
  } catch (error) {
    throw Problem.from(withFields(error, path, op)).at({ step: index, op: path });
  }
}

/** What params of a step may be called. Operations 9.3: files beside the current ones by part, upload or address. */
const stepNames = (op: AnyOperation): Set<string> =>
  new Set([
    ...paramNamesOf(op),
    ...Object.keys(op.inputs)
      .filter((name) => name !== MAIN_INPUT)
      .flatMap((name) => [`${name}@part`, `${name}@upload`, `${name}@url`]),
  ]);

/** `general/rotate-pdf`, `/api/v1/general/rotate-pdf`, or the bare last segment where unique. */
function operationPath(given: string, step: number): string {
  const path = given.trim().replace(/^\/?(?:api\/v1\/)?/, '');
  if (Object.hasOwn(OPERATIONS, path)) {
    if (OPERATIONS[path]?.inputs[MAIN_INPUT]) return path;
    throw invalidParameter(`steps[${step}].op: ${path} takes no file and cannot be a step.`, {
      step,
      op: path,
    });
  }
  const matches = operationsEndingIn(path);
  if (matches.length === 1 && matches[0]) return matches[0];
  const near = nearestOperation(path);
  const why =
    matches.length > 1
      ? `is ambiguous; write one of ${matches.join(', ')}.`
      : `is not an operation of this service${near ? `; did you mean ${near}?` : '.'}`;
  throw invalidParameter(`steps[${step}].op "${given.slice(0, 100)}" ${why}`, {
    step,
    hint: 'GET /v1/openapi.json lists every operation: the path after /api/v1/ is its name.',
  });
}

const endOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const operationsEndingIn = (end: string): string[] =>
  Object.keys(OPERATIONS).filter((known) => endOf(known) === end);

/** With letters wrong, or in another group. */
function nearestOperation(path: string): string | undefined {
  const known = Object.keys(OPERATIONS);
  const end = nearestName(endOf(path), known.map(endOf));
  const [first, ...others] = end === undefined ? [] : operationsEndingIn(end);
  return others.length === 0 && first !== undefined ? first : nearestName(path, known);
}

/** "With both, parts come first" (operations 9.3); addresses come last. */
function extraFilesOf(
  name: string,
  params: Record<string, unknown>,
  extraParts: ReadonlyMap<string, PlannedFile[]>,
): PlannedFile[] {
  const listed = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat());
  const fromParts = listed(params[`${name}@part`]).flatMap((part) => {
    const found = typeof part === 'string' ? extraParts.get(part) : undefined;
    if (!found)
      throw invalidParameter(`${name}@part names ${JSON.stringify(part)}, but no such part was sent.`);
    return found;
  });
  const fromUploads = listed(params[`${name}@upload`]).map((id) => {
    if (typeof id !== 'string') throw invalidParameter(`${name}@upload must be the id of an upload.`);
    return { uploadId: id };
  });
  const fromAddresses = listed(params[`${name}@url`]).map((url) => {
    if (typeof url !== 'string') throw invalidParameter(`${name}@url must be the address of a file.`);
    return { url, field: `${name}@url` };
  });
  return [...fromParts, ...fromUploads, ...fromAddresses];
}

/** Operations 9.5: output of a step against the input of the next, and required files, before anything runs. */
function checkFlow(steps: readonly CheckedStep[], fileCount: number): void {
  steps.forEach(({ op, planned }, index) => {
    const at = { step: index, op: planned.op };
    const before = steps[index - 1];
    if (before) checkHandover(before, op, at);
    const counts: Record<string, number> = { [MAIN_INPUT]: index === 0 ? fileCount : 1 };
    try {
      for (const [name, list] of Object.entries(planned.extraFiles)) {
        const mayTakeRest = op.inputs[name]?.takesRest && list.length === 0;
        if (!mayTakeRest) checkFileCount(op, name, list.length, 'step');
        counts[name] = mayTakeRest ? 1 : list.length;
      }
      op.check?.(planned.params, counts);
    } catch (error) {
      throw Problem.from(error).at(at);
    }
  });
}

function checkHandover(before: CheckedStep, op: AnyOperation, at: { step: number; op: string }): void {
  const output: Output = before.op.output;
  if (output.shape === 'json' || before.op.endsPipeline?.(before.planned.params)) {
    throw invalidParameter(
      `steps[${at.step}]: the result of ${before.planned.op} fits only the last step.`,
      at,
    );
  }
  const made = kindMade(output, before);
  const taken = op.inputs[MAIN_INPUT]?.kinds ?? [];
  if (made === 'any' || taken.includes('any') || taken.includes(made)) return;
  throw invalidParameter(
    `steps[${at.step}]: ${at.op} takes ${taken.join(', ')}, but ${before.planned.op} gives ${made}.`,
    at,
  );
}

function kindMade(output: Exclude<Output, JsonOutput>, { op, planned }: CheckedStep): FileKind {
  if (op.makes) return op.makes(planned.params);
  if (output.shape === 'file') return output.kind;
  return output.whole ? 'zip' : output.entries;
}
