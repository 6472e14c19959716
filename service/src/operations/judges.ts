// Other programs' word on our results, and small documents written out by hand. For tests only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProblemData } from '../contract/problems.ts';
import type { Ran } from '../jobs/run-here.ts';

/** The result of a call that must have made one. */
export function made(ran: Ran): Buffer {
  if (ran.state === 'made') return ran.bytes;
  throw new Error(
    ran.state === 'failed'
      ? `${ran.problem.reason}: ${ran.problem.detail} ${ran.cause ?? ''}`
      : 'nothing was made',
  );
}

export const madeJson = (ran: Ran): unknown => JSON.parse(made(ran).toString('utf8'));

export function madeName(ran: Ran): string | undefined {
  made(ran);
  return ran.state === 'made' ? ran.result.name : undefined;
}

/** The problem of a call that must have failed. */
export function failed(ran: Ran): ProblemData {
  if (ran.state === 'failed') return ran.problem;
  throw new Error(`not refused: ${ran.state}`);
}

/** Reason to skip tests that ask these programs, or false where all are there. */
export function missing(...programs: string[]): string | false {
  const absent = programs.filter((program) => spawnSync(program, ['-v']).error !== undefined);
  return absent.length > 0 && `not installed: ${absent.join(', ')}`;
}

/** Runs a program on bytes laid in a file of their own; `{}` among the arguments is its path. */
export const judge = (program: string, args: readonly string[], bytes: Uint8Array, allowed = [0]): string =>
  judgeBytes(program, args, bytes, allowed).toString('utf8');

/** The same for programs whose output is no text: of a picture, text keeps the dark half only. */
export function judgeBytes(
  program: string,
  args: readonly string[],
  bytes: Uint8Array,
  allowed = [0],
): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-judge-'));
  try {
    const path = join(dir, 'result.pdf');
    writeFileSync(path, bytes);
    const ran = spawnSync(
      program,
      args.map((arg) => (arg === '{}' ? path : arg)),
      { maxBuffer: 1 << 28 },
    );
    if (ran.error) throw ran.error;
    if (!allowed.includes(ran.status ?? -1)) {
      throw new Error(
        `${program} ended with ${ran.status}: ${ran.stderr.toString('utf8', 0, 2000)}${ran.stdout.toString('utf8', 0, 500)}`,
      );
    }
    return ran.stdout;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Throws unless qpdf finds neither errors nor warnings; `tolerant` lets warnings pass. */
export function qpdfCheck(bytes: Uint8Array, options: { password?: string; tolerant?: boolean } = {}): void {
  const password = options.password === undefined ? [] : [`--password=${options.password}`];
  judge('qpdf', [...password, '--check', '{}'], bytes, options.tolerant ? [0, 3] : [0]);
}

/** The lines of pdfinfo, by their label. */
export function pdfinfo(bytes: Uint8Array, ...args: string[]): Record<string, string> {
  const lines = judge('pdfinfo', ['-isodates', ...args, '{}'], bytes).split('\n');
  return Object.fromEntries(
    lines
      .filter((line) => line.includes(':'))
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      }),
  );
}

export const pdftotext = (bytes: Uint8Array, ...args: string[]): string =>
  judge('pdftotext', [...args, '{}', '-'], bytes);

interface QpdfJson {
  qpdf: [unknown, Record<string, { value?: unknown; stream?: { dict: Record<string, unknown> } }>];
}

/** Every object of the file by its number, as qpdf prints it in JSON. */
export const qpdfObjects = (bytes: Uint8Array): QpdfJson['qpdf'][1] =>
  (JSON.parse(judge('qpdf', ['--json', '--json-key=qpdf', '{}'], bytes, [0, 3])) as QpdfJson).qpdf[1];

/** A document with a sound cross-reference table; the first object is the catalog, `trailer` adds entries. */
export function pdfOf(
  objects: readonly string[],
  options: { version?: string; trailer?: string } = {},
): Buffer {
  let body = `%PDF-${options.version ?? '1.7'}\n%\u00e2\u00e3\u00cf\u00d3\n`;
  const rows = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R ${options.trailer ?? ''} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, 'latin1');
}

/** A stream object for `pdfOf`; one character per byte. */
export const streamOf = (data: string, dict = ''): string =>
  `<< ${dict} /Length ${data.length} >>\nstream\n${data}\nendstream`;

/** One page on which `content` is drawn; `catalog` and `page` add entries, `more` further objects from 5 on. */
export function onePage(
  options: {
    catalog?: string;
    page?: string;
    content?: string;
    more?: string[];
    trailer?: string;
    version?: string;
  } = {},
): Buffer {
  return pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ''} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${options.page ?? ''} >>`,
      streamOf(options.content ?? ''),
      ...(options.more ?? []),
    ],
    options,
  );
}

const CORPUS = new URL('../../../../shared/corpus/', import.meta.url);

export const corpusFolder = (name: string): URL => new URL(`${name}/`, CORPUS);

/** The files of a folder of the collection, and none where there is no collection. */
export function corpusFiles(folder: string): { name: string; path: string }[] {
  const dir = corpusFolder(folder);
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.map((name) => ({ name, path: join(decodeURIComponent(dir.pathname), name) }));
}

/** PDFs of a collection that may stand beside the clone; empty where it does not. */
export function corpus(...folders: string[]): string[] {
  return folders.flatMap((folder) => {
    const dir = corpusFolder(folder);
    if (!existsSync(dir)) return [];
    return readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.pdf'))
      .map((name) => new URL(name.split('/').map(encodeURIComponent).join('/'), dir).pathname)
      .map(decodeURIComponent)
      .sort();
  });
}

export const noCorpus = (): string | false => !existsSync(CORPUS) && 'no collection beside the clone';

export const fixture = (name: string): string =>
  new URL(`../../../fixtures/${name}`, import.meta.url).pathname;
