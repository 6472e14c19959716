// Where results go: text and JSON to standard output, files beside the user under the name the service gives, or
// wherever -o says.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileResult } from '@bindery/sdk';
import { UsageError } from './command.ts';
import { unwritable } from './failures.ts';
import { STANDARD_INPUT } from './inputs.ts';
import { jsonText, showStream } from './shown.ts';

const STANDARD_OUTPUT = '-';

export interface Destination {
  /** Absent: where the kind of result belongs. */
  output: string | undefined;
  force: boolean;
  /** There will be several results: -o is a folder. */
  several: boolean;
  /** Standard output is for what is told of the results. */
  json: boolean;
  /** Paths of this run: two results of one name are not put in one place. */
  taken: Set<string>;
  /** The document came from standard input, so the result goes to standard output where that is no terminal. */
  fromStandardInput: boolean;
}

export interface Kept {
  /** The path, or - for standard output. */
  output: string;
  filename: string;
  mediaType: string;
  size?: number;
}

export function destinationOf(
  { output, force, json }: { output: string | undefined; force: boolean; json: boolean },
  files: readonly string[],
  several: boolean,
): Destination {
  if (several && output === STANDARD_OUTPUT)
    throw new UsageError('several results do not fit into one standard output');
  if (json && output === STANDARD_OUTPUT)
    throw new UsageError('--json and -o - both want standard output; give -o a file');
  if (several && output !== undefined && existsSync(output) && !statSync(output).isDirectory()) {
    throw new UsageError(`-o ${output} must be a folder: there will be several results`);
  }
  if (
    several &&
    output !== undefined &&
    !output.endsWith('/') &&
    extname(output) !== '' &&
    !existsSync(output)
  )
    throw new UsageError(
      `-o ${output} looks like one file, but there will be several results: name a folder`,
    );
  // Before the call: its result would be lost.
  if (output !== undefined && output !== STANDARD_OUTPUT && !several && !output.endsWith('/'))
    requireRoom(output, force);
  return {
    output,
    force,
    several,
    json,
    taken: new Set(),
    fromStandardInput: files.includes(STANDARD_INPUT),
  };
}

function requireRoom(output: string, force: boolean): void {
  requireFolder(output);
  if (!force && existsSync(output) && !statSync(output).isDirectory()) throw existing(output);
}

const existing = (path: string): Error =>
  unwritable(`${path} exists already; --force replaces it`, 'Give -o another path, or add --force.');

function requireFolder(output: string): void {
  const folder = dirname(output);
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  throw unwritable(
    `${output} cannot be written: there is no folder ${folder}`,
    'Make the folder, or end the path with / to have it made.',
  );
}

const isReadable = (mediaType: string): boolean =>
  mediaType === 'application/json' || mediaType === 'text/plain';

/** Whether a result of this kind is shown rather than kept. */
export function isShown(mediaType: string, { output, fromStandardInput, json }: Destination): boolean {
  if (output !== undefined) return output === STANDARD_OUTPUT;
  return isReadable(mediaType) || (fromStandardInput && !process.stdout.isTTY && !json);
}

export async function keep(result: FileResult, destination: Destination): Promise<Kept> {
  const { filename, mediaType } = result;
  if (isShown(mediaType, destination)) {
    if (process.stdout.isTTY && !isReadable(mediaType)) {
      throw new UsageError('a document does not belong on a terminal; redirect it, or give -o a file');
    }
    await show(result);
    return { output: STANDARD_OUTPUT, filename, mediaType };
  }
  const path = pathFor(filename, destination);
  if (destination.taken.has(path))
    throw unwritable(
      `${path} is the result of another file of this run`,
      'Files of one name go into different folders: call the command for each.',
    );
  if (!destination.force && existsSync(path)) throw existing(path);
  destination.taken.add(path);
  await result.save(path, { overwrite: destination.force });
  return { output: path, filename, mediaType, size: statSync(path).size };
}

async function show(result: FileResult): Promise<void> {
  if (result.mediaType === 'application/json') {
    process.stdout.write(jsonText(await result.json()));
    return;
  }
  if (process.stdout.isTTY) return showStream(result.stream());
  await pipeline(result.stream(), process.stdout, { end: false });
}

function pathFor(filename: string, { output, several }: Destination): string {
  if (output === undefined) return filename;
  const isFolder = several || output.endsWith('/') || (existsSync(output) && statSync(output).isDirectory());
  if (!isFolder) return output;
  mkdirSync(output, { recursive: true });
  return join(output, filename);
}
