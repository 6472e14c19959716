// A batch becomes a plan: one operation or pipeline, checked once, for each of many files.
import { LIMITS } from '../contract/limits.ts';
import { invalidParameter } from '../contract/problems.ts';
import { OPERATIONS } from './index.generated.ts';
import { PIPELINE_TEXT, planPipeline } from './pipeline.ts';
import {
  inputName,
  MAIN_INPUT,
  type Part,
  type Plan,
  planCall,
  plannedFile,
  withoutTextBesideFiles,
} from './plan.ts';
import { IGNORE_UNKNOWN, type OnUnknown } from './unknown-names.ts';

/** The field that names the operation; a pipeline has `steps` instead. */
export const OPERATION_FIELD = 'operation';

export const isBatchText = (name: string): boolean => name === OPERATION_FIELD || PIPELINE_TEXT.has(name);

/** The plan of one file, with all of them: each is run by itself. */
export function planBatch(given: readonly Part[], onUnknown: OnUnknown = IGNORE_UNKNOWN): Plan {
  const parts = withoutTextBesideFiles(given, (name) => name === MAIN_INPUT);
  const isMain = (part: Part): boolean => inputName(part.field) === MAIN_INPUT;
  const files = parts.flatMap((part) => (isMain(part) && !('text' in part) ? [part] : []));
  if (files.length === 0 || files.length > LIMITS.batchFiles)
    throw invalidParameter(
      `fileInput takes 1 to ${LIMITS.batchFiles} file parts, uploads or addresses; ${files.length} were sent.`,
    );
  const [first] = files;
  const fields = parts.filter((part) => !isMain(part) && part.field !== OPERATION_FIELD);
  const one = first ? [first, ...fields] : fields;
  const operation = operationIn(parts);
  const hasSteps = fields.some(({ field }) => field === 'steps');
  if ((operation === undefined) === !hasSteps)
    throw invalidParameter('Send either operation, with the fields of that operation, or steps.');
  const plan = operation === undefined ? planPipeline(one, onUnknown) : planCall(operation, one, onUnknown);
  return { ...plan, files: files.map(plannedFile) };
}

function operationIn(parts: readonly Part[]): string | undefined {
  const named = parts.filter(({ field }) => field === OPERATION_FIELD);
  const [only, ...others] = named;
  if (only === undefined || ('text' in only && only.text === '')) return undefined;
  const path = 'text' in only ? only.text.trim().replace(/^\/?(?:api\/v1\/)?/, '') : '';
  const isKnown = Object.hasOwn(OPERATIONS, path) && OPERATIONS[path]?.inputs[MAIN_INPUT] !== undefined;
  if (others.length > 0 || !isKnown)
    throw invalidParameter(
      `${OPERATION_FIELD} must name, once and as text, an operation that takes a file, such as general/rotate-pdf.`,
    );
  return path;
}
