// What a job may start and whom it may reach: by what its operations declare, never by what its worker says.
import { EGRESS_LIMITS } from '../contract/egress.ts';
import { LIMITS } from '../contract/limits.ts';
import type { EngineName } from '../engines/engines.ts';
import type { Field } from '../operations/fields.ts';
import { OPERATIONS } from '../operations/index.generated.ts';
import type { Job, JobStep } from './job.ts';

/** Engines that the steps of a job may use. */
export function enginesOf({ steps }: Job): EngineName[] {
  const names = steps.flatMap(({ op }) => {
    const { uses = [], mayUse = [] } = OPERATIONS[op] ?? {};
    return [...uses, ...mayUse] as EngineName[];
  });
  return [...new Set(names)];
}

/** Whether the caller named an address in this very job. */
export const namesAddress = ({ steps }: Job, url: string): boolean =>
  steps.some(({ params }) => Object.values(params).includes(url));

/** How many addresses a job may ask for that its caller did not name. */
export function fetchesOf({ steps }: Job): number {
  if (steps.some(loadsPage)) return EGRESS_LIMITS.fetches;
  return steps.some(asksAuthorities) ? EGRESS_LIMITS.authorityFetches : 0;
}

/** How many reports may be signed for it: one for each document of a step that asks for them. */
export const reportsOf = ({ steps }: Job): number =>
  steps.some(({ op, params }) => OPERATIONS[op]?.signsReport?.(params) ?? false)
    ? LIMITS.intermediateFiles
    : 0;

/** Whether its first step is work on pages that others may do a part of; a part is not parted again. */
export const mayPart = ({ steps, part }: Job): boolean =>
  part === undefined && OPERATIONS[steps[0]?.op ?? '']?.pages !== undefined;

/** Whether a step asks those whom certificates name: who issued them, who tells whether they were withdrawn. */
const asksAuthorities = ({ op, params }: JobStep): boolean =>
  OPERATIONS[op]?.asksAuthorities?.(params) ?? false;

/** Whether a step loads a web page that the caller named. */
function loadsPage({ op, params }: JobStep): boolean {
  const declared = OPERATIONS[op];
  if (!declared?.uses.includes('browser')) return false;
  const fields = Object.entries(declared.params as Record<string, Field>);
  return fields.some(([name, { kind }]) => kind === 'url' && params[name] !== undefined);
}
