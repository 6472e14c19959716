import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { problemOf, type RunningService, startService } from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService({ env: { BINDERY_RATE_LIMIT: '3', BINDERY_RATE_WINDOW_MS: '3000' } });
});
after(() => service.remove());

const number = (response: Response, name: string) => Number(response.headers.get(name));

test('a standard key is held to its window, errors count, and the window ends when it says', async () => {
  const key = await service.newKey({ plan: 'standard' });
  const call = (path = '/api/v1/info/status') => service.fetch(path, { headers: { 'x-api-key': key } });
  let response = await call();
  assert.equal(response.status, 200);
  assert.equal(number(response, 'x-ratelimit-remaining'), 2);
  assert.equal(number(response, 'x-ratelimit-limit'), 3);
  assert.equal(number(await call('/api/v1/nowhere'), 'x-ratelimit-remaining'), 1);
  assert.equal(number(await call(), 'x-ratelimit-remaining'), 0);

  response = await call();
  assert.equal(response.status, 429);
  assert.equal(number(response, 'x-ratelimit-remaining'), 0);
  const reset = number(response, 'x-ratelimit-reset');
  const now = Date.now() / 1000;
  assert.ok(reset >= now && reset <= now + 4, `reset ${reset} at ${now}`);
  const retryAfter = number(response, 'retry-after');
  assert.ok(retryAfter >= 1 && retryAfter <= 3, `retry after ${retryAfter}`);
  const problem = await problemOf(response);
  assert.equal(problem.code, 'rate_limited');
  assert.equal(problem.reason, 'rate_limited');

  await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000 + 50));
  assert.equal((await call()).status, 200);
});

test('the unlimited plan is never refused and has the headers all the same', async () => {
  for (let n = 0; n < 10; n += 1) {
    const response = await service.fetch('/api/v1/info/status');
    assert.equal(response.status, 200);
    assert.ok(number(response, 'x-ratelimit-remaining') > 0);
    assert.ok(number(response, 'x-ratelimit-reset') > 0);
  }
});
