// What an operation is. Everything a caller can see of one is derived from this declaration; its path
// is the file's place: operations/general/rotate-pdf.ts is POST /api/v1/general/rotate-pdf.
import type { z } from 'zod';
import type { Content, InputFile } from '../contract/files.ts';
import type { FileKind } from '../contract/kinds.ts';
import type { Log } from '../contract/log.ts';
import type { Reason } from '../contract/problems.ts';
import type { ReportFacts } from '../contract/redaction-report.ts';
import type { EngineName, Engines } from '../engines/engines.ts';
import type { Field, Values } from './fields.ts';

export interface FileInput {
  many: boolean;
  required: boolean;
  kinds: readonly FileKind[];
  description: string;
  min: number;
  max: number;
  /** In a pipeline, when none is given, the current files after the first go here. */
  takesRest: boolean;
}

interface OneFile extends FileInput {
  many: false;
  required: true;
}
interface MaybeFile extends FileInput {
  many: false;
  required: false;
}
interface ManyFiles extends FileInput {
  many: true;
}

const kindList = (kinds: FileKind | readonly FileKind[]): readonly FileKind[] =>
  typeof kinds === 'string' ? [kinds] : kinds;

export const file = (kinds: FileKind | readonly FileKind[], description = 'The document'): OneFile => ({
  many: false,
  required: true,
  kinds: kindList(kinds),
  description,
  min: 1,
  max: 1,
  takesRest: false,
});

export const optionalFile = (kinds: FileKind | readonly FileKind[], description: string): MaybeFile => ({
  many: false,
  required: false,
  kinds: kindList(kinds),
  description,
  min: 0,
  max: 1,
  takesRest: false,
});

export const files = (
  kinds: FileKind | readonly FileKind[],
  description: string,
  { min = 1, max = 500, takesRest = false }: { min?: number; max?: number; takesRest?: boolean } = {},
): ManyFiles => ({ many: true, required: min > 0, kinds: kindList(kinds), description, min, max, takesRest });

export type Inputs = Record<string, FileInput>;
export type InputValues<I> = {
  [K in keyof I]: I[K] extends ManyFiles
    ? InputFile[]
    : I[K] extends MaybeFile
      ? InputFile | undefined
      : InputFile;
};

/**
 * A file an operation made. `suffix` replaces the declared one, `name` the whole name; `kind` is one of the
 * declared alternatives.
 */
export interface MadeFile {
  content: Content;
  suffix?: string;
  name?: string;
  kind?: FileKind;
  headers?: Record<string, string>;
  /** A report of ours names its hash: not a byte of it changes any more. */
  attested?: true;
  /** Where in an archive it lies, where a format asks for a folder of its own. */
  folder?: string;
}

export interface FileOutput {
  shape: 'file';
  kind: FileKind;
  /** The media type of the response: that of the kind, or application/octet-stream (operations 1.7). */
  octet: boolean;
  /** Name of the result: base + suffix + extension, unless `run` names it. */
  suffix: string;
  extension: string;
  mayBeNothing: boolean;
  alternatives: readonly FileKind[];
  headers: Record<string, string>;
}
export interface ArchiveOutput {
  shape: 'archive';
  suffix: string;
  /** A single file is sent as itself, not as a ZIP. */
  singleAsItself: boolean;
  /** Kind of the entries, which is what a next pipeline step receives. */
  entries: FileKind;
  /** In a pipeline the ZIP counts as one file and is not unpacked (operations 9.4). */
  whole: boolean;
  headers: Record<string, string>;
}
export interface JsonOutput<S extends z.ZodType = z.ZodType> {
  shape: 'json';
  schema: S;
  name?: string;
  /** `run` has written the JSON to a file: documents of any size. */
  written?: true;
}
export type Output = FileOutput | ArchiveOutput | JsonOutput;

/** Response header of any result that is or holds a PDF: what became of the standards it claimed. */
export const CLAIMS_HEADER = 'X-Conformance';

interface FileOutputOptions {
  mayBeNothing?: boolean;
  alternatives?: readonly FileKind[];
  /** Response headers of the operation's own, with their description. */
  headers?: Record<string, string>;
}

type Nothing<O> = O extends { mayBeNothing: true } ? null : never;
type FileResult<O> = FileOutput & { mayBeNothing: O extends { mayBeNothing: true } ? true : false };

/** application/pdf, `base<suffix>.pdf`. */
export const pdfFile = <const O extends FileOutputOptions>(suffix: string, options?: O): FileResult<O> =>
  fileOutput({ kind: 'pdf', octet: false, suffix, extension: 'pdf' }, options);

/** text/plain, UTF-8. */
export const textFile = <const O extends FileOutputOptions>(
  suffix: string,
  extension: string,
  options?: O,
): FileResult<O> => fileOutput({ kind: 'text', octet: false, suffix, extension }, options);

/** application/octet-stream; the name tells the kind. */
export const binaryFile = <const O extends FileOutputOptions>(
  kind: FileKind,
  suffix: string,
  extension: string,
  options?: O,
): FileResult<O> => fileOutput({ kind, octet: true, suffix, extension }, options);

function fileOutput<O extends FileOutputOptions>(
  base: Pick<FileOutput, 'kind' | 'octet' | 'suffix' | 'extension'>,
  options: O | undefined,
): FileResult<O> {
  return {
    shape: 'file',
    ...base,
    mayBeNothing: options?.mayBeNothing ?? false,
    alternatives: options?.alternatives ?? [],
    headers: options?.headers ?? {},
  } as FileResult<O>;
}

/** Several files: a ZIP as application/octet-stream, `base<suffix>.zip`. */
export const archive = (
  suffix: string,
  entries: FileKind,
  options: { singleAsItself?: boolean; whole?: boolean; headers?: Record<string, string> } = {},
): ArchiveOutput => ({
  shape: 'archive',
  suffix,
  entries,
  singleAsItself: options.singleAsItself ?? false,
  whole: options.whole ?? false,
  headers: options.headers ?? {},
});

export const jsonResult = <S extends z.ZodType>(
  schema: S,
  options: { name?: string } = {},
): JsonOutput<S> => ({
  shape: 'json',
  schema,
  ...options,
});

/** JSON too large to be held: `run` writes it and gives the file, named `base.json`. */
export const jsonFile = <S extends z.ZodType>(schema: S): JsonOutput<S> & { written: true } => ({
  shape: 'json',
  schema,
  name: '<name>.json',
  written: true,
});

/** Entries of an archive carry their own names. */
export type MadeEntry = MadeFile & { name: string };

/** Several files where one is declared: sent as a ZIP, `base<suffix>.zip`. For outputs with alternatives. */
export interface MadeArchive {
  entries: MadeEntry[];
  suffix: string;
  /** As of ArchiveOutput. */
  whole?: boolean;
}

export type ResultOf<O> = O extends { shape: 'json'; written: true }
  ? MadeFile
  : O extends JsonOutput<infer S>
    ? z.output<S>
    : O extends ArchiveOutput
      ? MadeEntry[]
      : O extends FileOutput
        ? MadeFile | Nothing<O> | MadeArchive
        : never;

/**
 * Work on a document that parts into its pages: what comes of a page depends on the document, the values and that page
 * alone, so that it does not matter who does which.
 */
export interface PageWork {
  readonly count: number;
  /** What comes of each page, in their order, from this one on; asked before each where to end. */
  pages(from: number, end: () => number): AsyncIterable<Content>;
  [Symbol.dispose](): void;
}

export type SignReport = (facts: ReportFacts) => Promise<string>;

export interface RunContext<U extends EngineName> {
  engine: Pick<Engines, U>;
  /** What comes of all pages, those of a long document with the help of workers that have nothing to do. */
  eachPage(work: PageWork): Promise<Content[]>;
  /** Facts of a redaction as a signed report, ready to be sent. */
  signReport: SignReport;
  /** So many pages, or files, of so many are done: for whoever watches. Costs nothing where nobody does. */
  progress(done: number, of: number): void;
  /** A path of ours in the job's directory, not yet existing. */
  newFile(extension: string): string;
  log: Log;
}

export interface Operation<
  I extends Inputs = Inputs,
  P extends Record<string, Field> = Record<string, Field>,
  O extends Output = Output,
  U extends EngineName = EngineName,
  M extends EngineName = never,
> {
  summary: string;
  description?: string;
  /** Values that show what it is for, as JSON: every face shows them. What is required must be among them. */
  example?: Readonly<Record<string, unknown>>;
  inputs: I;
  params: P;
  output: O;
  uses: readonly U[];
  /** Engines for some inputs only: their verbs answer missing_dependency themselves where they are not there. */
  mayUse?: readonly M[];
  /** Why it may refuse, beside what its inputs and fields show already (see refusals.ts). */
  refuses?: readonly Reason[];
  /**
   * What no single field can say: fields that need each other, files that a mode asks for. Throws Problem.
   * Runs before anything is opened; `given` tells how many files each input has.
   */
  check?(params: Values<P>, given: { [K in keyof I]: number }): void;
  /** Fields and files that the chosen mode does not use: whatever they hold is ignored. */
  unused?(params: Values<P>): readonly (keyof P | keyof I)[];
  /**
   * The kind a next pipeline step receives for these values, where it is not the declared one: `alternatives` that
   * fields choose, or text of a kind of its own. An archive has that of its entries, unless it stays whole.
   */
  makes?(params: Values<P>): FileKind;
  /** Whether, for these values, it asks those whom certificates name, beside addresses in its fields. */
  asksAuthorities?(params: Values<P>): boolean;
  /** Whether, for these values, the service is to sign a report of what was done. */
  signsReport?(params: Values<P>): boolean;
  /** Results that no further step of a pipeline can take, for these values (JSON never can). */
  endsPipeline?(params: Values<P>): boolean;
  run(inputs: InputValues<I>, params: Values<P>, context: RunContext<U | M>): Promise<ResultOf<O>>;
  /**
   * The work that `run` gives to `eachPage`, opened once more where a worker helps with some of its pages. For
   * operations whose only file is the document.
   */
  pages?(
    inputs: InputValues<I>,
    params: Values<P>,
    context: Omit<RunContext<U | M>, 'eachPage' | 'signReport' | 'progress'>,
  ): PageWork | Promise<PageWork>;
}

/** Any operation, its parts' types forgotten: what the registry and the faces hold. */
// biome-ignore lint/suspicious/noExplicitAny: parameters of `run` are contravariant; the registry erases them
export type AnyOperation = Operation<any, any, any, any, any>;

export function operation<
  const I extends Inputs,
  const P extends Record<string, Field>,
  const O extends Output,
  const U extends EngineName,
  const M extends EngineName = never,
>(declared: Operation<I, P, O, U, M>): Operation<I, P, O, U, M> {
  return declared;
}
