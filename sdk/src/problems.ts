// Answers that are no success, read as problem documents and made fit to be shown.
import { SMALL_ANSWER_BYTES, textWithin } from './answer-bodies.ts';
import { BinderyError, CLIENT_HINTS, type ProblemDocument } from './errors.ts';
import { plainLine } from './plain-words.ts';

/** Reads the problem document of an answer that is no success. */
export async function errorOf(response: Response): Promise<BinderyError> {
  const requestId = lineOf(response.headers.get('x-request-id'));
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const { status } = response;
  const problem = await readProblem(response);
  if (!problem) {
    return new BinderyError(strangeAnswer(response), {
      code: 'bad_response',
      reason: 'bad_response',
      hint: CLIENT_HINTS.bad_response,
      status,
      requestId,
      retryAfterSeconds,
    });
  }
  return failureOf(problem, { status, requestId, retryAfterSeconds });
}

/** The error that a problem inside another answer tells of. */
export function problemError(sent: unknown): BinderyError | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const problem = plainProblem(sent as Record<string, unknown>);
  return failureOf(problem, { status: problem.status });
}

function failureOf(
  problem: ProblemDocument,
  facts: {
    status: number | undefined;
    requestId?: string | undefined;
    retryAfterSeconds?: number | undefined;
  },
): BinderyError {
  const code = problem.code ?? 'bad_response';
  return new BinderyError(problem.detail ?? problem.title ?? `The service answered ${facts.status}.`, {
    ...facts,
    code,
    reason: problem.reason ?? code,
    hint: problem.hint,
    problem,
  });
}

function strangeAnswer({ status, type, headers }: Response): string {
  // Browsers tell no more than that.
  if (type === 'opaqueredirect')
    return 'The address of the service leads elsewhere; redirects are not followed.';
  const place = status >= 300 && status < 400 ? headers.get('location') : null;
  if (place !== null)
    return `The address of the service leads to ${plainLine(place)}; redirects are not followed.`;
  return `The answer (status ${status}) is not one of a Bindery service.`;
}

async function readProblem(response: Response): Promise<ProblemDocument | undefined> {
  if (!/^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '')) return undefined;
  try {
    const problem: unknown = JSON.parse(await textWithin(response, SMALL_ANSWER_BYTES));
    return typeof problem === 'object' && problem !== null && 'code' in problem
      ? plainProblem(problem as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const WORDS = ['type', 'title', 'detail', 'code', 'reason', 'hint', 'op', 'file'] as const;

/** Its members as they are declared, without anything that is not to be seen. */
function plainProblem(sent: Record<string, unknown>): ProblemDocument {
  const problem: ProblemDocument = {};
  for (const name of WORDS) {
    const words = lineOf(sent[name]);
    if (words !== undefined) problem[name] = words;
  }
  for (const name of ['status', 'step'] as const)
    if (Number.isSafeInteger(sent[name])) problem[name] = sent[name] as number;
  return problem;
}

const lineOf = (words: unknown): string | undefined =>
  typeof words === 'string' ? plainLine(words) : undefined;
