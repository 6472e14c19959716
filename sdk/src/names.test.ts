import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CATALOGUE, nearestName } from './catalogue.ts';
import { Bindery, BinderyError, OPERATIONS } from './index.ts';

/** Nothing wrong is ever sent: any request fails the test. */
const bindery = new Bindery({
  baseUrl: 'http://127.0.0.1:9',
  apiKey: 'k',
  retries: 0,
  fetch: () => assert.fail('a request was made'),
});
const DOCUMENT = new Uint8Array([37, 80, 68, 70]);

async function refused(call: Promise<unknown>): Promise<BinderyError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BinderyError, String(error));
  assert.equal(error.reason, 'invalid_parameter', error.message);
  return error;
}

test('in every operation a letter too many in any name is refused with the name that was meant', async () => {
  for (const [path, { params }] of Object.entries(CATALOGUE)) {
    const files: Record<string, Uint8Array> = OPERATIONS[path as keyof typeof OPERATIONS].files.includes(
      'fileInput',
    )
      ? { fileInput: DOCUMENT }
      : {};
    for (const { name } of params) {
      const { message } = await refused(bindery.call(path, files, { [`${name}x`]: 1 }));
      assert.match(message, new RegExp(`"${name}x" is not a parameter of ${path}; did you mean \\w+\\?`));
    }
  }
});

test('every name of the catalogue is known', () => {
  for (const [path, { params, files }] of Object.entries(CATALOGUE)) {
    const row = OPERATIONS[path as keyof typeof OPERATIONS];
    for (const { name } of params) assert.ok(row.params.includes(name), `${path} ${name}`);
    assert.deepEqual(
      row.files,
      files.map(({ name }) => name),
    );
  }
});

test('methods, files and steps of pipelines refuse wrong names, too', async () => {
  const general = bindery.general as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  assert.match(
    (await refused(general.rotatePdf?.(DOCUMENT, { angel: 180 }) ?? assert.fail())).message,
    /angle\?/,
  );
  const wrongFile = bindery.call('misc/add-image', { fileInput: DOCUMENT, imagefiles: DOCUMENT });
  assert.match((await refused(wrongFile)).message, /did you mean imageFile\?/);
  for (const op of ['general/rotate-pdf', 'rotate-pdf', '/api/v1/general/rotate-pdf']) {
    const steps = [{ op: 'misc/repair' }, { op, params: { angel: 180 } }];
    const { problem, message } = await refused(bindery.runPipeline(DOCUMENT, steps));
    assert.match(message, /"angel".*did you mean angle\?/);
    assert.equal(problem?.step, 1);
  }
  const typed = bindery.pipeline(DOCUMENT).step('form/fill', { fields: {} } as never);
  assert.match(
    (await refused(typed.run())).message,
    /"fields" is not a parameter of form\/fill; it has data/,
  );
});

test('what is undefined is not said', async () => {
  const call = bindery.call('general/rotate-pdf', { fileInput: DOCUMENT }, { angel: undefined });
  await assert.rejects(
    call,
    (error) => !(error instanceof BinderyError) || error.reason !== 'invalid_parameter',
  );
});

test('the nearest name is a slip away', () => {
  assert.equal(nearestName('angel', ['angle', 'pageNumbers']), 'angle');
  assert.equal(nearestName('page-numbers', ['angle', 'pageNumbers']), 'pageNumbers');
  assert.equal(nearestName('qqqq', ['angle', 'pageNumbers']), undefined);
});
