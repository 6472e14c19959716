import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RunningService, startService } from '../service.ts';

const FRIEND = 'https://app.example.org';
let open: RunningService;
let closed: RunningService;
before(async () => {
  [open, closed] = await Promise.all([
    startService({ env: { BINDERY_ALLOW_ORIGINS: `${FRIEND}, https://other.example` } }),
    startService(),
  ]);
});
after(() => Promise.all([open?.remove(), closed?.remove()]));

const preflight = (service: RunningService, origin: string) =>
  fetch(`${service.url}/api/v1/general/rotate-pdf`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    },
  });

test('a page of an allowed origin may ask, and read the answer', async () => {
  const asked = await preflight(open, FRIEND);
  assert.equal(asked.status, 204);
  assert.equal(asked.headers.get('access-control-allow-origin'), FRIEND);
  assert.match(asked.headers.get('access-control-allow-headers') ?? '', /X-API-KEY/);
  const answer = await open.fetch('/api/v1/info/status', { headers: { origin: FRIEND } });
  assert.equal(answer.headers.get('access-control-allow-origin'), FRIEND);
  assert.equal(answer.headers.get('vary'), 'Origin');
  const refused = await fetch(`${open.url}/api/v1/info/status`, { headers: { origin: FRIEND } });
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get('access-control-allow-origin'), FRIEND);
});

test("a page may send what agents' protocol asks for", async () => {
  // MCP 2026-07-28: "MCP-Protocol-Version, Mcp-Method, and Mcp-Name"; before it, Mcp-Session-Id.
  const headers = ['content-type', 'mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'];
  const asked = await fetch(`${open.url}/mcp`, {
    method: 'OPTIONS',
    headers: {
      origin: FRIEND,
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers.join(),
    },
  });
  const allowed = (asked.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, */);
  for (const header of [...headers, 'x-api-key', 'last-event-id'])
    assert.ok(allowed.includes(header), header);
});

for (const [name, service, origin] of [
  ['another origin', () => open, 'https://evil.example'],
  ['an origin that only begins alike', () => open, `${FRIEND}.evil.example`],
  ['any origin, where none is allowed', () => closed, FRIEND],
] as const) {
  test(`${name} gets no leave`, async () => {
    const asked = await preflight(service(), origin);
    assert.equal(asked.headers.get('access-control-allow-origin'), null);
    assert.equal(asked.status, 405);
    const answer = await service().fetch('/api/v1/info/status', { headers: { origin } });
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
  });
}
