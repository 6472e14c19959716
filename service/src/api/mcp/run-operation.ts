// Operations and pipelines as tool calls: the same plan, scopes, engines, workers and problems as over REST.
import { nearestName } from '../../contract/nearest-name.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import { planPipeline } from '../../operations/pipeline.ts';
import {
  fileFieldOf,
  inputName,
  isParam,
  MAIN_INPUT,
  type Part,
  type Plan,
  paramNamesOf,
  planCall,
} from '../../operations/plan.ts';
import { REFUSE_UNKNOWN, shown, unknownName } from '../../operations/unknown-names.ts';
import { LaterFiles } from '../background/later-files.ts';
import { type Answer, answerOf } from '../rest/answer.ts';
import { groupOf, requireScope } from '../rest/authentication.ts';
import { requireEngines } from '../rest/gate.ts';
import { UploadClaims } from '../rest/upload-claims.ts';
import type { CallContext } from './caller.ts';
import { entryOf } from './catalogue.ts';
import { fetchesOf, fileParts, REFERENCE } from './file-references.ts';
import { type LongCall, mayTakeLong, shortCallMs } from './long-calls.ts';

export interface Asked {
  files: Readonly<Record<string, readonly string[]>>;
  outputName: string | undefined;
}

/** What is done with a call: `use` gets the answer while the files it stands on are there. */
export interface Uses<T> {
  use(answer: Answer): Promise<T>;
  /** Takes over what may take longer than a client waits; absent: whoever asks waits. */
  asJob?(call: LongCall): Promise<T>;
  /** Whether it is taken over in any case. */
  background?: boolean;
}

export function runOperation<T>(
  context: CallContext,
  path: string,
  asked: Asked & { parameters: Record<string, unknown> },
  uses: Uses<T>,
): Promise<T> {
  requireScope(context.key, groupOf(path));
  context.parts.turnedOff.refuse(path);
  requireEngines(context.parts.runner, OPERATIONS[path]?.uses ?? []);
  requireKnownNames(path, asked);
  requireFiles(path, asked.files);
  const texts = textParts(path, asked.parameters);
  return run(context, path, asked, (parts) => planCall(path, [...parts, ...texts]), uses);
}

export function runPipeline<T>(
  context: CallContext,
  steps: readonly unknown[],
  asked: Asked,
  uses: Uses<T>,
): Promise<T> {
  const { key, parts } = context;
  requireScope(key, 'pipeline');
  parts.turnedOff.refuse('pipeline');
  requireFile(MAIN_INPUT, asked.files);
  const plan = (files: readonly Part[]): Plan => {
    const given: Part[] = [...files, { field: 'steps', text: JSON.stringify(steps) }];
    const planned = planPipeline(given, REFUSE_UNKNOWN);
    for (const [step, { op }] of planned.steps.entries()) {
      try {
        requireScope(key, groupOf(op));
        parts.turnedOff.refuse(op);
        requireEngines(parts.runner, OPERATIONS[op]?.uses ?? []);
      } catch (error) {
        throw Problem.from(error).at({ step, op });
      }
    }
    return planned;
  };
  return run(context, 'pipeline', asked, plan, uses);
}

/** An agent takes what worked for what it asked for: a name that nothing reads must not pass. */
function requireKnownNames(
  path: string,
  { files, parameters }: Asked & { parameters: Record<string, unknown> },
): void {
  const op = OPERATIONS[path];
  if (op === undefined) return;
  const fields = Object.keys(op.inputs);
  for (const name of Object.keys(files)) {
    if (!Object.hasOwn(op.inputs, inputName(name))) throw unknownName(`files.${shown(name)}`, name, fields);
  }
  for (const name of Object.keys(parameters)) {
    if (isParam(op, name)) continue;
    const file = fileFieldOf(name);
    if (!Object.hasOwn(op.inputs, file)) {
      // Files stand elsewhere: among what is valid here they are none, unless one was meant.
      const all = [...paramNamesOf(op), ...fields];
      const isFile = fields.includes(nearestName(name, all) ?? '');
      throw unknownName(`parameters.${shown(name)}`, name, isFile ? all : paramNamesOf(op));
    }
    const place = file === MAIN_INPUT ? 'file' : `files.${file}`;
    throw invalidParameter(`parameters.${name} is a file: name it in ${place}.`);
  }
}

/** Said in the words of tools: there are no form parts here. */
function requireFiles(path: string, files: Asked['files']): void {
  for (const { name, required } of entryOf(path).files) if (required) requireFile(name, files);
}

function requireFile(field: string, files: Asked['files']): void {
  if (Object.entries(files).some(([name, ids]) => inputName(name) === field && ids.length > 0)) return;
  const argument = field === MAIN_INPUT ? 'file' : `files.${field}`;
  throw invalidParameter(`${argument} is required: ${REFERENCE}.`);
}

const TELL_EVERY_MS = 1000;

/** What is thought to be short is done here and now; what turns out not to be so is begun anew as a job. */
async function run<T>(
  context: CallContext,
  what: string,
  { files }: Asked,
  planOf: (parts: readonly Part[]) => Plan,
  uses: Uses<T>,
): Promise<T> {
  const begunAt = Date.now();
  const call = { context, what, files, planOf, uses, begunAt };
  if (uses.asJob && uses.background) return attempt(call, 'job', context.signal);
  if (!uses.asJob) return attempt(call, 'now', context.signal);
  const bound = AbortSignal.timeout(shortCallMs(context));
  try {
    return await attempt(call, 'perhaps', AbortSignal.any([context.signal, bound]));
  } catch (error) {
    if (context.signal.aborted || !bound.aborted) throw error;
    return attempt(call, 'job', context.signal);
  }
}

interface AskedCall<T> {
  context: CallContext;
  what: string;
  files: Asked['files'];
  planOf: (parts: readonly Part[]) => Plan;
  uses: Uses<T>;
  begunAt: number;
}

/** `perhaps`: as a job where it may take long. */
async function attempt<T>(
  { context, what, files, planOf, uses, begunAt }: AskedCall<T>,
  way: 'now' | 'perhaps' | 'job',
  signal: AbortSignal,
): Promise<T> {
  const { parts, key } = context;
  const workspace: Workspace = parts.workspaces.create();
  const later = new LaterFiles(parts.outbound, { owner: key.id, signal, httpsOnly: true });
  const fetches = way === 'job' ? later : fetchesOf({ ...context, signal }, workspace);
  const claims = new UploadClaims(parts.state.uploads, key.id, workspace, fetches, parts.config.sourceDate);
  const teller = setInterval(
    () => context.progress(`${what} is running, ${Math.round((Date.now() - begunAt) / 1000)} s`),
    TELL_EVERY_MS,
  );
  try {
    const plan = planOf(await fileParts(context, workspace, fetches, files));
    const job = { ...(await claims.toJob(plan)), ...(context.trace && { trace: context.trace }) };
    if (uses.asJob && (way === 'job' || (way === 'perhaps' && mayTakeLong(job))))
      return await uses.asJob({ job, claims, workspace, addresses: later.addresses, begunAt });
    const answer = answerOf(await parts.runner.run(job, workspace, { owner: key.id, signal }), workspace);
    const used = await uses.use(answer);
    await claims.consume();
    return used;
  } catch (error) {
    await claims.release();
    throw error;
  } finally {
    clearInterval(teller);
    await workspace.remove().catch((error) => parts.log.error('a workspace was not removed', { error }));
  }
}

/** JSON values as the text of form fields; what is null is left out. */
function textParts(path: string, parameters: Record<string, unknown>): Part[] {
  const kinds = new Map(entryOf(path).params.map(({ name, kind }) => [name, kind]));
  return Object.entries(parameters).flatMap(([field, value]): Part[] => {
    if (value === null || value === undefined) return [];
    const kind = kinds.get(field);
    if (kind === 'json') return [{ field, text: typeof value === 'string' ? value : JSON.stringify(value) }];
    const items = [value]
      .flat()
      .map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item)));
    return kind === 'pages' ? [{ field, text: items.join(',') }] : items.map((text) => ({ field, text }));
  });
}
