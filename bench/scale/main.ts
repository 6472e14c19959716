// `npm run bench scale`: how many nodes a load needs, from what calls cost. --measure measures these costs anew (with
// real servers, some minutes), --write puts the tables into docs/scale.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Costs } from './costs.ts';
import { scaleTables, withTables } from './tables.ts';

const ROOT = join(import.meta.dirname, '../..');
export const COSTS = join(ROOT, 'bench/scale-costs.json');
export const PAGE = join(ROOT, 'docs/scale.md');

export const readCosts = (): Costs => JSON.parse(readFileSync(COSTS, 'utf8')) as Costs;

/** The exit code. */
export async function scale(options: { measure: boolean; write: boolean }): Promise<number> {
  if (options.measure) {
    const { measureCosts } = await import('./measure.ts');
    writeFileSync(COSTS, `${JSON.stringify(await measureCosts(), null, 2)}\n`);
  }
  const costs = readCosts();
  console.log(scaleTables(costs));
  if (options.write) writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), costs));
  return 0;
}
