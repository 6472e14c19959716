// Tool calls: operations, pipelines, descriptions; files have tools of their own.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listOf, recordOf } from '../../contract/bounded-schema.ts';
import { nearestName } from '../../contract/nearest-name.ts';
import { invalidParameter, type Problem } from '../../contract/problems.ts';
import { MAIN_INPUT } from '../../operations/plan.ts';
import { AGENT_TOOLS } from '../agent-tools.ts';
import type { CallContext } from './caller.ts';
import { description, pathOf, toolOf } from './catalogue.ts';
import { type Run, text, tool } from './checked-tool.ts';
import { MOST_FILES } from './file-references.ts';
import { FILE_TOOLS } from './file-tools.ts';
import { JOB_TOOLS, runAsJob } from './long-calls.ts';
import { type Asked, runOperation, runPipeline, type Uses } from './run-operation.ts';
import { resultOf, structuredResult } from './tool-results.ts';
import { viewPages } from './view-pages.ts';

const MOST_STEPS = 20;
const STEPS_REFUSAL = `must be a list of 1 to ${MOST_STEPS} steps, each with op and params`;

const listed = listOf(z.string('must be a file reference'), {
  max: MOST_FILES,
  refusal: `must be a list of at most ${MOST_FILES} files`,
});
const byField = recordOf(
  z.string(),
  z.union([z.string(), listed], 'must be a file reference, or a list of such'),
  {
    max: MOST_FILES,
    refusal: 'must be a list of files, or an object of fields and their files',
  },
);
/** A list is that of the main field. */
const references = z
  .unknown()
  .transform((given) => (Array.isArray(given) ? { [MAIN_INPUT]: given } : given))
  .pipe(byField)
  .optional();
const outputName = text(1, 250).optional();
const background = z.boolean('must be true or false').default(false);
const values = recordOf(z.string(), z.unknown(), {
  max: 20_000,
  refusal: 'must be an object of names and values',
});

const OPERATION = z.object({
  operation: text(),
  file: text().optional(),
  files: references,
  parameters: values.optional(),
  output_name: outputName,
  background,
});
const PIPELINE = z.object({
  file: text().optional(),
  files: references,
  steps: listOf(values, { min: 1, max: MOST_STEPS, refusal: STEPS_REFUSAL }),
  output_name: outputName,
  background,
});
const DESCRIBE = z.object({ operation: text() });
type Named = { file?: string | undefined; files?: Record<string, string | string[]> | undefined };

/** `file` stands for the main field; both together are that field's files in order. */
function filesOf({ file, files = {} }: Named): Record<string, string[]> {
  const named = Object.fromEntries(Object.entries(files).map(([field, ids]) => [field, [ids].flat()]));
  if (file !== undefined) named.fileInput = [file, ...(named.fileInput ?? [])];
  return named;
}

interface Wanted {
  output_name?: string | undefined;
  background: boolean;
}

const askedIn = (args: Named & Wanted): Asked => ({ files: filesOf(args), outputName: args.output_name });

const usesOf = (context: CallContext, what: string, args: Wanted): Uses<CallToolResult> => ({
  background: args.background,
  use: (answer) => resultOf(context, what, answer, args.output_name),
  asJob: (call) => runAsJob(context, call, args.output_name, args.background),
});

const groupTool = (group: string): Run =>
  tool(
    OPERATION,
    async (context, args) => {
      const path = pathOf(args.operation, group);
      if (path === undefined || !path.startsWith(`${group}/`))
        throw unknownOperation(context, args.operation, group, path);
      const asked = { ...askedIn(args), parameters: args.parameters ?? {} };
      return runOperation(context, path, asked, usesOf(context, path, args));
    },
    ({ operation }) => pathOf(operation, group),
  );

function unknownOperation(
  { parts }: CallContext,
  named: string,
  group: string,
  elsewhere: string | undefined,
): Problem {
  const tool = elsewhere === undefined ? undefined : toolOf(elsewhere);
  const here = (AGENT_TOOLS[group]?.operations ?? []).filter(
    (name) => !parts.turnedOff.has(`${group}/${name}`),
  );
  const near = nearestName(named, here);
  const advice = tool
    ? `${elsewhere} belongs to ${tool}.`
    : `${near ? `Did you mean ${near}? ` : ''}Operations here: ${here.join(', ')}.`;
  return invalidParameter(`There is no operation "${named.slice(0, 100)}" in this tool. ${advice}`);
}

const pipeline = tool(PIPELINE, (context, args) => {
  context.told.operation = 'pipeline';
  return runPipeline(context, args.steps, askedIn(args), usesOf(context, 'pipeline', args));
});

const describe = tool(DESCRIBE, async ({ parts }, { operation }) => {
  const path = pathOf(operation);
  if (path !== undefined) {
    parts.turnedOff.refuse(path);
    return structuredResult(description(path));
  }
  const named = Object.keys(parts.turnedOff.operations());
  const near = nearestName(operation, named);
  throw invalidParameter(
    `There is no operation "${operation.slice(0, 100)}". ${near ? `Did you mean ${near}? ` : ''}Operations: ${named.join(', ')}.`,
  );
});

const RUNS: Readonly<Record<string, Run>> = {
  ...FILE_TOOLS,
  ...JOB_TOOLS,
  pdf_pipeline: pipeline,
  pdf_view_pages: viewPages,
  pdf_describe_operation: describe,
  ...Object.fromEntries(Object.entries(AGENT_TOOLS).map(([group, { name }]) => [name, groupTool(group)])),
};

/** Undefined: there is no such tool. */
export function callTool(
  context: CallContext,
  name: string,
  given: unknown,
): Promise<CallToolResult> | undefined {
  return Object.hasOwn(RUNS, name) ? RUNS[name]?.(context, given) : undefined;
}
