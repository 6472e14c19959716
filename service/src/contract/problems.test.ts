import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEMS, Problem, type ProblemData, problemDocument, type Reason } from './problems.ts';

test('reasons have the status and code that the interface gives them', () => {
  const rows: [Reason, number, string][] = [
    ['invalid_pdf', 400, 'invalid_document'],
    ['password_required', 400, 'invalid_document'],
    ['wrong_password', 400, 'invalid_document'],
    ['page_out_of_range', 400, 'bad_request'],
    ['invalid_page_selection', 400, 'bad_request'],
    ['invalid_parameter', 400, 'bad_request'],
    ['unsupported_file_type', 400, 'bad_request'],
    ['url_not_allowed', 400, 'bad_request'],
    ['upload_incomplete', 400, 'bad_request'],
    ['payload_too_large', 413, 'bad_request'],
    ['url_fetch_failed', 422, 'bad_request'],
    ['upload_not_found', 404, 'not_found'],
    ['upload_limit_reached', 429, 'rate_limited'],
    ['insufficient_storage', 507, 'unavailable'],
    ['nothing_found', 400, 'bad_request'],
    ['conformance_failed', 422, 'invalid_document'],
    ['redaction_unverified', 422, 'bad_request'],
    ['idempotency_key_reused', 422, 'bad_request'],
    ['request_in_progress', 409, 'bad_request'],
    ['delivery_failed', 422, 'bad_request'],
    ['missing_dependency', 503, 'missing_dependency'],
  ];
  for (const [reason, status, code] of rows) {
    assert.deepEqual([PROBLEMS[reason].status, PROBLEMS[reason].code], [status, code], reason);
  }
});

test('a problem document has the members of RFC 9457 and our own', () => {
  const data: ProblemData = {
    reason: 'page_out_of_range',
    detail: 'Page 9 of 2.',
    step: 0,
    op: 'a/b',
    file: 'x',
  };
  assert.deepEqual(problemDocument(data), {
    type: 'urn:bindery:problem:page_out_of_range',
    title: 'Page out of range',
    status: 400,
    detail: 'Page 9 of 2.',
    code: 'bad_request',
    reason: 'page_out_of_range',
    hint: PROBLEMS.page_out_of_range.hint,
    error: 'Page 9 of 2.',
    step: 0,
    op: 'a/b',
    file: 'x',
  });
  const plain = problemDocument({ reason: 'upload_not_found', detail: 'Unknown.', hint: 'Look.' });
  // Interface 2.3: "Legacy mirror of detail; for 404 a stable title".
  assert.equal(plain.error, 'Upload not found');
  assert.equal(plain.hint, 'Look.');
  assert.ok(!('step' in plain) && !('op' in plain) && !('file' in plain));
});

test('a problem crosses process borders as data, without its cause', () => {
  const cause = new Error('tool output');
  const problem = new Problem('unavailable', 'Later.', { retryAfterSeconds: 2, cause, step: 1, op: 'a/b' });
  const data = structuredClone(problem.toData());
  assert.deepEqual(data, {
    reason: 'unavailable',
    detail: 'Later.',
    retryAfterSeconds: 2,
    step: 1,
    op: 'a/b',
  });
  assert.deepEqual(Problem.fromData(data).toData(), data);
});

test('where a problem happened is told once, by whoever knows first', () => {
  const problem = new Problem('invalid_pdf', 'No.', { file: 'inner.pdf' }).at({
    step: 2,
    op: 'a/b',
    file: 'outer.pdf',
  });
  assert.deepEqual(problem.toData(), {
    reason: 'invalid_pdf',
    detail: 'No.',
    step: 2,
    op: 'a/b',
    file: 'inner.pdf',
  });
});

test('anything else thrown is internal, its text only for the log', () => {
  for (const thrown of [
    new TypeError('x is undefined'),
    'text',
    undefined,
    null,
    { reason: 'invalid_pdf' },
  ]) {
    const problem = Problem.from(thrown);
    assert.equal(problem.reason, 'internal');
    assert.doesNotMatch(JSON.stringify(problemDocument(problem.toData())), /undefined|x is/);
    assert.equal(problem.options.cause, thrown);
  }
  const known = new Problem('invalid_pdf', 'No.');
  assert.equal(Problem.from(known), known);
});
