// A tool with its arguments checked, and its failures as answers an agent can act on.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { Problem } from '../../contract/problems.ts';
import type { CallContext } from './caller.ts';
import { failureOf } from './tool-results.ts';

export type Run = (context: CallContext, given: unknown) => Promise<CallToolResult>;

/** A tool with its arguments checked; `operation` names what was asked for, where that is known, for the failure. */
export const tool =
  <S extends z.ZodType>(
    schema: S,
    run: (context: CallContext, args: z.output<S>) => Promise<CallToolResult>,
    operation: (args: z.output<S>) => string | undefined = () => undefined,
  ): Run =>
  async (context, given) => {
    const parsed = schema.safeParse(given ?? {});
    if (!parsed.success) return failureOf(badArguments(parsed.error));
    try {
      return await run(context, parsed.data);
    } catch (error) {
      if (context.signal.aborted) throw error;
      const problem = Problem.from(error);
      if (problem.reason === 'internal')
        context.parts.log.error('tool call failed', { error: problem.options.cause });
      return failureOf(problem, operation(parsed.data));
    }
  };

function badArguments(error: z.ZodError): Problem {
  const [issue] = error.issues;
  const field = issue?.path.join('.') || 'arguments';
  return new Problem('invalid_parameter', `${field}: ${issue?.message ?? 'not valid'}.`);
}
