// Runs one operation in this process, through the real field checks and executor. For tests and tools that
// want no server: an operation's own test, the benchmark, a debugger.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createLog } from '../../src/contract/log.ts';
import { Problem, type ProblemData } from '../../src/contract/problems.ts';
import { createEgress } from '../../src/jobs/egress.ts';
import { execute } from '../../src/jobs/execute.ts';
import type { Job, JobFile, JobResult } from '../../src/jobs/job.ts';
import { JobDirectory } from '../../src/jobs/job-directory.ts';
import { ReportSigner } from '../../src/jobs/report-signing.ts';
import { planPipeline } from '../../src/operations/pipeline.ts';
import { type Part, type Plan, type PlannedFile, planCall } from '../../src/operations/plan.ts';

/** Signs reports here, with a key that lives as long as the test. */
export const SIGNER = new ReportSigner(
  String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })),
  'test',
);

/** A path, or bytes with a name. */
export type GivenFile = string | { name: string; bytes: Uint8Array };

export interface GivenCall {
  /** File fields; `fileInput` may be one or many. */
  files?: Record<string, GivenFile | GivenFile[]>;
  /** Form text, as REST would send it. */
  params?: Record<string, string | string[]>;
  /** Hosts to be reached though they are not public. */
  allowHosts?: string[];
}

export type Ran =
  | { state: 'made'; bytes: Buffer; result: JobResult }
  | { state: 'nothing' }
  | { state: 'failed'; problem: ProblemData; cause?: string };

export async function runHere(path: string, call: GivenCall): Promise<Ran> {
  return run(() => planCall(path, parts(call)), call.allowHosts);
}

export async function runPipelineHere(call: GivenCall): Promise<Ran> {
  return run(() => planPipeline(parts(call)), call.allowHosts);
}

function parts({ files = {}, params = {} }: GivenCall): Part[] {
  const made: Part[] = [];
  for (const [field, given] of Object.entries(files)) {
    for (const each of Array.isArray(given) ? given : [given]) made.push({ field, file: jobFile(each) });
  }
  for (const [field, given] of Object.entries(params)) {
    for (const text of Array.isArray(given) ? given : [given]) made.push({ field, text });
  }
  return made;
}

function jobFile(given: GivenFile): JobFile {
  const { name, bytes } =
    typeof given === 'string' ? { name: basename(given), bytes: readFileSync(given) } : given;
  return { name, size: bytes.length, content: { chunks: [bytes] } };
}

const atHand = (planned: PlannedFile): JobFile => {
  if ('file' in planned) return planned.file;
  throw new Problem('upload_not_found', 'There are no uploads here.');
};

/** The job a call becomes, for whoever runs it elsewhere. */
export const jobOf = (path: string, call: GivenCall, id = 'here'): Job =>
  jobOfPlan(planCall(path, parts(call)), id);

export const jobOfPlan = (plan: Plan, id: string): Job => ({
  id,
  pipeline: plan.pipeline,
  ...(plan.reproducible ? { reproducible: {} } : {}),
  files: plan.files.map(atHand),
  steps: plan.steps.map((step) => ({
    ...step,
    extraFiles: Object.fromEntries(
      Object.entries(step.extraFiles).map(([name, list]) => [name, list.map(atHand)]),
    ),
  })),
});

async function run(makePlan: () => Plan, allowHosts: string[] = []): Promise<Ran> {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-here-'));
  try {
    const job = jobOfPlan(makePlan(), 'here');
    const egress = createEgress({ allowHosts });
    const log = createLog('silent');
    const outcome = await execute(
      job,
      new JobDirectory(dir),
      log,
      undefined,
      egress,
      undefined,
      async (facts) => SIGNER.signed(JSON.stringify(facts), undefined),
    );
    if (outcome.state !== 'made') return outcome;
    const { content } = outcome.result;
    const bytes = 'bytes' in content ? Buffer.from(content.bytes) : readFileSync(join(dir, content.file));
    return { state: 'made', bytes, result: outcome.result };
  } catch (error) {
    return { state: 'failed', problem: Problem.from(error).toData() };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The result of a call that must have made one. */
export function made(ran: Ran): Buffer {
  if (ran.state === 'made') return ran.bytes;
  throw new Error(
    ran.state === 'failed'
      ? `${ran.problem.reason}: ${ran.problem.detail} ${ran.cause ?? ''}`
      : 'nothing was made',
  );
}

export const madeJson = (ran: Ran): unknown => JSON.parse(made(ran).toString('utf8'));

export function madeName(ran: Ran): string | undefined {
  made(ran);
  return ran.state === 'made' ? ran.result.name : undefined;
}

/** The problem of a call that must have failed. */
export function failed(ran: Ran): ProblemData {
  if (ran.state === 'failed') return ran.problem;
  throw new Error(`not refused: ${ran.state}`);
}
