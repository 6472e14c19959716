// Webhooks: whoever asked for it is told when an asynchronous call has ended, by messages that the published library of
// the Standard Webhooks convention verifies.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { until } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

interface Told {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface JobDocument {
  id: string;
  status: string;
  webhook?: { url: string; status: string; attempts: { status: number | null; problem?: string }[] };
}

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const ASYNC = { prefer: 'respond-async' };
const DOCUMENT = fixture('text-two-pages.pdf');

let service: RunningService;
let receiver: Server;
let base: string;
let allowed: Record<string, string>;
const told: Told[] = [];
const toldAt = (path: string): Told[] => told.filter((one) => one.path === path);

before(async () => {
  receiver = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    told.push({ path, headers: request.headers, body: Buffer.concat(await request.toArray()).toString() });
    const times = toldAt(path).length;
    if (path === '/gone') response.writeHead(410).end();
    else if (path === '/moved') response.writeHead(308, { location: '/moved-here' }).end();
    else if (path === '/inward') response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    else response.writeHead(path === '/tired' && times === 1 ? 500 : 204).end();
  });
  await new Promise<void>((up) => receiver.listen(0, '127.0.0.1', up));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  base = `http://${host}`;
  allowed = { BINDERY_URL_ALLOW_HOSTS: host };
  service = await startService({ env: allowed });
});
after(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await service?.remove();
});

const call = (fields: Record<string, string>, headers: Record<string, string> = ASYNC) =>
  service.post(
    'general/rotate-pdf',
    form({ fileInput: filePart(DOCUMENT), angle: '90', ...fields }),
    headers,
  );

async function begun(fields: Record<string, string>): Promise<string> {
  const response = await call(fields);
  assert.equal(response.status, 202, await response.clone().text());
  return ((await response.json()) as JobDocument).id;
}

const jobOf = async (id: string): Promise<JobDocument> =>
  (await (await service.fetch(`/api/v1/jobs/${id}`)).json()) as JobDocument;

const heard = (path: string, times = 1) =>
  until(`${path} is told`, () => toldAt(path).length >= times && toldAt(path));

const over = (id: string) =>
  until('the log of the webhook is closed', async () => {
    const { webhook } = await jobOf(id);
    return webhook?.status !== 'waiting' && webhook;
  });

describe('webhooks', () => {
  test('the job is posted when it has ended, signed with the secret of the call or of the key', async () => {
    const own = createHmac('sha256', service.key).update('bindery webhooks').digest('base64');
    const cases: [path: string, fields: Record<string, string>, secret: string, status: string][] = [
      ['/own', { webhookSecret: SECRET }, SECRET, 'succeeded'],
      ['/key', {}, own, 'succeeded'],
      ['/moved', { webhookSecret: SECRET }, SECRET, 'succeeded'],
      ['/failed', { webhookSecret: SECRET, pageNumbers: '99' }, SECRET, 'failed'],
    ];
    for (const [path, fields, secret, status] of cases) {
      const id = await begun({ ...fields, webhookUrl: `${base}${path}?token=s3cr3t` });
      const [one] = await heard(path === '/moved' ? '/moved-here' : path);
      assert.ok(one, path);
      assert.equal(one.headers['webhook-id'], `msg_${id}`);
      const verified = new Webhook(secret).verify(one.body, one.headers as Record<string, string>);
      const { id: postedId, status: posted } = verified as JobDocument;
      assert.deepEqual([postedId, posted], [id, status], path);
      const log = await over(id);
      assert.deepEqual([log?.url, log?.status], [`${base}${path}`, 'delivered']);
      assert.deepEqual(
        log?.attempts.map((attempt) => attempt.status),
        [204],
      );
      const { webhook: _webhook, ...job } = (await jobOf(id)) as JobDocument & Record<string, unknown>;
      assert.deepEqual(verified, job);
    }
    assert.throws(() => new Webhook(SECRET).verify('{}', told[0]?.headers as Record<string, string>));
  });

  test('one that fails is told again under the same id; who is gone or inside is not told any more', async () => {
    const tired = await begun({ webhookUrl: `${base}/tired`, webhookSecret: SECRET });
    const gone = await begun({ webhookUrl: `${base}/gone` });
    const inward = await begun({ webhookUrl: `${base}/inward` });
    const [first, second] = await heard('/tired', 2);
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
    assert.equal(first?.body, second?.body);
    new Webhook(SECRET).verify(second?.body ?? '', second?.headers as Record<string, string>);
    assert.deepEqual(
      (await over(tired))?.attempts.map(({ status }) => status),
      [500, 204],
    );
    assert.equal((await over(gone))?.status, 'given_up');
    assert.equal(toldAt('/gone').length, 1);
    const { webhook } = await jobOf(inward);
    assert.deepEqual([webhook?.status, webhook?.attempts[0]?.problem], ['waiting', 'url_not_allowed']);
  });

  test('a job that is cancelled has ended, too', async () => {
    const many = form({ ...{ webhookUrl: `${base}/cancelled` } });
    for (let n = 0; n < 30; n += 1) many.append('fileInput', filePart(DOCUMENT), `${n}.pdf`);
    const steps = [{ op: 'general/merge-pdfs' }, { op: 'misc/scanner-effect' }];
    many.append('steps', JSON.stringify(steps));
    const { id } = (await (await service.post('pipeline', many, ASYNC)).json()) as JobDocument;
    assert.equal((await service.fetch(`/api/v1/jobs/${id}`, { method: 'DELETE' })).status, 204);
    const [one] = await heard('/cancelled');
    assert.equal((JSON.parse(one?.body ?? '{}') as JobDocument).status, 'cancelled');
  });

  test('what makes no sense is refused at once, with the field', async () => {
    const refusals: [Record<string, string>, Record<string, string>, RegExp][] = [
      [{ webhookUrl: `${base}/x` }, {}, /^webhookUrl .*Prefer: respond-async/],
      [{ webhookSecret: SECRET }, ASYNC, /^webhookSecret .*webhookUrl, which is missing/],
      [{ webhookUrl: `${base}/x`, webhookSecret: 'short' }, ASYNC, /^webhookSecret must be 24 to 64 bytes/],
      [{ webhookUrl: 'http://127.0.0.1:1/' }, ASYNC, /^webhookUrl: /],
    ];
    for (const [fields, headers, detail] of refusals) {
      const problem = await problemOf(await call(fields, headers));
      assert.equal(problem.status, 400);
      assert.match(problem.detail, detail);
    }
    assert.equal(toldAt('/x').length, 0);
  });

  test('secrets stand in no log', () => {
    for (const secret of ['s3cr3t', SECRET.slice(6)]) assert.ok(!service.output().includes(secret));
  });
});

test('killed in the midst of its jobs and started again, the service tells of each, under the same id', async () => {
  const path = '/after-death';
  const ids = await Promise.all(Array.from({ length: 6 }, () => begun({ webhookUrl: `${base}${path}` })));
  await heard(path);
  await service.stop('SIGKILL');
  service = await startService({ dataDir: service.dataDir, env: allowed });
  const heardOf = (): Set<string> =>
    new Set(toldAt(path).map(({ headers }) => String(headers['webhook-id'])));
  await until('all are told', () => heardOf().size === ids.length, 60_000);
  assert.deepEqual([...heardOf()].sort(), ids.map((id) => `msg_${id}`).sort());
  for (const { body } of toldAt(path)) assert.equal((JSON.parse(body) as JobDocument).status, 'succeeded');
});
