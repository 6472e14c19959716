// Other programs' word on our results.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './small-shell.ts';

const present = new Map<string, boolean>();
function isPresent(program: string): boolean {
  const known = present.get(program) ?? spawnSync(program, ['-v']).error === undefined;
  present.set(program, known);
  return known;
}

/** Reason to skip tests that ask these programs, or false where all are there. */
export function missing(...programs: string[]): string | false {
  const absent = programs.filter((program) => !isPresent(program));
  return absent.length > 0 && `not installed: ${absent.join(', ')}`;
}

/** Runs a program on bytes laid in a file of their own; `{}` among the arguments is its path. */
export const askProgram = (
  program: string,
  args: readonly string[],
  bytes: Uint8Array,
  allowed = [0],
): string => askProgramBytes(program, args, bytes, allowed).toString('utf8');

/** The same for programs whose output is no text: of an image, text keeps the dark half only. */
export function askProgramBytes(
  program: string,
  args: readonly string[],
  bytes: Uint8Array,
  allowed = [0],
): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-oracle-'));
  try {
    const path = join(dir, 'result.pdf');
    writeFileSync(path, bytes);
    const { status, stdout, stderr } = runProgram(
      program,
      args.map((arg) => (arg === '{}' ? path : arg)),
    );
    if (!allowed.includes(status)) {
      throw new Error(
        `${program} ended with ${status}: ${stderr.toString('utf8', 0, 2000)}${stdout.toString('utf8', 0, 500)}`,
      );
    }
    return stdout;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Throws unless qpdf finds neither errors nor warnings; `tolerant` lets warnings pass. */
export function qpdfCheck(bytes: Uint8Array, options: { password?: string; tolerant?: boolean } = {}): void {
  const password = options.password === undefined ? [] : [`--password=${options.password}`];
  askProgram('qpdf', [...password, '--check', '{}'], bytes, options.tolerant ? [0, 3] : [0]);
}

/** The lines of pdfinfo, by their label. */
export function pdfinfo(bytes: Uint8Array, ...args: string[]): Record<string, string> {
  const lines = askProgram('pdfinfo', ['-isodates', ...args, '{}'], bytes).split('\n');
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
  askProgram('pdftotext', [...args, '{}', '-'], bytes);

interface QpdfJson {
  qpdf: [unknown, Record<string, { value?: unknown; stream?: { dict: Record<string, unknown> } }>];
}

/** Every object of the file by its number, as qpdf prints it in JSON. */
export const qpdfObjects = (bytes: Uint8Array): QpdfJson['qpdf'][1] =>
  (JSON.parse(askProgram('qpdf', ['--json', '--json-key=qpdf', '{}'], bytes, [0, 3])) as QpdfJson).qpdf[1];
