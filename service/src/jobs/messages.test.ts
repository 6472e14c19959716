import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../contract/limits.ts';
import { readMessage } from './messages.ts';

const result = (more: object = {}) => ({
  content: { file: 'out-1.pdf' },
  size: 1,
  mediaType: 'application/pdf',
  name: 'a.pdf',
  kind: 'pdf',
  headers: {},
  ...more,
});
const done = (outcome: unknown) => ({
  kind: 'done',
  jobId: 'j',
  outcome,
  madeDirectory: true,
  retire: false,
  warm: ['browser'],
  exchangedBytes: 0,
});
const fetched = (more: object = {}) => ({
  kind: 'fetch',
  jobId: 'j',
  askId: 1,
  request: {
    url: 'https://example.org/',
    method: 'GET',
    headers: { Accept: 'text/html' },
    maxAnswerBytes: 1000,
    timeoutMs: 1000,
    ...more,
  },
});

const helped = (request: unknown) => ({ kind: 'help', jobId: 'j', askId: 1, request });

test('messages of a sound worker are taken', () => {
  const sound = [
    { kind: 'ready', engines: { qpdf: { available: true, version: '11' }, pdfium: { available: false } } },
    { kind: 'step', jobId: 'j', step: 3 },
    { kind: 'progress', jobId: 'j', done: 3, of: 300 },
    fetched(),
    fetched({ method: 'POST', body: new Uint8Array(10) }),
    helped({ what: 'idle' }),
    helped({ what: 'pages', file: 0, range: { from: 50, to: 100 } }),
    helped({ what: 'enough', asked: 3 }),
    done({ state: 'pages', pages: [{ bytes: new Uint8Array(3) }, { file: 'out-1.png' }] }),
    done({ state: 'nothing' }),
    done({ state: 'made', result: result() }),
    done({ state: 'made', result: result({ content: { bytes: new Uint8Array(3) }, name: undefined }) }),
    done({ state: 'made', result: result({ content: { file: 'in-12' } }) }),
    { ...done({ state: 'made', result: result() }), exchangedBytes: LIMITS.spoolBytes },
    done({ state: 'failed', problem: { reason: 'invalid_pdf', detail: 'no' }, cause: 'why' }),
  ];
  for (const message of sound) assert.equal(readMessage(message), message);
});

test('what a subverted worker might send is not', () => {
  const unsound = [
    undefined,
    null,
    7,
    'ready',
    {},
    { kind: 'ready' },
    { kind: 'ready', engines: { qpdf: null } },
    { kind: 'step', step: 1 },
    { kind: 'progress', jobId: 'j', done: -1, of: 300 },
    { kind: 'progress', jobId: 'j', done: 1, of: 1e300 },
    { kind: 'step', jobId: 'j', step: '1' },
    { kind: 'other', jobId: 'j' },
    fetched({ method: 'PUT' }),
    fetched({ headers: { Host: 'other.example' } }),
    fetched({ headers: { Accept: 'a\r\nX: y' } }),
    fetched({ headers: { Accept: 'x'.repeat(100_000) } }),
    fetched({ body: new Uint8Array(100_000) }),
    fetched({ maxAnswerBytes: 1e9 }),
    fetched({ timeoutMs: 1e9 }),
    helped(undefined),
    helped({ what: 'files' }),
    helped({ what: 'enough' }),
    helped({ what: 'pages', file: 0 }),
    helped({ what: 'pages', file: -1, range: { from: 0, to: 1 } }),
    helped({ what: 'pages', file: 0, range: { from: 1, to: 1 } }),
    helped({ what: 'pages', file: 0, range: { from: 0, to: 1e9 } }),
    done({ state: 'pages' }),
    done({ state: 'pages', pages: [{ file: '../out-1.png' }] }),
    { ...done({ state: 'nothing' }), warm: undefined },
    done(undefined),
    done({ state: 'made' }),
    done({ state: 'failed', problem: { reason: 'toString', detail: 'x' } }),
    done({ state: 'failed', problem: { reason: 'invalid_pdf' } }),
    ...['../keys.sqlite', '/etc/passwd', 'out-1/../../x', '.', 'out-1.', 'out-x', '', 7, undefined].map(
      (file) => done({ state: 'made', result: result({ content: { file } }) }),
    ),
    done({ state: 'made', result: result({ content: { bytes: 'text' } }) }),
    done({ state: 'made', result: result({ mediaType: 1 }) }),
    done({ state: 'made', result: result({ headers: { 'x-pages': 3 } }) }),
    done({ state: 'made', result: result({ name: {} }) }),
    ...[undefined, -1, 0.5, '7', LIMITS.spoolBytes + 1].map((exchangedBytes) => ({
      ...done({ state: 'nothing' }),
      exchangedBytes,
    })),
  ];
  for (const message of unsound) assert.equal(readMessage(message), undefined, JSON.stringify(message));
});
