import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { until } from '../../../test/processes.ts';

const skip = !existsSync('/usr/bin/setpriv') && 'not installed: setpriv';

it('a server of a test run that is killed by force ends with it', { skip }, async () => {
  const script = `
    const { start } = await import(${JSON.stringify(import.meta.resolve('./started.ts'))});
    console.log(start('sleep', ['60'], '/').process.pid);
    setInterval(() => {}, 1000);
  `;
  const run = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [told] = (await once(run.stdout, 'data')) as [Buffer];
  const server = Number(told);
  assert.ok(existsSync(`/proc/${server}`));
  run.kill('SIGKILL');
  await until('the server has ended', () => !existsSync(`/proc/${server}`));
});
