// A collector that does not answer, and settings of those who have one elsewhere.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { readConfig } from '../../config.ts';
import { createLog } from '../../contract/log.ts';
import type { Call } from '../rest/call.ts';
import { Telemetry } from './telemetry.ts';

const ENDPOINT = 'http://127.0.0.1:4318';
const telemetryWith = (env: Record<string, string>) => readConfig(env).telemetry;

test('a collector that does not answer gets one message at a time, and does not hold up the end', async () => {
  let messages = 0;
  const collector = createServer(() => {
    messages += 1;
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  const { port } = collector.address() as AddressInfo;
  const settings = telemetryWith({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  assert.ok(settings);
  const telemetry = new Telemetry(settings, '0.0.0', createLog('silent'));
  try {
    const from = { address: '127.0.0.1' } as Call['from'];
    for (let n = 0; n < 5000; n += 1) {
      const call = {
        operation: 'general/rotate-pdf',
        from,
        bytesIn: 1,
        bytesOut: 1,
        trace: telemetry.begin({}),
      };
      telemetry.over('POST', call as Call, { status: 200, answered: true, milliseconds: 1 });
    }
    const begun = performance.now();
    await telemetry.close();
    assert.ok(performance.now() - begun < 8000);
    assert.equal(messages, 1);
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
});

test('nothing of it without an address, with none asked for, or turned off', () => {
  assert.equal(telemetryWith({ OTEL_SERVICE_NAME: 'alone' }), null);
  assert.equal(telemetryWith({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' }), null);
  const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
  assert.equal(telemetryWith({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, ...none }), null);
});

test('an address of its own is taken as it is; the name of the service has its ranks', () => {
  const told = telemetryWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/`,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=attribute,team=print%20shop',
  });
  assert.deepEqual(
    [told?.tracesUrl, told?.metricsUrl],
    ['https://traces.example/in', `${ENDPOINT}/v1/metrics`],
  );
  assert.deepEqual(told?.resource, { 'service.name': 'attribute', team: 'print shop' });
  const named = (env: Record<string, string>) =>
    telemetryWith({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, ...env })?.resource['service.name'];
  assert.equal(named({}), 'bindery');
  assert.equal(named({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=a', OTEL_SERVICE_NAME: 'b' }), 'b');
});

test('settings that cannot be used stop the start', () => {
  const refused = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=a%0d%0ab',
    OTEL_RESOURCE_ATTRIBUTES: 'team',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER_ARG: '2',
  };
  for (const [name, value] of Object.entries(refused))
    assert.throws(() => telemetryWith({ [name]: value }), new RegExp(name), name);
});
