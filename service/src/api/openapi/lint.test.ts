// Other people's word on the description. Redocly is installed with the project; Spectral is large (240 packages), so
// it is asked only where it is there: npm install --no-save @stoplight/spectral-cli
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '../../config.ts';
import { openApiJson } from './document.ts';

const PACKAGES = new URL('../../../../node_modules/', import.meta.url);
const programOf = (path: string): string => new URL(path, PACKAGES).pathname;
const REDOCLY = programOf('@redocly/cli/bin/cli.js');
const SPECTRAL = programOf('@stoplight/spectral-cli/dist/index.js');

const dir = mkdtempSync(join(tmpdir(), 'bindery-lint-'));
after(() => rmSync(dir, { recursive: true }));
const file = join(dir, 'openapi.json');
const ruleset = join(dir, 'ruleset.json');
writeFileSync(file, openApiJson(readConfig({})));
writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));

function assertClean(program: string, ...args: string[]): void {
  const ran = spawnSync(process.execPath, [program, ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  assert.equal(ran.status, 0, `${ran.stdout}\n${ran.stderr}`);
}

test('Redocly finds no fault with the description', {
  skip: !existsSync(REDOCLY) && 'not installed: redocly',
}, () => {
  assertClean(REDOCLY, 'lint', '--extends=recommended-strict', file);
});

test('Spectral finds no fault with the description', {
  skip: !existsSync(SPECTRAL) && 'not installed: spectral',
}, () => {
  assertClean(SPECTRAL, 'lint', '--fail-severity=warn', '--ruleset', ruleset, file);
});
