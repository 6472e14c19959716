// Figures that drills print: how long things took, what a service holds.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { memoryOf, namelessFiles } from '../test/processes.ts';
import type { RunningService } from '../test/service.ts';

export const MIB = 1024 * 1024;

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const spread = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99, 1].map((share) => `${Math.round(percentile(values, share))}`).join(' / ');

/** A figure of /metrics, by its name. */
export async function metric(service: RunningService, name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** What calls left behind: files that came in, and open ones without a name, but for what each worker has for good. */
export function filesLeft(service: RunningService): string[] {
  const nameless = namelessFiles(service.apiPid());
  const incoming = join(service.dataDir, 'work', 'incoming');
  return [...nameless, ...(existsSync(incoming) ? readdirSync(incoming) : [])];
}

export const apiMemory = (service: RunningService): number => memoryOf(service.apiPid(), 'VmRSS');
