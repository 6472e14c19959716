// Several operations in one request, each typed by its own fields.
import type { Call, FilePart } from './calls.ts';
import { FileAddress } from './file-addresses.ts';
import { requireKnownNames } from './names.ts';
import {
  OPERATIONS,
  type OperationParams,
  type OperationPath,
  type OperationRow,
  PIPELINE_TYPES,
} from './operations.generated.ts';
import type { FileResult } from './results.ts';
import type { Place } from './sources.ts';
import type { CallOptions, FileSource } from './types.ts';
import { Upload } from './uploads.ts';

interface Step {
  op: OperationPath;
  params: Record<string, unknown>;
}

/** A step as JSON, for pipelines that are kept in files. */
export interface PipelineStep {
  op: string;
  params?: Record<string, unknown>;
}

/** A pipeline takes files from the start, so an operation that takes none cannot be a step. */
export type StepPath = Exclude<OperationPath, 'convert/url/pdf'>;

export class Pipeline {
  private readonly files: readonly FileSource[];
  private readonly steps: readonly Step[];
  private readonly perform: (call: Call, options: CallOptions) => Promise<FileResult>;

  constructor(
    files: readonly FileSource[],
    perform: (call: Call, options: CallOptions) => Promise<FileResult>,
    steps: readonly Step[] = [],
  ) {
    this.files = files;
    this.perform = perform;
    this.steps = steps;
  }

  /** The same pipeline with one more step; file fields take what files are anywhere else. */
  step<P extends StepPath>(
    op: P,
    ...[params]: Record<string, never> extends OperationParams[P]
      ? [params?: OperationParams[P]]
      : [params: OperationParams[P]]
  ): Pipeline {
    const next = { op, params: { ...params } as Record<string, unknown> };
    return new Pipeline(this.files, this.perform, [...this.steps, next]);
  }

  /** Runs all steps in one request. */
  async run(options: CallOptions = {}): Promise<FileResult> {
    return this.perform(pipelineCall(this.files, this.steps), options);
  }
}

/** Where a file of a step stands among the files of the call. */
interface Extra {
  step: number;
  field: string;
  at: number;
}

/** By its path, its address, or its last part where that is unique, as the service takes it. */
function rowOf(op: string): OperationRow | undefined {
  const path = op.trim().replace(/^\/?(?:api\/v1\/)?/, '');
  if (Object.hasOwn(OPERATIONS, path)) return OPERATIONS[path as OperationPath];
  const ending = Object.entries(OPERATIONS).filter(([each]) => each.endsWith(`/${path}`));
  return ending.length === 1 ? ending[0]?.[1] : undefined;
}

export function pipelineCall(files: readonly FileSource[], steps: readonly PipelineStep[]): Call {
  const parts: FilePart[] = files.map((source) => ({ part: 'fileInput', source }));
  const extras: Extra[] = [];
  const plain = steps.map(({ op, params = {} }, step) => {
    const row = rowOf(op);
    requireKnownNames(op, row, params, step);
    const fileFields = row?.files ?? [];
    const entries = Object.entries(params).filter(([field, value]) => {
      if (!fileFields.includes(field)) return value !== undefined && value !== null;
      for (const source of [value].flat()) {
        extras.push({ step, field, at: parts.length });
        parts.push({
          part: `step${step}-${field}-${parts.length}`,
          source: source as FileSource,
          toldInFields: true,
        });
      }
      return false;
    });
    return { op, params: Object.fromEntries(entries) };
  });
  return {
    path: 'pipeline',
    files: parts,
    types: PIPELINE_TYPES,
    fields: (places) => [['steps', JSON.stringify(withFiles(plain, parts, extras, places))]],
  };
}

function withFiles(
  steps: readonly { op: string; params: Record<string, unknown> }[],
  parts: readonly FilePart[],
  extras: readonly Extra[],
  places: readonly Place[],
): PipelineStep[] {
  return steps.map(({ op, params }, step) => {
    const own: Record<string, unknown> = { ...params };
    for (const extra of extras.filter((each) => each.step === step)) {
      const place = places[extra.at];
      const [form, value] =
        place instanceof Upload
          ? ['upload', place.id]
          : place instanceof FileAddress
            ? ['url', place.url]
            : ['part', parts[extra.at]?.part];
      const key = `${extra.field}@${form}`;
      own[key] = [...((own[key] as unknown[]) ?? []), value];
    }
    return { op, params: own };
  });
}
