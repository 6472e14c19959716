// What a key may do: how much (plan) and what (scopes).
import type { Plan } from './state.ts';

const RATE_LIMITS = {
  standard: (standardLimit: number): number | null => standardLimit,
  unlimited: (): number | null => null,
} as const;

export type PlanName = keyof typeof RATE_LIMITS;
export const PLAN_NAMES = Object.keys(RATE_LIMITS) as PlanName[];
export const isPlanName = (name: string): name is PlanName => Object.hasOwn(RATE_LIMITS, name);

/** `standardLimit` is the operator's (BINDERY_RATE_LIMIT). A plan we do not know is held to the standard. */
export function planOf(name: string, standardLimit: number): Plan {
  const known = isPlanName(name) ? name : 'standard';
  return { name: known, rateLimit: RATE_LIMITS[known](standardLimit) };
}

/** To make, change and see the keys of others: of all rights the one that `*` does not include. */
export const ADMIN = 'admin';

/** Every operation group, the pipeline, all of these, or the administration of keys. */
export const SCOPES = [
  '*',
  'analysis',
  'convert',
  'filter',
  'form',
  'general',
  'misc',
  'security',
  'pipeline',
  ADMIN,
] as const;
export type Scope = (typeof SCOPES)[number];
export const isScope = (word: string): word is Scope => (SCOPES as readonly string[]).includes(word);

/** What a key may be called. */
export const isKeyName = (name: string): boolean => /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(name);

/** Whether a key with these scopes may call a group. Interface 5: "permission denied: 403, code forbidden". */
export const allows = (scopes: readonly string[], group: string): boolean =>
  scopes.includes(group) || (group !== ADMIN && scopes.includes('*'));
