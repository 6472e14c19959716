import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../contract/problems.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import { description, pathOf, toolOf } from './catalogue.ts';
import { failureOf, structuredResult, wholeCharacters } from './tool-results.ts';
import { toolList } from './tools.ts';

test('an operation is found by its whole path, its route and, where that is unique, its name', () => {
  for (const named of ['general/rotate-pdf', '/api/v1/general/rotate-pdf', 'rotate-pdf'])
    assert.equal(pathOf(named), 'general/rotate-pdf', named);
  assert.equal(pathOf('rotate-pdf', 'general'), 'general/rotate-pdf');
  assert.equal(pathOf('rotate-pdf', 'misc'), undefined);
  // convert/*/pdf are several.
  assert.equal(pathOf('pdf'), undefined);
  for (const odd of ['', 'constructor', '__proto__']) assert.equal(pathOf(odd), undefined, odd);
});

test('every operation has a tool, and a description that names its fields and an example', () => {
  for (const path of Object.keys(OPERATIONS)) {
    const { tool, example, file_fields } = description(path) as Record<string, unknown>;
    assert.notEqual(tool, '', path);
    assert.equal(tool, toolOf(path));
    assert.ok(path.endsWith(`/${(example as { operation: string }).operation}`), path);
    assert.ok(Array.isArray(file_fields));
  }
  const { parameters, example } = description('general/merge-pdfs') as Record<
    string,
    Record<string, unknown>
  >;
  assert.ok(JSON.stringify(parameters).includes('sortType'));
  assert.deepEqual(example?.files, ['<file_id>', '<file_id>']);
  assert.deepEqual(pathOf('pages/rotate-pdf'), 'general/rotate-pdf');
});

test('what is turned off stands in no list; a tool without operations is none', () => {
  const isOff = (path: string) =>
    path === 'convert/url/pdf' || path === 'pipeline' || path.startsWith('filter/');
  const { tools, instructions } = toolList(isOff);
  const told = JSON.stringify({ tools, instructions });
  assert.doesNotMatch(told, /url\/pdf|pdf_filter|pdf_pipeline/);
  assert.match(told, /html\/pdf: /);
  assert.match(JSON.stringify(toolList(() => false)), /url\/pdf: .*pdf_filter.*pdf_pipeline/);
});

test('text is cut between characters, and something is always left', () => {
  const cut = (text: string, bytes: number) =>
    Buffer.from(wholeCharacters(Buffer.from(text).subarray(0, bytes))).toString();
  assert.equal(cut('aäb', 2), 'a');
  assert.equal(cut('aäb', 3), 'aä');
  assert.equal(cut('a😀b', 4), 'a');
  assert.equal(cut('a😀b', 5), 'a😀');
  assert.equal(wholeCharacters(Buffer.from('😀').subarray(0, 2)).length, 2);
});

test('an answer stands as structure and as text; a failure tells reason, hint, step and parameters', () => {
  const answer = structuredResult({ a: 1 });
  assert.deepEqual(answer.structuredContent, { a: 1 });
  assert.deepEqual(answer.content, [{ type: 'text', text: '{"a":1}' }]);
  const failure = failureOf(new Problem('invalid_parameter', 'angle must be 90.'), 'general/rotate-pdf');
  const [text] = failure.content;
  assert.equal(failure.isError, true);
  assert.ok(text?.type === 'text');
  assert.match(
    text.text,
    /^angle must be 90\.\nReason: invalid_parameter\nCode: [\s\S]*Hint: [\s\S]*Parameters: .*angle/,
  );
  assert.equal(failure.structuredContent, undefined);
});
