// Files that a request names and does not bring. Uploads are claimed before the work, used up when it succeeds, let go
// when it fails (interface 3); addresses are fetched.
import { Problem } from '../../contract/problems.ts';
import type { Reproducible } from '../../contract/reproducible.ts';
import type { Job, JobFile } from '../../jobs/job.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Plan, PlannedFile } from '../../operations/plan.ts';
import type { Uploads } from '../../state/state.ts';
import type { FetchAddress, Fetches } from './fetched-files.ts';

export class UploadClaims {
  readonly #uploads: Uploads;
  readonly #owner: string;
  readonly #workspace: Workspace;
  readonly #fetches: Fetches;
  readonly #sourceDate: number | undefined;
  readonly #files = new Map<string, JobFile>();

  constructor(
    uploads: Uploads,
    owner: string,
    workspace: Workspace,
    fetches: Fetches,
    sourceDate: number | undefined,
  ) {
    this.#uploads = uploads;
    this.#owner = owner;
    this.#workspace = workspace;
    this.#fetches = fetches;
    this.#sourceDate = sourceDate;
  }

  /** The plan as a job, every file it names at hand. */
  async toJob(plan: Plan): Promise<Job> {
    const steps = [];
    const files = await this.#all(plan.files);
    for (const [index, step] of plan.steps.entries()) {
      const extraFiles: Record<string, JobFile[]> = {};
      try {
        for (const [field, planned] of Object.entries(step.extraFiles))
          extraFiles[field] = await this.#all(
            planned,
            plan.pipeline ? { step: index, op: step.op } : undefined,
          );
      } catch (error) {
        // Operations 9.8: a failure of a step says which.
        throw plan.pipeline ? Problem.from(error).at({ step: index, op: step.op }) : error;
      }
      steps.push({ ...step, extraFiles });
    }
    const { pipeline } = plan;
    const reproducible = reproducibleJob(plan, this.#sourceDate);
    return { id: this.#workspace.id, steps, files, pipeline, ...(reproducible ? { reproducible } : {}) };
  }

  /** In their order; those by address are fetched together, once the others are at hand. */
  async #all(planned: readonly PlannedFile[], at?: FetchAddress['at']): Promise<JobFile[]> {
    const files: (JobFile | undefined)[] = [];
    const addresses: FetchAddress[] = [];
    for (const one of planned) {
      if ('file' in one) files.push(one.file);
      else if ('uploadId' in one) files.push(await this.#claim(one.uploadId));
      else {
        files.push(undefined);
        addresses.push({ ...one, ...(at && { at }) });
      }
    }
    const fetched = await this.#fetches.fetchAll(addresses);
    return files.map((file) => file ?? (fetched.shift() as JobFile));
  }

  /** A request may name one upload several times; it is claimed once. */
  async #claim(id: string): Promise<JobFile> {
    const known = this.#files.get(id);
    if (known) return known;
    const claimed = await this.#uploads.claim(id, this.#owner, this.#workspace.id);
    if (claimed === undefined) throw await this.#refusal(id);
    const file = this.#workspace.newFile();
    // Noted before the copy: a claim whose copy fails must be let go all the same.
    const made = { name: claimed.filename, size: claimed.bytes.size, content: { file } };
    this.#files.set(id, made);
    await claimed.bytes.bringTo(this.#workspace.path(file));
    return made;
  }

  async #refusal(id: string): Promise<Problem> {
    const upload = await this.#uploads.get(id, this.#owner);
    if (upload && !upload.completed) {
      return new Problem(
        'upload_incomplete',
        `Upload ${id} is not completed: POST /api/v1/uploads/${id}/complete first.`,
      );
    }
    return uploadNotFound();
  }

  /** Ids of those that were claimed. */
  get claimed(): string[] {
    return [...this.#files.keys()];
  }

  async consume(): Promise<void> {
    if (this.#files.size > 0) await this.#uploads.consume(this.#workspace.id);
  }

  async release(): Promise<void> {
    if (this.#files.size > 0) await this.#uploads.release(this.#workspace.id);
  }
}

function reproducibleJob(plan: Plan, sourceDate: number | undefined): Reproducible | undefined {
  if (sourceDate !== undefined) return { sourceDate };
  return plan.reproducible ? {} : undefined;
}

export const uploadNotFound = (): Problem =>
  new Problem('upload_not_found', 'The upload id is unknown, expired or already used.');
