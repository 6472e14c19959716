// Known vulnerabilities in what production installs, as the package registry knows them. It is asked when it answers: a
// machine without network, or a registry that offers no audit, is told and fails nothing.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export interface AuditVerdict {
  /** What stops the check. */
  faults: string[];
  /** What is worth a line and stops nothing. */
  notes: string[];
}

const SEVERE: ReadonlySet<string> = new Set(['high', 'critical']);

interface Report {
  vulnerabilities?: Record<
    string,
    { severity?: string; range?: string; via?: readonly (string | { title?: string })[] }
  >;
  metadata?: unknown;
}

/** `output` is what `npm audit --json` wrote. */
export function auditVerdict(output: string): AuditVerdict {
  const report = parsed(output);
  if (report?.metadata === undefined)
    return { faults: [], notes: ['the registry could not be asked for known vulnerabilities from here'] };
  const found = Object.entries(report.vulnerabilities ?? {}).map(
    ([name, { severity = 'unknown', range = '', via = [] }]) => {
      const titles = via.flatMap((each) => (typeof each === 'string' ? [] : (each.title ?? [])));
      return {
        severity,
        line: `${name} ${range}: ${severity}${titles.length > 0 ? ` (${titles.join('; ')})` : ''}`,
      };
    },
  );
  return {
    faults: found.filter(({ severity }) => SEVERE.has(severity)).map(({ line }) => line),
    notes: found.filter(({ severity }) => !SEVERE.has(severity)).map(({ line }) => line),
  };
}

function parsed(output: string): Report | undefined {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const options = ['--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=10000'];
  const { stdout } = spawnSync('npm', ['audit', ...options], {
    cwd: resolve(import.meta.dirname, '..'),
    encoding: 'utf8',
    timeout: 30_000,
  });
  const { faults, notes } = auditVerdict(stdout ?? '');
  for (const line of faults) console.log(line);
  for (const line of notes) console.log(`note: ${line}`);
  if (faults.length > 0) process.exitCode = 1;
}
