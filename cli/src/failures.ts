// What a failure looks like on a terminal, and which exit code it has.
import { BinderyError, plainLine } from '@bindery/sdk';
import { UsageError } from './command.ts';
import { EXIT } from './exit-codes.ts';

const CODES: Record<string, number> = {
  no_content: EXIT.nothing,
  network_error: EXIT.unreachable,
  timeout: EXIT.unreachable,
  cancelled: EXIT.cancelled,
};

/** Interface 7.4: "A local path could not be read before upload". */
export const unreadable = (path: string, about = ''): BinderyError =>
  new BinderyError(`${about}${path} cannot be read`, {
    code: 'input_unreadable',
    reason: 'input_unreadable',
    hint: 'Check the path and that the file may be read.',
  });

export const unwritable = (message: string, hint: string): BinderyError =>
  new BinderyError(message, { code: 'bad_request', reason: 'invalid_parameter', hint });

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof BinderyError ? (CODES[error.code] ?? EXIT.failed) : EXIT.failed;
}

/**
 * One line for the message; then, of a failed call, `reason:`, `code:` and `hint:` lines. `help` explains the call: of a
 * field that was refused it tells more than the hint for those who call over HTTP.
 */
export function failureText(error: unknown, about?: string, help?: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const lines = [`bindery: ${about === undefined ? '' : `${about}: `}${message}`];
  if (error instanceof BinderyError) {
    const { step, op, file } = error.problem ?? {};
    if (step !== undefined) lines.push(`step: ${step} (${op ?? 'unknown'}${file ? `, ${file}` : ''})`);
    lines.push(`reason: ${error.reason}`, `code: ${error.code}`);
    const hint = hintFor(error, help);
    if (hint) lines.push(`hint: ${hint}`);
    if (error.requestId) lines.push(`request id: ${error.requestId}`);
  }
  // Names of files and words of a service stand in them.
  return lines.map((line) => `${plainLine(line)}\n`).join('');
}

/** The service speaks to those who call over HTTP. */
function hintFor({ status, reason, hint }: BinderyError, help: string | undefined): string | undefined {
  if (status === 401)
    return 'Give a key that is good with --key or BINDERY_API_KEY, or keep one with bindery login.';
  // Without a status it is of this machine, and has its own hint.
  if (help && reason === 'invalid_parameter' && status !== undefined)
    return `${help} tells what each option takes.`;
  return hint;
}

/** The same as data, for --json. */
export function failureData(error: unknown): Record<string, unknown> {
  const detail = error instanceof Error ? error.message : String(error);
  if (!(error instanceof BinderyError)) return { detail, code: 'failed', reason: 'failed' };
  const { code, reason, hint, status, problem } = error;
  return {
    detail,
    code,
    reason,
    hint,
    status,
    requestId: error.requestId,
    ...(problem?.step === undefined ? {} : { step: problem.step, op: problem.op }),
  };
}
