import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig, unknownSettings } from './config.ts';
import { StartFailure } from './start-failure.ts';

describe('a setting that cannot be used stops the start with a line that names it', () => {
  const cases: [name: string, value: string][] = [
    ['BINDERY_BASE_URL', 'http://'],
    ['BINDERY_BASE_URL', 'pdf.example.org'],
    ['BINDERY_BASE_URL', 'https://pdf example.org'],
    ['BINDERY_BASE_URL', 'https://example.org/?a=b'],
    ['BINDERY_PORT', 'http'],
    ['BINDERY_ISOLATION', 'strong'],
    ['BINDERY_ALLOW_ORIGINS', 'app.example.org'],
    ['BINDERY_TRUSTED_PROXIES', 'proxy.example.org'],
    ['BINDERY_TRUSTED_PROXIES', '10.0.0.0/99'],
    ['BINDERY_API_KEY', 'hush!'],
    ['BINDERY_REDIS_URL', 'http://:hush!@redis.example'],
    ['BINDERY_S3_BUCKET', 'Not a bucket'],
    ['BINDERY_ROLE', 'boss'],
    ['BINDERY_ROLE', 'api'],
    ['BINDERY_ROLE', 'worker'],
  ];
  for (const [name, value] of cases) {
    test(`${name}=${value}`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => {
          assert.ok(error instanceof StartFailure);
          assert.match(error.message, new RegExp(`^${name} .*must be .*\\.$`));
          assert.doesNotMatch(error.message, /hush!/, 'a key is a secret');
          return true;
        },
      );
    });
  }
});

test('state that machines share needs Redis and a bucket, and who asks a secret', () => {
  const redis = { BINDERY_REDIS_URL: 'rediss://:p@redis.example:6380/1' };
  const bucket = { BINDERY_S3_BUCKET: 'documents' };
  assert.equal(readConfig({}).shared, null);
  assert.throws(() => readConfig(redis), /set BINDERY_S3_BUCKET too, or neither/);
  assert.throws(() => readConfig(bucket), /set BINDERY_REDIS_URL too, or neither/);
  assert.throws(
    () => readConfig({ ...redis, ...bucket, BINDERY_S3_ACCESS_KEY_ID: 'me' }),
    /go together: set both or none/,
  );
  assert.deepEqual(readConfig({ ...redis, ...bucket }).shared, {
    redisUrl: redis.BINDERY_REDIS_URL,
    bucket: {
      bucket: 'documents',
      endpoint: undefined,
      region: 'us-east-1',
      credentials: undefined,
      prefix: '',
    },
  });
  assert.equal(readConfig({ ...redis, ...bucket, BINDERY_ROLE: 'worker' }).role, 'worker');
});

test('a setting that nobody knows is a typing mistake, unless a client knows it', () => {
  assert.deepEqual(
    unknownSettings({ BINDERY_PROT: '1', BINDERY_URL: 'http://x', BINDERY_PORT: '1', PATH: '' }),
    ['BINDERY_PROT'],
  );
});

test('an address of the service may have a path, and loses the slash at its end', () => {
  assert.equal(readConfig({ BINDERY_BASE_URL: 'https://a.example/pdf/' }).baseUrl, 'https://a.example/pdf');
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-secrets-'));
  const file = join(folder, 'key');
  writeFileSync(file, 'a-key-out-of-a-file\n');

  test('is the setting, without the line end after it', () => {
    assert.equal(readConfig({ BINDERY_API_KEY_FILE: file }).apiKey, 'a-key-out-of-a-file');
    assert.deepEqual(unknownSettings({ BINDERY_API_KEY_FILE: file, BINDERY_PORT_FILE: file }), [
      'BINDERY_PORT_FILE',
    ]);
  });

  test('that cannot be used stops the start, and is not told', () => {
    const set = (text: string) => writeFileSync(join(folder, 'other'), text);
    const refused = (env: Record<string, string>, message: RegExp) =>
      assert.throws(
        () => readConfig(env),
        (error: Error) => error instanceof StartFailure && message.test(error.message),
      );
    refused({ BINDERY_API_KEY_FILE: file, BINDERY_API_KEY: 'another-key-beside-it' }, /both set/);
    refused({ BINDERY_API_KEY_FILE: join(folder, 'absent') }, /absent" but must be a file that can be read/);
    refused({ BINDERY_API_KEY_FILE: folder }, /must be a file that can be read/);
    set('  \n');
    refused({ BINDERY_API_KEY_FILE: join(folder, 'other') }, /holds the value alone/);
    set('x'.repeat(70_000));
    refused({ BINDERY_API_KEY_FILE: join(folder, 'other') }, /holds the value alone/);
    set('hush!');
    refused({ BINDERY_API_KEY_FILE: join(folder, 'other') }, /^BINDERY_API_KEY must be 16(?!.*hush)/);
    rmSync(folder, { recursive: true });
  });
});
