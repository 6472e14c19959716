import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Problem } from '../contract/problems.ts';
import { checkValues } from './check.ts';
import { file, operation, pdfFile } from './define.ts';
import * as fields from './fields.ts';

const op = operation({
  summary: 'Every field kind',
  inputs: { fileInput: file('pdf') },
  params: {
    word: fields.text('Word', { max: 5, default: 'hi' }),
    note: fields.text('Note', { emptyIsValue: true }),
    key: fields.secret('Password', {}),
    angle: fields.integer('Angle', { min: -360, max: 360, multipleOf: 90, default: 0 }),
    bits: fields.integer('Bits', { min: 40, max: 256, oneOf: [40, 128, 256], default: 128 }),
    ratio: fields.number('Ratio', { min: 0, max: 2, above: 0, default: 1 }),
    strict: fields.flag('Strict'),
    mode: fields.choice('Mode', ['FAST', 'Slow'], { default: 'FAST', otherNames: { lazy: 'Slow' } }),
    counts: fields.list('Counts', fields.integer('Count', { min: 1, max: 9, required: true }), {
      max: 3,
      default: [],
    }),
    pageNumbers: fields.pages('Pages', { default: 'all' }),
    chosenPages: fields.pages('Pages of a mode', {}),
    tint: fields.colour('Tint', { default: '#000000' }),
    largest: fields.size('Largest', { aliases: ['max'] }),
    link: fields.url('Link', {}),
    data: fields.json('Data', z.array(z.object({ name: z.string().min(1) })), {
      expects: 'a JSON array of {"name"}',
    }),
    extra: fields.json('Extra', z.record(z.string(), z.string()), {
      expects: 'a JSON object',
      bracketed: true,
    }),
  },
  output: pdfFile(''),
  uses: [],
  run: async ({ fileInput }) => ({ content: fileInput.content }),
});

const check = (given: Record<string, unknown | unknown[]>) =>
  checkValues(
    op,
    new Map(Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value : [value]])),
  );

function refusal(given: Record<string, unknown>): Problem {
  try {
    check(given);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  return assert.fail(`${JSON.stringify(given)} was accepted`);
}

test('absent and empty fields take their defaults', () => {
  const { params } = check({ word: '', angle: ' ', unknown: 'ignored' });
  assert.equal(params.word, 'hi');
  assert.equal(params.angle, 0);
  assert.equal(params.pageNumbers, 'all');
  assert.equal(params.note, undefined);
  assert.equal(check({ note: '' }).params.note, '');
});

test('form text becomes values', () => {
  const cases: [Record<string, unknown>, Record<string, unknown>][] = [
    [{ angle: '-90' }, { angle: -90 }],
    [{ ratio: '.5' }, { ratio: 0.5 }],
    [{ strict: 'ON' }, { strict: true }],
    [{ strict: '0' }, { strict: false }],
    [{ mode: 'slow' }, { mode: 'Slow' }],
    [{ mode: ' LAZY ' }, { mode: 'Slow' }],
    [{ pageNumbers: ' ' }, { pageNumbers: 'all' }],
    [{ pageNumbers: [[]] }, { pageNumbers: 'all' }],
    [{ counts: ['1,2', '3'] }, { counts: [1, 2, 3] }],
    [{ counts: [[4, '5']] }, { counts: [4, 5] }],
    [{ tint: 'ABCDEF' }, { tint: '#abcdef' }],
    [{ tint: '#abc' }, { tint: '#aabbcc' }],
    [{ max: '1,5 kb' }, { largest: 1536 }],
    [{ largest: '2' }, { largest: 2 * 1024 * 1024 }],
    [{ data: '[{"name":"a"}]' }, { data: [{ name: 'a' }] }],
    [{ pageNumbers: [[1, '3-4']] }, { pageNumbers: '1,3-4' }],
    [{ pageNumbers: 7 }, { pageNumbers: '7' }],
    [{ 'extra[a]': '1', 'extra[b]': '2' }, { extra: { a: '1', b: '2' } }],
    [{ extra: '{"a":"0","c":"3"}', 'extra[a]': '1' }, { extra: { a: '1', c: '3' } }],
    [{ link: ' https://example.org/x ' }, { link: 'https://example.org/x' }],
  ];
  for (const [given, wanted] of cases) {
    const { params } = check(given);
    for (const [name, value] of Object.entries(wanted))
      assert.deepEqual(params[name], value, JSON.stringify(given));
  }
});

test('what a field does not take is refused by its reason, naming the field', () => {
  const cases: [Record<string, unknown>, string, RegExp][] = [
    [{ word: 'sixsix' }, 'invalid_parameter', /^word /],
    [{ word: ['a', 'b'] }, 'invalid_parameter', /^word was sent 2 times/],
    [
      { angle: '45' },
      'invalid_parameter',
      /^angle must be a whole number from -360 to 360, a multiple of 90/,
    ],
    [{ angle: '1e2' }, 'invalid_parameter', /^angle /],
    [{ angle: '0x10' }, 'invalid_parameter', /^angle /],
    [{ angle: '90.5' }, 'invalid_parameter', /^angle /],
    [{ bits: '64' }, 'invalid_parameter', /^bits must be one of 40, 128, 256/],
    [{ ratio: '0' }, 'invalid_parameter', /^ratio /],
    [{ ratio: 'NaN' }, 'invalid_parameter', /^ratio /],
    [{ strict: 'maybe' }, 'invalid_parameter', /^strict must be true or false/],
    [{ mode: 'medium' }, 'invalid_parameter', /^mode must be one of FAST, Slow/],
    [{ counts: '1,2,3,4' }, 'invalid_parameter', /^counts /],
    [{ counts: '0' }, 'invalid_parameter', /^counts /],
    [{ chosenPages: '' }, 'invalid_page_selection', /^chosenPages: /],
    [{ pageNumbers: '5-3' }, 'invalid_page_selection', /runs backwards/],
    [{ tint: 'red' }, 'invalid_parameter', /^tint /],
    [{ largest: '1B' }, 'invalid_parameter', /^largest /],
    [{ largest: '3GB' }, 'invalid_parameter', /^largest /],
    [{ link: 'file:///etc/passwd' }, 'url_not_allowed', /^link /],
    [{ link: 'http://u:p@example.org/' }, 'url_not_allowed', /^link /],
    [{ link: `http://example.org/${'a'.repeat(2048)}` }, 'invalid_parameter', /^link .*2048 characters/],
    [{ data: 'not json' }, 'invalid_parameter', /^data /],
    [{ data: '[{"name":""}]' }, 'invalid_parameter', /^data\[0\]\.name /],
    [{ data: '['.repeat(70) + ']'.repeat(70) }, 'invalid_parameter', /^data /],
    [{ key: 'x'.repeat(128) }, 'invalid_parameter', /^key /],
  ];
  for (const [given, reason, detail] of cases) {
    const problem = refusal(given);
    assert.equal(problem.reason, reason, JSON.stringify(given));
    assert.match(problem.detail, detail);
  }
});

test('passwords are never repeated to the caller and never split', () => {
  assert.deepEqual(check({ inputPassword: ['a,b', 'c', ''] }).passwords, ['a,b', 'c']);
  assert.doesNotMatch(refusal({ inputPassword: 'secret'.repeat(30) }).detail, /secret/);
  assert.doesNotMatch(refusal({ link: 'http://me:secret@example.org/' }).detail, /secret/);
});

test('required fields are asked for', () => {
  const needy = { ...op, params: { text: fields.text('Text', { required: true, min: 1 }) } };
  assert.throws(() => checkValues(needy, new Map()), /text is required/);
});
