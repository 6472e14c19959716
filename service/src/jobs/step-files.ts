// The files a step works on, and how their names travel through a pipeline.
import { type Content, contentSize, InputFile } from '../contract/files.ts';
import { type FileKind, KINDS } from '../contract/kinds.ts';
import { LIMITS } from '../contract/limits.ts';
import { baseName, LONGEST_GIVEN_NAME, safeName } from '../contract/names.ts';
import { Problem } from '../contract/problems.ts';
import type { AnyOperation, FileOutput, MadeFile } from '../operations/define.ts';
import type { JobFile } from './job.ts';
import type { JobDirectory } from './job-directory.ts';

export interface StepFile {
  file: InputFile;
  /** What suffixes are added to: the name the document came with, or was given by an operation. */
  stem: string;
  kind: FileKind;
  mediaType: string;
  headers: Record<string, string>;
  /** JSON without a name of its own has no Content-Disposition. */
  named: boolean;
  /** Its name in an archive of several. */
  entryName: string;
  /** As of MadeFile. */
  attested?: true | undefined;
}

export function stepFileFromJob(given: JobFile, directory: JobDirectory): StepFile {
  const name = safeName(given.name);
  const content =
    'chunks' in given.content
      ? { bytes: together(given.content.chunks) }
      : { path: directory.path(given.content.file) };
  const stem = baseName(name);
  return {
    file: new InputFile(name, content, stem),
    stem,
    kind: 'any',
    mediaType: KINDS.any.mediaType,
    headers: {},
    named: true,
    entryName: name,
  };
}

const together = (chunks: readonly Uint8Array[]): Uint8Array =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

export function stepFileFromMade(
  path: string,
  op: AnyOperation,
  made: MadeFile,
  main: StepFile | undefined,
): StepFile {
  const stem = main?.stem ?? 'document';
  const kind: FileKind = made.kind ?? madeKind(op);
  const name =
    made.name === undefined ? defaultName(op, made, stem, kind) : safeName(made.name, LONGEST_GIVEN_NAME);
  // Operations 9.7: "names from auto-rename and ZIP entries stay"; a file passed on keeps its stem.
  const nextStem = made.name === undefined || name === main?.file.name ? stem : baseName(name);
  if (contentSize(made.content) > LIMITS.resultBytes) throw resultTooLarge();
  return {
    file: new InputFile(name, made.content, nextStem),
    stem: nextStem,
    kind,
    mediaType: mediaTypeOf(op, kind),
    headers: made.headers ?? {},
    attested: made.attested,
    named: op.output.shape !== 'json' || op.output.name !== undefined,
    // Operations 9.7: "JSON results in a ZIP: base_<last op segment>.json".
    entryName: op.output.shape === 'json' ? `${stem}_${path.split('/').at(-1)}.json` : entryName(name, made),
  };
}

/** An archive that stays one file. */
export function stepFileFromArchive(
  content: Content,
  suffix: string | undefined,
  main: StepFile | undefined,
): StepFile {
  const stem = main?.stem ?? 'document';
  const name = `${stem}${suffix ?? ''}.zip`;
  return {
    file: new InputFile(name, content, stem),
    stem,
    kind: 'zip',
    mediaType: KINDS.any.mediaType,
    headers: {},
    named: true,
    entryName: name,
  };
}

/** Names are without path (operations 1.7), but for the folders an operation itself names. */
const entryName = (name: string, { folder }: MadeFile): string =>
  folder === undefined ? name : `${safeName(folder)}/${name}`;

/** Operations 1.7.7. */
export const resultTooLarge = (problem?: Problem): Problem =>
  new Problem('bad_request', 'The result is larger than 1 GiB.', problem?.options);

function madeKind(op: AnyOperation): FileKind {
  if (op.output.shape === 'json') return 'json';
  return op.output.shape === 'archive' ? op.output.entries : op.output.kind;
}

function defaultName(op: AnyOperation, made: MadeFile, stem: string, kind: FileKind): string {
  if (op.output.shape !== 'file') return `${stem}.${KINDS[kind].extensions[0]}`;
  const output: FileOutput = op.output;
  const extension = kind === output.kind ? output.extension : KINDS[kind].extensions[0];
  return `${stem}${made.suffix ?? output.suffix}.${extension}`;
}

/** Operations 1.7: an operation headed application/octet-stream always sends that type; so does every ZIP. */
function mediaTypeOf(op: AnyOperation, kind: FileKind): string {
  if (op.output.shape === 'json') return KINDS.json.mediaType;
  if (op.output.shape === 'archive' || kind === 'zip') return KINDS.any.mediaType;
  return op.output.octet ? KINDS.any.mediaType : KINDS[kind].mediaType;
}

export function jsonResultFile(name: string | undefined, value: unknown): MadeFile {
  return {
    content: { bytes: Buffer.from(JSON.stringify(value)) },
    kind: 'json',
    ...(name === undefined ? {} : { name }),
  };
}
