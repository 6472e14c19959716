// Traces and figures, as a collector gets them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { until } from '../processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

interface Value {
  stringValue?: string;
  intValue?: string;
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
}
interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: {
    resourceSpans?: { resource: { attributes: object[] }; scopeSpans: { spans: Span[] }[] }[];
    resourceMetrics?: { scopeMetrics: { metrics: Record<string, unknown>[] }[] }[];
  };
}

const received: Received[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Received['body'];
  received.push({ path: request.url ?? '', headers: request.headers, body });
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});

const CALLER = { single: trace('1'), pipeline: trace('2'), firstJob: trace('3'), secondJob: trace('4') };
/** A trace of the caller's and the span of it that calls. */
function trace(digit: string) {
  const [traceId, parent] = [digit.repeat(32), digit.repeat(16)];
  return { traceId, parent, headers: { traceparent: `00-${traceId}-${parent}-01`, tracestate: 'vendor=1' } };
}
const unwanted = { traceparent: `00-${'5'.repeat(32)}-${'5'.repeat(16)}-00` };

const document = () => filePart(fixture('text-two-pages.pdf'), 'nobodys-business.pdf');
const rotation = () => form({ fileInput: document(), angle: '90' });

let service: RunningService;
let answer: Response;
before(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  service = await startService({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test,service.name=named',
      BINDERY_JOBS_AT_ONCE: '1',
      BINDERY_ISOLATION: 'none',
    },
  });
  answer = await service.post('general/rotate-pdf', rotation(), CALLER.single.headers);
  await answer.arrayBuffer();
  await service.fetch('/api/v1/info/status', { headers: unwanted });
  const steps = JSON.stringify([{ op: 'general/rotate-pdf' }, { op: 'misc/repair' }]);
  const piped = await service.post(
    'pipeline',
    form({ fileInput: document(), steps }),
    CALLER.pipeline.headers,
  );
  assert.equal(piped.status, 200);
  await piped.arrayBuffer();
  await twoJobsInTurn();
  // The last of it is sent at the end.
  assert.equal(await service.stop(), 0);
});
after(async () => {
  await service?.remove();
  collector.close();
});

/** The second is begun by whoever ends the first. */
async function twoJobsInTurn(): Promise<void> {
  const workers = service.workers();
  for (const pid of workers) process.kill(pid, 'SIGSTOP');
  const places: string[] = [];
  for (const { headers } of [CALLER.firstJob, CALLER.secondJob]) {
    const accepted = await service.post('general/rotate-pdf', rotation(), {
      ...headers,
      prefer: 'respond-async',
    });
    assert.equal(accepted.status, 202);
    places.push(accepted.headers.get('location') ?? '');
  }
  for (const pid of workers) process.kill(pid, 'SIGCONT');
  await until('both are done', async () => {
    const last = (await (await service.fetch(places[1] ?? '')).json()) as { status: string };
    return last.status === 'succeeded';
  });
}

const spans = (): Span[] =>
  received.flatMap(({ body }) =>
    (body.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
const spansOf = ({ traceId }: { traceId: string }): Span[] =>
  spans().filter((span) => span.traceId === traceId);
const serverOf = (own: readonly Span[]): Span => {
  const found = own.find(({ kind }) => kind === 2);
  assert.ok(found);
  return found;
};
const workOf = (own: readonly Span[]): string[] => {
  const { spanId } = serverOf(own);
  const inner = own.filter(({ parentSpanId }) => parentSpanId === spanId);
  return inner
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .map(({ name }) => name);
};

test('a call is a span of its caller’s trace, with its wait and its work within', () => {
  const { traceId, parent } = CALLER.single;
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('traceresponse') ?? '', new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  const own = spansOf(CALLER.single);
  const server = serverOf(own);
  assert.equal(server.name, 'POST general/rotate-pdf');
  assert.deepEqual([server.parentSpanId, server.traceState], [parent, 'vendor=1']);
  const named = Object.fromEntries(server.attributes.map(({ key, value }) => [key, value]));
  assert.deepEqual(named['http.response.status_code'], { intValue: '200' });
  assert.ok(Number(named['http.request.body.size']?.intValue) > 1000);
  assert.deepEqual(workOf(own), ['wait for a worker', 'general/rotate-pdf']);
  assert.equal(own.length, 3);
  for (const { startTimeUnixNano, endTimeUnixNano } of own)
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano));
});

test('each step of a pipeline is a span', () => {
  assert.deepEqual(workOf(spansOf(CALLER.pipeline)), [
    'wait for a worker',
    'general/rotate-pdf',
    'misc/repair',
  ]);
});

test('what is done later stays in the trace of the call that asked for it', () => {
  for (const each of [CALLER.firstJob, CALLER.secondJob])
    assert.deepEqual(workOf(spansOf(each)), ['wait for a worker', 'general/rotate-pdf']);
});

test('what a caller does not want traced is not', () => {
  assert.ok(!JSON.stringify(received).includes('5'.repeat(32)));
});

test('the collector gets its headers, who sends, and no name of a document', () => {
  for (const { headers } of received) {
    assert.equal(headers.authorization, 'Bearer collector');
    assert.equal(headers['content-type'], 'application/json');
  }
  const sent = JSON.stringify(received.map(({ body }) => body));
  for (const word of ['deployment.environment', 'service.version', '"named"'])
    assert.ok(sent.includes(word), word);
  assert.ok(!sent.includes('nobodys-business'));
});

test('the figures of /metrics go along', () => {
  const figures = received.flatMap(({ body }) =>
    (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) => metrics),
    ),
  );
  const wait = figures.find(({ name }) => name === 'bindery_queue_wait_seconds') as {
    histogram: { dataPoints: { count: string; bucketCounts: string[]; explicitBounds: number[] }[] };
  };
  const [point] = wait.histogram.dataPoints;
  assert.equal(point?.count, '4');
  assert.equal(point?.bucketCounts.length, (point?.explicitBounds.length ?? 0) + 1);
  assert.ok(figures.some(({ name }) => name === 'bindery_build_info'));
});
