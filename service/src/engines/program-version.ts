// The version that a program tells of itself: digits only, no other word of it is repeated.
import { tmpdir } from 'node:os';
import { ProgramFailure, runProgram } from './process.ts';

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 64 * 1024;

/** Undefined where the program is missing or says nothing of the kind. */
export async function programVersion(program: string, flag: '-v' | '--version'): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await runProgram(program, [flag], {
      cwd: tmpdir(),
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    return /\d+(?:\.\d+){1,3}/.exec(`${stdout.toString('utf8')}\n${stderr}`)?.[0];
  } catch (error) {
    if (error instanceof ProgramFailure) return undefined;
    throw error;
  }
}
