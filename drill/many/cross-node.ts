// What one node has begun, another goes on with; what one is told, all obey.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey, revokeKey } from '../../service/src/keys.ts';
import { writeLargePdf } from '../../test/hostile-documents.ts';
import { until } from '../../test/processes.ts';
import { API_KEY, filePart, fixture, form } from '../../test/service.ts';
import { type Cluster, type Node, RATE_LIMIT } from './cluster.ts';

const REVOKED_WITHIN_MS = 5000;

const asked = (node: Node, path: string, init: RequestInit = {}, key = API_KEY): Promise<Response> =>
  fetch(`${node.url}${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } });

const CHECKS: readonly [what: string, check: (a: Node, b: Node, cluster: Cluster) => Promise<string>][] = [
  ['an upload begun on A, continued on B, completed on A, used on B', uploadAcross],
  ['an Idempotency-Key used on A is replayed on B', replayAcross],
  ['rates are counted for both together', ratesAcross],
  ['a revoked key stops on both', revokedAcross],
  ['files of agents and signed addresses', filesAcross],
];

export async function crossNode(cluster: Cluster): Promise<string[]> {
  const [a, b] = cluster.apis() as [Node, Node];
  const failures: string[] = [];
  for (const [what, check] of CHECKS) {
    try {
      console.log(`  ${what}: ${await check(a, b, cluster)}`);
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return failures;
}

async function uploadAcross(a: Node, b: Node): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-across-'));
  writeLargePdf(join(folder, 'a.pdf'), 2);
  const bytes = readFileSync(join(folder, 'a.pdf'));
  rmSync(folder, { recursive: true });
  const described = JSON.stringify({ filename: 'a.pdf', size: bytes.length });
  const begun = await asked(a, '/api/v1/uploads', { method: 'POST', body: described });
  assert.equal(begun.status, 201);
  const { id, chunkSize, chunkCount } = (await begun.json()) as Record<'chunkSize' | 'chunkCount', number> & {
    id: string;
  };
  for (let index = 0; index < chunkCount; index += 1) {
    const body = new Uint8Array(bytes.subarray(index * chunkSize, (index + 1) * chunkSize));
    const path = `/api/v1/uploads/${id}/chunks/${index}`;
    assert.equal((await asked(index === 0 ? a : b, path, { method: 'PUT', body })).status, 204);
  }
  assert.equal((await asked(a, `/api/v1/uploads/${id}/complete`, { method: 'POST' })).status, 200);
  const body = form({ 'fileInput@upload': id });
  const counted = await asked(b, '/api/v1/analysis/page-count', { method: 'POST', body });
  assert.deepEqual(await counted.json(), { pageCount: 2 });
  return `${chunkCount} chunks`;
}

async function replayAcross(a: Node, b: Node): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const call = async (node: Node): Promise<[Buffer, string | null]> => {
    const body = form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' });
    const answer = await asked(node, '/api/v1/general/rotate-pdf', { method: 'POST', body, headers });
    assert.equal(answer.status, 200);
    return [Buffer.from(await answer.bytes()), answer.headers.get('idempotency-replayed')];
  };
  const [first] = await call(a);
  const [second, replayed] = await call(b);
  assert.equal(replayed, 'true');
  assert.ok(first.equals(second), 'other bytes');
  return `${first.length} equal bytes`;
}

const NEW_KEY = { plan: 'standard', scopes: '*', expires: 'never' };

async function ratesAcross(a: Node, b: Node, { redis, bucket }: Cluster): Promise<string> {
  const { secret } = await createKey({ redisUrl: redis.url, bucket }, { name: 'rates', ...NEW_KEY });
  const calls = Array.from({ length: 3 * RATE_LIMIT }, (_, n) =>
    asked(n % 2 ? a : b, '/api/v1/info/status', {}, secret).then(({ status }) => status),
  );
  const statuses = await Promise.all(calls);
  const passed = statuses.filter((status) => status === 200).length;
  assert.equal(passed, RATE_LIMIT);
  assert.ok(statuses.every((status) => [200, 429].includes(status)));
  return `${passed} of ${statuses.length} at once, as allowed`;
}

async function revokedAcross(a: Node, b: Node, { redis, bucket }: Cluster): Promise<string> {
  const place = { redisUrl: redis.url, bucket };
  const { key, secret } = await createKey(place, { name: 'to be revoked', ...NEW_KEY });
  const statuses = (): Promise<number[]> =>
    Promise.all([a, b].map(async (node) => (await asked(node, '/api/v1/info/status', {}, secret)).status));
  assert.deepEqual(await statuses(), [200, 200]);
  await revokeKey(place, key.id);
  const begun = performance.now();
  await until('both refuse', async () => (await statuses()).every((status) => status === 401));
  const ms = performance.now() - begun;
  assert.ok(ms < REVOKED_WITHIN_MS, `${ms} ms`);
  return `after ${Math.round(ms)} ms`;
}

async function filesAcross(a: Node, b: Node): Promise<string> {
  const tool = async (node: Node, name: string, given: object): Promise<Record<string, unknown>> => {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    const answer = await asked(node, '/mcp', { method: 'POST', body: JSON.stringify(request), headers });
    const text = await answer.text();
    const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
    const { result } = JSON.parse(json) as { result?: { structuredContent?: Record<string, unknown> } };
    assert.ok(result?.structuredContent, text.slice(0, 300));
    return result.structuredContent;
  };
  const moved = (url: unknown, node: Node): string => {
    const { pathname, search } = new URL(String(url));
    return `${node.url}${pathname}${search}`;
  };
  const place = await tool(a, 'pdf_upload', { filename: 'a.pdf' });
  const body = new Uint8Array(readFileSync(fixture('text-two-pages.pdf')));
  // The address that A signed is taken by B, without a key.
  const sent = await fetch(moved(place.upload_url, b), { method: 'PUT', body });
  assert.ok(sent.ok, `sent to B: ${sent.status}`);
  const made = await tool(b, 'pdf_pages', {
    operation: 'rotate-pdf',
    file: place.file_id,
    parameters: { angle: 90 },
  });
  const file = made.file as { download_url: string; size: number };
  const got = await fetch(moved(file.download_url, a));
  assert.equal(got.status, 200);
  const bytes = await got.bytes();
  assert.equal(bytes.length, file.size);
  return `sent by an address of A to B, ${bytes.length} bytes fetched by an address of B from A`;
}
