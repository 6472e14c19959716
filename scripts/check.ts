// `npm run check`: everything that can be judged without running the service. All checks run; all failures show.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

const CHECKS: readonly { name: string; run: readonly string[] }[] = [
  {
    name: 'style (biome)',
    run: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  },
  { name: 'types (tsc)', run: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'] },
  // As its users get it: without the types that only our tests need.
  { name: 'types of the SDK', run: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'sdk'] },
  { name: 'types of the page', run: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web'] },
  { name: 'size of the page', run: ['scripts/check-web-size.ts'] },
  { name: 'generated files', run: ['scripts/generate.ts', '--check'] },
  { name: 'imports', run: ['scripts/check-imports.ts'] },
  { name: 'paths in documents', run: ['scripts/check-doc-paths.ts'] },
  { name: 'known vulnerabilities', run: ['scripts/check-audit.ts'] },
];

async function passes(run: readonly string[]): Promise<{ passed: boolean; output: string }> {
  const child = spawn(process.execPath, run, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  const { promise, resolve: ended } = Promise.withResolvers<boolean>();
  child.on('close', (code) => ended(code === 0));
  return { passed: await promise, output };
}

const results = await Promise.all(CHECKS.map(async (check) => ({ ...check, ...(await passes(check.run)) })));
for (const { name, passed, output } of results) {
  console.log(`${passed ? 'ok    ' : 'failed'} ${name}`);
  const told = passed ? (output.match(/^note: .*$/gm) ?? []).join('\n') : output.trimEnd();
  if (told !== '') console.log(told.replace(/^/gm, '    '));
}
if (results.some(({ passed }) => !passed)) {
  console.log('\nStyle is mended by: npx biome check --write . ; generated files by: npm run generate');
  process.exitCode = 1;
}
