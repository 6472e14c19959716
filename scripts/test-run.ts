// `npm test` without a word more: all tests, in the order of test-order.ts. What is named is run by Node's own command.
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { inProcesses } from './test-order.ts';
import report from './test-report.ts';

const TIMEOUT_MS = 600_000;
// Tests wait for a quarter of their time, for programs, deadlines and pauses: one file more than there are cores keeps
// the cores busy; yet more would only make deadlines fail.
const AT_ONCE = Math.max(3, Math.min(availableParallelism() + 1, 8));

mkdirSync('node_modules/.bindery', { recursive: true });
const folder = mkdtempSync('node_modules/.bindery/tests-');
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const files = inProcesses(globSync(process.argv.slice(2)).sort()).map((paths, index) =>
  paths.length === 1 ? String(paths[0]) : groupFile(paths, index),
);

/** Node starts a process for each file; this one is a file that brings others in. */
function groupFile(paths: readonly string[], index: number): string {
  const path = join(folder, `group-${index}.test.mjs`);
  const imports = paths.map((each) => `import ${JSON.stringify(pathToFileURL(resolve(each)).href)};\n`);
  writeFileSync(path, imports.join(''));
  return path;
}

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.abort());
const events = run({
  files: files.map((path) => resolve(path)),
  concurrency: AT_ONCE,
  timeout: TIMEOUT_MS,
  signal: ended.signal,
});
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1;
});
events.compose(new spec()).pipe(process.stdout);
events.compose(report).pipe(process.stdout);
