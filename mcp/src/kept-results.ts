// Where results go: short JSON and text into the answer, all else into files of this machine.
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BinderyError, type FileResult } from '@bindery/sdk';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AllowedFolders } from './folders.ts';
import { notesOf, structured, trueType } from './tool-results.ts';

const INLINE_BYTES = 64 * 1024;
/** Longer text goes to a file only where `output_name` names one. */
const HELD_BYTES = 64 * 1024 ** 2;

/** What a result is called by, and where it goes. */
export interface Place {
  operation: string;
  /** The document it was made of: results go beside it. */
  input: string | undefined;
  /** The path that was asked for. */
  target: string | undefined;
}

/** Refuses what exists: nothing of the user's is overwritten. */
export function freePath(path: string): string {
  if (!existsSync(path)) return path;
  throw new BinderyError(`output_name: ${path} exists already; choose another.`, {
    code: 'bad_request',
    reason: 'invalid_parameter',
    hint: 'Existing files are not replaced: give output_name a path that is free.',
  });
}

export async function kept(
  folders: AllowedFolders,
  { operation, input, target }: Place,
  result: FileResult,
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
