import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standardOf } from '../../pdf/conformance/standards.ts';
import { verdictOf } from './report.ts';

const report = (isCompliant: string, rules: string) =>
  `<?xml version="1.0" encoding="utf-8"?>
<report><jobs><job><item size="1"><name>a.pdf</name></item>
<validationReport jobEndStatus="normal" profileName="PDF/A-2B" isCompliant="${isCompliant}">
<details passedRules="1" failedRules="1">${rules}</details></validationReport></job></jobs></report>`;
const FAILED = `<rule specification="ISO 19005-2:2011" clause="9.99" testNumber="7" status="failed" failedChecks="2">
<description>Words of a rule &amp; more</description><object>PDX</object>
<check status="failed"><context>root/document[0]</context></check>
<check status="failed"><context>root/document[1]</context></check></rule>
<rule clause="6.1.2" testNumber="1" status="passed"/>`;
const standard = standardOf('2b');

test('a report becomes a verdict: each failed check with its rule, words and place', () => {
  const verdict = verdictOf(report('false', FAILED), standard);
  assert.equal(verdict?.compliant, false);
  assert.equal(verdict.totalFailures, 2);
  assert.deepEqual(
    verdict.failures.map(({ ruleId, message, location }) => [ruleId, message, location]),
    [
      ['9.99-7', 'Words of a rule & more', 'root/document[0]'],
      ['9.99-7', 'Words of a rule & more', 'root/document[1]'],
    ],
  );
  assert.equal(verdictOf(report('true', ''), standard)?.compliant, true);
});

test('what is no report of a validation gives none', () => {
  for (const text of [
    '',
    'no xml',
    '<report/>',
    report('perhaps', FAILED),
    '<report><taskException/></report>',
  ])
    assert.equal(verdictOf(text, standard), undefined, text.slice(0, 40));
});
