// Tool calls: arguments checked, work done, failures as answers an agent can act on.
import { open } from 'node:fs/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MIB } from '../../contract/limits.ts';
import { safeName } from '../../contract/names.ts';
import { Problem } from '../../contract/problems.ts';
import type { KeptFile } from '../../state/state.ts';
import { AGENT_TOOLS } from '../agent-tools.ts';
import type { CallContext } from './caller.ts';
import { description, pathOf, toolOf } from './catalogue.ts';
import { fetched } from './file-references.ts';
import { expiry, fileCaps, fileFacts, fileNotFound, keepBytes, readyFile, refusal } from './kept-files.ts';
import { runOperation, runPipeline } from './run-operation.ts';
import { failureOf, linkTo, resultOf, structured } from './tool-results.ts';

const PIECE_BYTES = MIB;
const MOST_STEPS = 20;

const base64 = z
  .string()
  .max(Math.ceil(PIECE_BYTES / 3) * 4 + 4)
  .regex(/^[A-Za-z0-9+/\s]*={0,2}\s*$/, 'base64');
const references = z.record(z.string().max(200), z.union([z.string(), z.array(z.string())])).optional();
const outputName = z.string().min(1).max(250).optional();

const OPERATION = z.object({
  operation: z.string(),
  file: z.string().optional(),
  files: references,
  parameters: z.record(z.string(), z.unknown()).optional(),
  output_name: outputName,
});
const PIPELINE = z.object({
  file: z.string().optional(),
  files: references,
  steps: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_STEPS),
  output_name: outputName,
});
const UPLOAD = z.object({
  filename: z.string().min(1).max(1024),
  size: z.int().min(0).optional(),
  media_type: z.string().max(255).optional(),
  url: z.string().max(2048).optional(),
  content_base64: base64.optional(),
});
const CHUNK = z.object({
  file_id: z.string(),
  index: z.int().min(0).max(100_000),
  content_base64: base64,
  last: z.boolean().optional(),
});
const DESCRIBE = z.object({ operation: z.string() });
const DOWNLOAD = z.object({
  file_id: z.string(),
  as: z.enum(['url', 'text', 'base64']).default('url'),
  offset: z.int().min(0).default(0),
  length: z.int().min(1).max(PIECE_BYTES).default(PIECE_BYTES),
});

type Run = (context: CallContext, given: unknown) => Promise<CallToolResult>;

/** A tool with its arguments checked; `operation` names what was asked for, where that is known, for the failure. */
const tool =
  <S extends z.ZodType>(
    schema: S,
    run: (context: CallContext, args: z.output<S>) => Promise<CallToolResult>,
    operation: (args: z.output<S>) => string | undefined = () => undefined,
  ): Run =>
  async (context, given) => {
    const parsed = schema.safeParse(given ?? {});
    if (!parsed.success) return failureOf(badArguments(parsed.error));
    try {
      return await run(context, parsed.data);
    } catch (error) {
      if (context.signal.aborted) throw error;
      const problem = Problem.from(error);
      if (problem.reason === 'internal')
        context.parts.log.error('tool call failed', { error: problem.options.cause });
      return failureOf(problem, operation(parsed.data));
    }
  };

function badArguments(error: z.ZodError): Problem {
  const [issue] = error.issues;
  const field = issue?.path.join('.') || 'arguments';
  return new Problem('invalid_parameter', `${field}: ${issue?.message ?? 'not valid'}.`);
}

type Named = { file?: string | undefined; files?: Record<string, string | string[]> | undefined };

/** `file` stands for the main field; both together are that field's files in order. */
function filesOf({ file, files = {} }: Named): Record<string, string[]> {
  const named = Object.fromEntries(Object.entries(files).map(([field, ids]) => [field, [ids].flat()]));
  if (file !== undefined) named.fileInput = [file, ...(named.fileInput ?? [])];
  return named;
}

const groupTool = (group: string): Run =>
  tool(
    OPERATION,
    async (context, args) => {
      const path = pathOf(args.operation, group);
      if (path === undefined || !path.startsWith(`${group}/`))
        throw unknownOperation(args.operation, group, path);
      const asked = { files: filesOf(args), parameters: args.parameters ?? {}, outputName: args.output_name };
      return runOperation(context, path, asked, (answer) =>
        resultOf(context, path, answer, args.output_name),
      );
    },
    ({ operation }) => pathOf(operation, group),
  );

function unknownOperation(named: string, group: string, elsewhere: string | undefined): Problem {
  const tool = elsewhere === undefined ? undefined : toolOf(elsewhere);
  const advice = tool
    ? `${elsewhere} belongs to ${tool}.`
    : `Operations here: ${AGENT_TOOLS[group]?.operations.join(', ')}.`;
  return new Problem(
    'invalid_parameter',
    `There is no operation "${named.slice(0, 100)}" in this tool. ${advice}`,
  );
}

const pipeline = tool(PIPELINE, (context, args) =>
  runPipeline(context, args.steps, { files: filesOf(args), outputName: args.output_name }, (answer) =>
    resultOf(context, 'pipeline', answer, args.output_name),
  ),
);

const upload = tool(UPLOAD, async (context, args) => {
  const { parts, key, base } = context;
  const { uploadBytes } = parts.config.limits;
  if (args.size !== undefined && args.size > uploadBytes) {
    throw new Problem('payload_too_large', `size is above the ${uploadBytes} bytes that a file may have.`);
  }
  const filename = safeName(args.filename);
  const mediaType = args.media_type ?? 'application/octet-stream';
  if (args.url !== undefined || args.content_base64 !== undefined) {
    const bytes =
      args.url === undefined
        ? Buffer.from(args.content_base64 ?? '', 'base64')
        : (await fetched(context, args.url)).bytes;
    const kept = await keepBytes(context, filename, mediaType, { bytes });
    return structured({
      file_id: kept.id,
      status: 'ready',
      filename: kept.filename,
      size: kept.size,
      expires_at: kept.expiresAt.toISOString(),
    });
  }
  const place = await parts.state.files.reserve(
    { owner: key.id, filename, mediaType, expiresAt: expiry() },
    fileCaps(parts),
  );
  if (typeof place === 'string') throw refusal(place);
  const uploadUrl = parts.addresses.make(base, 'put', place.id, place.expiresAt);
  return structured({
    file_id: place.id,
    status: 'awaiting_bytes',
    filename,
    upload_url: uploadUrl,
    method: 'PUT',
    curl: `curl -T '${filename.replaceAll("'", "'\\''")}' '${uploadUrl}'`,
    max_bytes: uploadBytes,
    expires_at: place.expiresAt.toISOString(),
  });
});

const uploadChunk = tool(
  CHUNK,
  async ({ parts, key }, { file_id: id, index, content_base64: content, last = false }) => {
    const file = await parts.state.files.find(id, key.id);
    if (file === undefined) throw fileNotFound();
    // Sent again because its answer was lost: it is there already.
    if (index === file.writes - 1) return structured(chunkFacts(file));
    if (index !== file.writes || file.ready) {
      const next = file.ready
        ? 'the file is complete'
        : `chunk ${file.writes} comes next: they are sent in order`;
      throw new Problem('invalid_parameter', `index is ${index}, but ${next}.`);
    }
    const limits = { maxBytes: parts.config.limits.uploadBytes, last };
    const written = await parts.state.files.write(
      id,
      file.size,
      oneOf(Buffer.from(content, 'base64')),
      limits,
    );
    if (written === 'gone') throw fileNotFound();
    if (written === 'taken')
      throw new Problem('invalid_parameter', 'index: two chunks came at once; send them in order.');
    if (written === 'too_large')
      throw new Problem('payload_too_large', `A file may have ${limits.maxBytes} bytes.`);
    return structured(chunkFacts(written));
  },
);

const chunkFacts = ({ id, size, writes, ready }: KeptFile): Record<string, unknown> => ({
  file_id: id,
  status: ready ? 'ready' : 'awaiting_bytes',
  size,
  ...(ready ? {} : { next_index: writes }),
});

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const describe = tool(DESCRIBE, async (_context, { operation }) => {
  const path = pathOf(operation);
  if (path !== undefined) return structured(description(path));
  const named = Object.entries(AGENT_TOOLS).flatMap(([group, { operations }]) =>
    operations.map((name) => `${group}/${name}`),
  );
  throw new Problem(
    'invalid_parameter',
    `There is no operation "${operation.slice(0, 100)}". Operations: ${named.join(', ')}.`,
  );
});

const download = tool(DOWNLOAD, async (context, { file_id: id, as, offset, length }) => {
  const kept = await readyFile(context, id);
  const file = fileFacts(context, kept);
  if (as === 'url') return structured({ file }, [linkTo(kept, file)]);
  const bytes = await pieceOf(context.parts.state.files.pathOf(id), offset, length);
  const next = offset + bytes.length;
  const more = next < kept.size ? { next_offset: next } : {};
  const content =
    as === 'text' ? { text: new TextDecoder().decode(bytes) } : { content_base64: bytes.toString('base64') };
  return structured({ file, ...content, offset, ...more });
});

async function pieceOf(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const RUNS: Readonly<Record<string, Run>> = {
  pdf_upload: upload,
  pdf_upload_chunk: uploadChunk,
  pdf_pipeline: pipeline,
  pdf_describe_operation: describe,
  pdf_download: download,
  ...Object.fromEntries(Object.entries(AGENT_TOOLS).map(([group, { name }]) => [name, groupTool(group)])),
};

/** Undefined: there is no such tool. */
export function callTool(
  context: CallContext,
  name: string,
  given: unknown,
): Promise<CallToolResult> | undefined {
  return Object.hasOwn(RUNS, name) ? RUNS[name]?.(context, given) : undefined;
}
