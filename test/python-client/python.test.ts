// The Python client against the real service, by its own tests. Debian has what they need: python3-httpx, python3-pytest.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fixture, type RunningService, startService } from '../service.ts';

const CLIENT = fileURLToPath(new URL('../../clients/python', import.meta.url));

const has = (python: string, ...modules: string[]): boolean =>
  spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0;
/** Another Python may stand before the system's, without its packages. */
const python = ['python3', '/usr/bin/python3'].find((each) => has(each, 'httpx', 'pytest'));
const skip = python === undefined && 'not installed: python3-httpx, python3-pytest';

let service: RunningService | undefined;
before(async () => {
  if (!skip)
    service = await startService({
      env: { BINDERY_MAX_REQUEST_BYTES: '3145728', BINDERY_UPLOAD_CHUNK_BYTES: '1048576' },
    });
});
after(() => service?.remove());

test('the Python client does what its tests say', { skip }, () => {
  const { status, stdout, stderr } = spawnSync(
    python ?? '',
    ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'],
    {
      cwd: CLIENT,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        PYTHONPATH: 'src',
        PYTHONDONTWRITEBYTECODE: '1',
        BINDERY_URL: service?.url,
        BINDERY_API_KEY: service?.key,
        BINDERY_FIXTURES: fixture(''),
      },
    },
  );
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /\d+ passed/);
});
