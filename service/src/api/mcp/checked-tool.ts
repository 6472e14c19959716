// A tool with its arguments checked, and its failures as answers an agent can act on.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import { shown, unknownName } from '../../operations/unknown-names.ts';
import type { CallContext } from './caller.ts';
import { failureOf } from './tool-results.ts';

export type Run = (context: CallContext, given: unknown) => Promise<CallToolResult>;

/** Text of an argument. What an argument must be stands in the schema, to follow its name. */
export const text = (least = 0, most = Number.MAX_SAFE_INTEGER) => {
  const refusal = `must be text of ${least} to ${most} characters`;
  return most === Number.MAX_SAFE_INTEGER
    ? z.string('must be text')
    : z.string(refusal).min(least, refusal).max(most, refusal);
};

export const whole = (least: number, most: number) => {
  const refusal = `must be a whole number from ${least} to ${most}`;
  return z.int(refusal).min(least, refusal).max(most, refusal);
};

/** A tool with its arguments checked; `operation` names what was asked for, where that is known, for the failure. */
export const tool =
  <S extends z.ZodObject>(
    schema: S,
    run: (context: CallContext, args: z.output<S>) => Promise<CallToolResult>,
    operation: (args: z.output<S>) => string | undefined = () => undefined,
  ): Run =>
  async (context, given) => {
    const unknown = unknownArgument(given, Object.keys(schema.shape));
    if (unknown) return failed(context, unknown);
    const parsed = schema.safeParse(given ?? {});
    if (!parsed.success) return failed(context, badArguments(parsed.error));
    context.told.operation = operation(parsed.data) ?? '';
    try {
      return await run(context, parsed.data);
    } catch (error) {
      if (context.signal.aborted) throw error;
      const problem = Problem.from(error);
      if (problem.reason === 'internal')
        context.parts.log.error('tool call failed', { error: problem.options.cause });
      return failed(context, problem, operation(parsed.data));
    }
  };

function failed(context: CallContext, problem: Problem, operation?: string): CallToolResult {
  context.told.reason = problem.reason;
  return failureOf(problem, operation);
}

function unknownArgument(given: unknown, known: readonly string[]): Problem | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const name = Object.keys(given).find((each) => !known.includes(each));
  return name === undefined ? undefined : unknownName(shown(name), name, known);
}

function badArguments(error: z.ZodError): Problem {
  const [issue] = error.issues;
  const name = issue?.path.join('.');
  return invalidParameter(name ? `${name} ${issue?.message}.` : 'The arguments must be an object.');
}
