// What a tool answers: structured content, the same as text, and a link where there is a file.
import { readFile } from 'node:fs/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { KINDS, mediaTypeOfName } from '../../contract/kinds.ts';
import { KIB } from '../../contract/limits.ts';
import { type Problem, problemDocument } from '../../contract/problems.ts';
import type { KeptFile } from '../../state/state.ts';
import { parametersSchema } from '../catalogue-entry.ts';
import type { Answer } from '../rest/answer.ts';
import type { CallContext } from './caller.ts';
import { entryOf } from './catalogue.ts';
import { fileFacts, keepBytes, pieceOf } from './kept-files.ts';

type Content = CallToolResult['content'][number];

/** JSON and text up to this size stand in the answer itself. */
const INLINE_BYTES = 64 * KIB;

export function structuredResult(content: Record<string, unknown>, more: Content[] = []): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(content) }, ...more], structuredContent: content };
}

export async function resultOf(
  context: CallContext,
  operation: string,
  answer: Answer,
  outputName: string | undefined,
): Promise<CallToolResult> {
  const { body } = answer;
  const notes = notesOf(answer);
  if (body === null)
    return structuredResult({ operation, kind: 'none', text: 'There is nothing to return.', ...notes });
  const mediaType = (answer.headers['content-type'] ?? 'application/octet-stream').split(';', 1)[0] ?? '';
  const size = 'bytes' in body ? body.bytes.length : body.size;
  context.told.bytesOut += size;
  const isJson = mediaType === 'application/json';
  const isReadable = isJson || mediaType === 'text/plain';
  if (isReadable && size <= INLINE_BYTES && outputName === undefined) {
    const text = Buffer.from('bytes' in body ? body.bytes : await readFile(body.path)).toString('utf8');
    return structuredResult(
      isJson
        ? { operation, kind: 'json', data: JSON.parse(text), ...notes }
        : { operation, kind: 'text', text, ...notes },
    );
  }
  const name = outputName ?? nameOf(answer) ?? 'result';
  const kept = await keepBytes(context, name, trueType(mediaType, name), body);
  const file = fileFacts(context, kept);
  const link = linkTo(kept, file);
  if (!isReadable || size <= INLINE_BYTES)
    return structuredResult({ operation, kind: 'file', file, ...notes }, [link]);
  const bytes =
    'bytes' in body ? body.bytes.subarray(0, INLINE_BYTES) : await pieceOf(body.path, 0, INLINE_BYTES);
  const text = new TextDecoder().decode(wholeCharacters(bytes));
  return structuredResult({ operation, kind: 'file', file, text, truncated: true, ...notes }, [link]);
}

/** Over REST many results are plain bytes whose name tells the type; agents are told the type itself. */
export const trueType = (mediaType: string, name: string): string =>
  mediaType === KINDS.any.mediaType ? (mediaTypeOfName(name) ?? mediaType) : mediaType;

/** What response headers tell of the result: counts of redactions, names that were not found, claims. */
function notesOf({ headers }: Answer): { headers?: Record<string, string> } {
  const told = Object.entries(headers).filter(([name]) => /^x-/i.test(name));
  return told.length === 0 ? {} : { headers: Object.fromEntries(told) };
}

/** UTF-8 without the character that its end cuts through, if there is one; something is always left. */
export function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let last = bytes.length - 1;
  while (last > 0 && bytes.length - last < 4 && ((bytes[last] ?? 0) & 0xc0) === 0x80) last -= 1;
  const lead = bytes[last] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return last > 0 && last + length > bytes.length ? bytes.subarray(0, last) : bytes;
}

export const linkTo = (kept: KeptFile, { download_url }: Record<string, unknown>): Content => ({
  type: 'resource_link',
  uri: String(download_url),
  name: kept.filename,
  mimeType: kept.mediaType,
  size: kept.size,
});

function nameOf({ headers }: Answer): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(headers['content-disposition'] ?? '')?.[1];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}

/** Forms and the description of REST are of no use to an agent. */
const OF_REST = /curl|openapi\.json|\/batch/;
const inWordsOfTools = (document: Record<string, unknown>): Record<string, unknown> =>
  OF_REST.test(String(document.hint))
    ? { ...document, hint: 'pdf_describe_operation tells the files and parameters an operation takes.' }
    : document;

const PROBLEM_META = 'bindery/problem';

/** Text only: older clients hold structured content against the tool's schema even where the call failed. */
export function failureOf(problem: Problem, operation?: string): CallToolResult {
  const document = inWordsOfTools(problemDocument(problem.toData()));
  const { detail, reason, code, hint, step, op, file } = document;
  const lines = [detail, `Reason: ${reason}`, `Code: ${code}`, `Hint: ${hint}`];
  // Operations 9.8: which step failed, and on which file.
  if (step !== undefined) lines.push(`Step: ${step}${op === undefined ? '' : ` (${op})`}`);
  if (file !== undefined) lines.push(`File: ${file}`);
  if (reason === 'invalid_parameter' && operation !== undefined) {
    lines.push(`Parameters: ${JSON.stringify(parametersSchema(entryOf(operation)))}`);
  }
  return {
    isError: true,
    content: [{ type: 'text', text: lines.join('\n') }],
    _meta: { [PROBLEM_META]: document },
  };
}
