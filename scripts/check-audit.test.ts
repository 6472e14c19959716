import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditVerdict } from './check-audit.ts';

const report = (severity: string): string =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: {
      leaky: {
        name: 'leaky',
        severity,
        range: '<2.0.0',
        via: [{ title: 'Leaks memory' }],
        fixAvailable: true,
      },
    },
    metadata: { vulnerabilities: { total: 1 } },
  });

test('severe vulnerabilities stop the check, others are told', () => {
  const line = (severity: string): string => `leaky <2.0.0: ${severity} (Leaks memory)`;
  assert.deepEqual(auditVerdict(report('critical')), { faults: [line('critical')], notes: [] });
  assert.deepEqual(auditVerdict(report('high')), { faults: [line('high')], notes: [] });
  assert.deepEqual(auditVerdict(report('moderate')), { faults: [], notes: [line('moderate')] });
});

test('nothing found is nothing told', () => {
  const clean = JSON.stringify({ vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } });
  assert.deepEqual(auditVerdict(clean), { faults: [], notes: [] });
});

test('where nobody answers, or no audit is offered, that is said and nothing fails', () => {
  const offline = JSON.stringify({ error: { code: 'ENOTFOUND', summary: 'request failed' } });
  const refused = JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405, error: {} });
  for (const output of ['', 'npm is not here', offline, refused]) {
    const { faults, notes } = auditVerdict(output);
    assert.deepEqual(faults, [], output);
    assert.match(notes.join(), /could not be asked/, output);
  }
});
