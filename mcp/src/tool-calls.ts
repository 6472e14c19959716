// Tool calls: files of this machine go to the service, results come back to this machine.
import { type Bindery, BinderyError, plainLine } from '@bindery/sdk';
import {
  AGENT_TOOLS,
  CATALOGUE,
  type CatalogueEntry,
  fileFieldsOf,
  findOperation,
  nearestName,
  toldToAgents,
} from '@bindery/sdk/catalogue';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AllowedFolders } from './folders.ts';
import { freePath } from './kept-results.ts';
import { LIST, listFiles } from './list-files.ts';
import { goOn, JOB, runCall, type ToolOptions } from './long-calls.ts';
import { structured } from './tool-results.ts';
import { VIEW, viewPages } from './view-pages.ts';

export interface Work {
  bindery: Bindery;
  folders: AllowedFolders;
}

/** What an argument must be stands in its schema, to follow its name. */
const text = z.string('must be text');
const path = z.string('must be a path').min(1, 'must be a path');
const byField = z.record(
  z.string(),
  z.union([path, z.array(path)], 'must be a path, or a list of paths'),
  'must be a list of paths, or an object of fields and their paths',
);
/** A list is that of the main field. */
const paths = z
  .unknown()
  .transform((given) => (Array.isArray(given) ? { fileInput: given } : given))
  .pipe(byField)
  .optional();
const values = z.record(z.string(), z.unknown(), 'must be an object of names and values').optional();
const background = z.boolean('must be true or false').optional();
const STEPS = 'must be a list of 1 to 20 steps, each with op and params';
const OPERATION = z.object({
  operation: text,
  file: path.optional(),
  files: paths,
  parameters: values,
  output_name: path.optional(),
  background,
});
const STEP = z.strictObject(
  { op: text, params: values },
  {
    error: (issue) => {
      const [name] = issue.code === 'unrecognized_keys' ? issue.keys : [];
      if (name === undefined) return 'must be an object with op and params';
      const near = nearestName(name, ['op', 'params']);
      return `has no ${JSON.stringify(name.slice(0, 64))}; ${near ? `did you mean ${near}?` : 'it takes op and params'}`;
    },
  },
);
const PIPELINE = z.object({
  file: path.optional(),
  files: paths,
  steps: z.array(STEP, STEPS).min(1, STEPS).max(20, STEPS),
  output_name: path.optional(),
  background,
});
const DESCRIBE = z.object({ operation: text });

export async function callTool(
  work: Work,
  name: string,
  given: unknown,
  options: ToolOptions,
): Promise<CallToolResult | undefined> {
  const group = Object.keys(AGENT_TOOLS).find((each) => AGENT_TOOLS[each]?.name === name);
  try {
    if (group !== undefined) return await runOperation(work, group, read(OPERATION, given), options);
    if (name === 'pdf_pipeline') return await runPipeline(work, read(PIPELINE, given), options);
    if (name === 'pdf_describe_operation') return describe(read(DESCRIBE, given).operation);
    if (name === 'pdf_job') return await goOn(work, read(JOB, given), options);
    if (name === 'pdf_view_pages') return await viewPages(work, read(VIEW, given), options);
    if (name === 'pdf_list_files') return structured(listFiles(work.folders, read(LIST, given)));
    return undefined;
  } catch (error) {
    return failure(error);
  }
}

function read<S extends z.ZodObject>(schema: S, given: unknown): z.output<S> {
  requireKnown('', given, Object.keys(schema.shape));
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.');
  throw badArgument(name ? `${name} ${issue?.message}.` : 'The arguments must be an object.');
}

/** What nothing reads must not pass for done. */
function requireKnown(place: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null) return;
  const name = Object.keys(given).find((each) => !known.includes(each));
  if (name === undefined) return;
  const near = nearestName(name, known);
  const advice = near ? `did you mean ${near}?` : `valid: ${known.join(', ')}.`;
  throw badArgument(`${place}${JSON.stringify(name.slice(0, 64))} is not an argument; ${advice}`);
}

const badArgument = (message: string): BinderyError =>
  new BinderyError(message, {
    code: 'bad_request',
    reason: 'invalid_parameter',
    hint: 'Correct the argument named in the detail; pdf_describe_operation tells what an operation takes.',
  });

/** Paths by field, each checked; `file` stands for the main field. */
function filesOf(
  { folders }: Work,
  { file, files = {} }: { file?: string | undefined; files?: Record<string, string | string[]> | undefined },
): Record<string, string[]> {
  const named = Object.fromEntries(Object.entries(files).map(([field, list]) => [field, [list].flat()]));
  if (file !== undefined) named.fileInput = [file, ...(named.fileInput ?? [])];
  return Object.fromEntries(
    Object.entries(named).map(([field, list]) => [field, list.map((path) => folders.input(path))]),
  );
}

const placeOf = (field: string): string =>
  field === 'fileInput' ? 'name its path in file' : `name its path in files.${field}`;

/** Said in the words of tools: the service would speak of form parts. */
function requireFile(field: string, files: Record<string, string[]>): void {
  if ((files[field]?.length ?? 0) > 0) return;
  const argument = field === 'fileInput' ? 'file' : `files.${field}`;
  throw badArgument(`${argument} is required: the path of a file.`);
}

async function runOperation(
  work: Work,
  group: string,
  args: z.output<typeof OPERATION>,
  options: ToolOptions,
): Promise<CallToolResult> {
  const path = findOperation(args.operation, group);
  if (path === undefined || !path.startsWith(`${group}/`)) {
    const here = AGENT_TOOLS[group]?.operations ?? [];
    throw badArgument(
      `There is no operation "${args.operation}" in this tool. ${nearAdvice(args.operation, here)}Operations: ${here.join(', ')}.`,
    );
  }
  const files = filesOf(work, args);
  for (const { name, required } of CATALOGUE[path]?.files ?? []) {
    // The SDK would take it for a path, and nobody would have held it against the allowed folders.
    if (args.parameters?.[name] !== undefined)
      throw badArgument(`parameters.${name} is a file: ${placeOf(name)}.`);
    if (required) requireFile(name, files);
  }
  const target = args.output_name === undefined ? undefined : freePath(work.folders.output(args.output_name));
  const { bindery } = work;
  return runCall(
    work,
    {
      ...{ operation: path, input: files.fileInput?.[0], target },
      ...{ operations: [path], files: Object.values(files).flat() },
      begin: (asked) => bindery.jobs.start(path, files, args.parameters, asked),
      call: (asked) => bindery.call(path, files, args.parameters, asked),
    },
    options,
    args.background,
  );
}

async function runPipeline(
  work: Work,
  args: z.output<typeof PIPELINE>,
  options: ToolOptions,
): Promise<CallToolResult> {
  const files = filesOf(work, args);
  requireKnown('files.', args.files, ['fileInput']);
  requireFile('fileInput', files);
  const { fileInput = [] } = files;
  const target = args.output_name === undefined ? undefined : freePath(work.folders.output(args.output_name));
  const steps = args.steps.map(({ op, params = {} }) => {
    const path = findOperation(op) ?? op;
    const fileFields = fileFieldsOf(path);
    const located = Object.entries(params).map(([field, value]) => [
      field,
      fileFields.includes(field) ? [value].flat().map((each) => work.folders.input(String(each))) : value,
    ]);
    return { op: path, params: Object.fromEntries(located) };
  });
  const { bindery } = work;
  return runCall(
    work,
    {
      ...{ operation: 'pipeline', input: fileInput[0], target },
      ...{ operations: steps.map(({ op }) => op), files: fileInput },
      begin: (asked) => bindery.jobs.startPipeline(fileInput, steps, asked),
      call: (asked) => bindery.runPipeline(fileInput, steps, asked),
    },
    options,
    args.background,
  );
}

function describe(named: string): CallToolResult {
  const path = findOperation(named);
  const entry = path === undefined ? undefined : CATALOGUE[path];
  if (path === undefined || entry === undefined) {
    const all = Object.keys(CATALOGUE);
    throw badArgument(
      `There is no operation "${named}". ${nearAdvice(named, all)}Operations: ${all.join(', ')}.`,
    );
  }
  const tool = AGENT_TOOLS[path.split('/')[0] ?? '']?.name ?? '';
  return structured({ ...toldToAgents(path, tool, entry), example: example(path, entry) });
}

function nearAdvice(named: string, known: readonly string[]): string {
  const near = nearestName(named, known);
  return near === undefined ? '' : `Did you mean ${near}? `;
}

/** The arguments of a call that works, with files of these names at hand. */
function example(path: string, { example: { files, params } }: CatalogueEntry): Record<string, unknown> {
  const { fileInput = [], ...others } = files;
  return {
    operation: path.split('/').slice(1).join('/'),
    ...(fileInput.length === 1 ? { file: fileInput[0] } : {}),
    ...(fileInput.length > 1 ? { files: fileInput } : {}),
    ...(Object.keys(others).length > 0 ? { files: others } : {}),
    ...(Object.keys(params).length > 0 ? { parameters: params } : {}),
  };
}

function failure(error: unknown): CallToolResult {
  const known = error instanceof BinderyError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const lines = [
    message,
    `Reason: ${known?.reason ?? 'internal'}`,
    `Code: ${known?.code ?? 'internal'}`,
    `Hint: ${known?.hint ?? 'Try again; if it fails again, report it.'}`,
  ];
  // Operations 9.8: which step failed, and on which file.
  const { step, op, file } = known?.problem ?? {};
  if (step !== undefined) lines.push(`Step: ${step}${op === undefined ? '' : ` (${op})`}`);
  if (file !== undefined) lines.push(`File: ${file}`);
  return {
    isError: true,
    content: [{ type: 'text', text: lines.map(plainLine).join('\n') }],
    ...(known?.problem ? { _meta: { 'bindery/problem': { ...known.problem } } } : {}),
  };
}
