// Tool calls: files of this machine go to the service, results come back to this machine.
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Bindery, BinderyError, type CallOptions, type FileResult, plainLine } from '@bindery/sdk';
import {
  AGENT_TOOLS,
  CATALOGUE,
  type CatalogueEntry,
  fileFieldsOf,
  findOperation,
  nearestName,
  parametersSchema,
} from '@bindery/sdk/catalogue';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AllowedFolders } from './folders.ts';
import { LIST, listFiles } from './list-files.ts';
import { notesOf, structured, trueType } from './tool-results.ts';
import { VIEW, viewPages } from './view-pages.ts';

export interface Work {
  bindery: Bindery;
  folders: AllowedFolders;
}

const INLINE_BYTES = 64 * 1024;
/** Longer text goes to a file only where `output_name` names one. */
const HELD_BYTES = 64 * 1024 ** 2;

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
const STEPS = 'must be a list of 1 to 20 steps, each with op and params';
const OPERATION = z.object({
  operation: text,
  file: path.optional(),
  files: paths,
  parameters: values,
  output_name: path.optional(),
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
});
const DESCRIBE = z.object({ operation: text });

export async function callTool(
  work: Work,
  name: string,
  given: unknown,
  options: CallOptions,
): Promise<CallToolResult | undefined> {
  const group = Object.keys(AGENT_TOOLS).find((each) => AGENT_TOOLS[each]?.name === name);
  try {
    if (group !== undefined) return await runOperation(work, group, read(OPERATION, given), options);
    if (name === 'pdf_pipeline') return await runPipeline(work, read(PIPELINE, given), options);
    if (name === 'pdf_describe_operation') return describe(read(DESCRIBE, given).operation);
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
  options: CallOptions,
): Promise<CallToolResult> {
  const path = findOperation(args.operation, group);
  if (path === undefined || !path.startsWith(`${group}/`)) {
    throw badArgument(
      `There is no operation "${args.operation}" in this tool. Operations: ${AGENT_TOOLS[group]?.operations.join(', ')}.`,
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
  const result = await work.bindery.call(path, files, args.parameters, options);
  return kept(work, path, result, files.fileInput?.[0], target);
}

async function runPipeline(
  work: Work,
  args: z.output<typeof PIPELINE>,
  options: CallOptions,
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
  return kept(
    work,
    'pipeline',
    await work.bindery.runPipeline(fileInput, steps, options),
    fileInput[0],
    target,
  );
}

/** Refuses what exists: nothing of the user's is overwritten. */
function freePath(path: string): string {
  if (!existsSync(path)) return path;
  throw new BinderyError(`output_name: ${path} exists already; choose another.`, {
    code: 'bad_request',
    reason: 'invalid_parameter',
    hint: 'Existing files are not replaced: give output_name a path that is free.',
  });
}

async function kept(
  { folders }: Work,
  operation: string,
  result: FileResult,
  input: string | undefined,
  target: string | undefined,
): Promise<CallToolResult> {
  const isJson = result.mediaType === 'application/json';
  const notes = notesOf(result);
  if (target === undefined && (isJson || result.mediaType === 'text/plain')) {
    const text = await result.text({ maxBytes: HELD_BYTES });
    if (Buffer.byteLength(text) <= INLINE_BYTES) {
      return structured(
        isJson
          ? { operation, kind: 'json', data: parsed(text), ...notes }
          : { operation, kind: 'text', text, ...notes },
      );
    }
    // Larger than an agent wants to read: a file, and how it begins.
    const filename = extname(result.filename)
      ? result.filename
      : `${result.filename}.${isJson ? 'json' : 'txt'}`;
    const path = beside(folders, operation, filename, input);
    writeFileSync(path, text);
    return keptFile(operation, path, result.mediaType, { text: beginning(text), truncated: true, ...notes });
  }
  const path = target ?? beside(folders, operation, result.filename, input);
  await result.save(path, { overwrite: target === undefined }).catch((error: unknown) => {
    if (target === undefined) rmSync(path, { force: true });
    throw error;
  });
  return keptFile(operation, path, trueType(result.mediaType, path), notes);
}

const keptFile = (
  operation: string,
  path: string,
  mediaType: string,
  more: Record<string, unknown> = {},
): CallToolResult =>
  structured({ operation, kind: 'file', path, media_type: mediaType, size: statSync(path).size, ...more }, [
    { type: 'resource_link', uri: pathToFileURL(path).href, name: parse(path).base, mimeType: mediaType },
  ]);

/** What a parser says of it would quote the answer. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BinderyError('The answer is not the JSON that was promised.', {
      code: 'bad_response',
      reason: 'bad_response',
      hint: 'Check that the address is that of a Bindery service.',
    });
  }
}

/** As many bytes as are shown, none of a character that is cut. */
const beginning = (text: string): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, INLINE_BYTES), { stream: true });

/** `<stem>-<op>.<ext>` beside the input; a number where that is taken. */
function beside(
  folders: AllowedFolders,
  operation: string,
  filename: string,
  input: string | undefined,
): string {
  const folder = input === undefined ? (folders.list[0] ?? '.') : dirname(input);
  const stem = input === undefined ? parse(filename).name : parse(input).name;
  const op = operation.split('/').slice(1).join('-') || operation;
  for (let n = 1; ; n += 1) {
    const path = join(folder, `${stem}-${op}${n === 1 ? '' : `-${n}`}${extname(filename)}`);
    const taken = folders.takePlace(path);
    if (taken !== undefined) return taken;
  }
}

function describe(named: string): CallToolResult {
  const path = findOperation(named);
  const entry = path === undefined ? undefined : CATALOGUE[path];
  if (path === undefined || entry === undefined) {
    throw badArgument(`There is no operation "${named}". Operations: ${Object.keys(CATALOGUE).join(', ')}.`);
  }
  const { summary, description, files, result } = entry;
  return structured({
    operation: path,
    tool: AGENT_TOOLS[path.split('/')[0] ?? '']?.name,
    summary,
    description,
    file_fields: files,
    parameters: parametersSchema(entry),
    result,
    example: example(path, entry),
  });
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
