import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from './index.generated.ts';
import { planPipeline } from './pipeline.ts';
import { planCall } from './plan.ts';
import { REFUSE_UNKNOWN, shown } from './unknown-names.ts';

const fileInput = {
  field: 'fileInput',
  file: { name: 'a.pdf', size: 1, content: { chunks: [new Uint8Array(1)] } },
};

test('names of callers are cut and cleaned before they are shown', () => {
  assert.equal(shown('a\r\nSet-Cookie: b'), 'a__Set-Cookie__b');
  assert.equal(shown('\u001b]0;x\u0007\u202e'), '_]0_x__');
  assert.equal(shown('x'.repeat(1000)).length, 64);
});

test('in every operation a letter too many in any name is told, and refused where asked for, with the name meant', () => {
  for (const [path, op] of Object.entries(OPERATIONS)) {
    for (const name of Object.keys(op.params)) {
      const told: string[] = [];
      const slip = `${name}x`;
      const files = 'fileInput' in op.inputs ? [fileInput] : [];
      const parts = [...files, { field: slip, text: '1' }];
      try {
        planCall(path, parts, (each) => told.push(each));
      } catch {
        // What else it asks for is not the matter here.
      }
      assert.deepEqual(told, [slip], path);
      assert.throws(
        () => planCall(path, parts, REFUSE_UNKNOWN),
        ({ reason, detail }: { reason: string; detail: string }) =>
          reason === 'invalid_parameter' && detail.includes(slip) && /did you mean \w+\?/.test(detail),
        `${path} ${name}`,
      );
    }
  }
});

test('every name that an operation has is known: fields, other names, files, uploads, passwords', () => {
  for (const [path, op] of Object.entries(OPERATIONS)) {
    const names = Object.entries(
      op.params as Record<string, { aliases: readonly string[]; bracketed: boolean }>,
    );
    const parts = [
      ...names.flatMap(([name, { aliases, bracketed }]) => [
        name,
        ...aliases,
        ...(bracketed ? [`${name}[key]`] : []),
      ]),
      'inputPassword',
    ].map((field) => ({ field, text: '' }));
    const uploads = Object.keys(op.inputs).map((field) => ({ field, uploadId: 'x' }));
    const told: string[] = [];
    try {
      planCall(path, [...parts, ...uploads], (name) => told.push(name));
    } catch {
      // Empty values are not enough for all of them.
    }
    assert.deepEqual(told, [], path);
  }
});

test('unknown names of steps are told with their place, and refused where asked for', () => {
  const plan = (steps: unknown, strict: boolean): string[] => {
    const told: string[] = [];
    const parts = [fileInput, { field: 'steps', text: JSON.stringify(steps) }, { field: 'stepz', text: '' }];
    planPipeline(
      strict ? parts.slice(0, 2) : parts,
      strict ? REFUSE_UNKNOWN : (name, _, place = '') => told.push(`${place}${name}`),
    );
    return told;
  };
  const slip = [
    { op: 'rotate-pdf', params: { angle: 90 } },
    { op: 'rotate-pdf', params: { angel: 180 } },
  ];
  assert.deepEqual(plan(slip, false), ['stepz', 'steps[1].params.angel']);
  assert.throws(() => plan(slip, true), {
    reason: 'invalid_parameter',
    detail: /angel.*did you mean angle\?/,
  });
  assert.throws(() => plan([{ op: 'rotate-pdf', parms: { angle: 90 } }], true), {
    detail: /parms.*params\?/,
  });
  assert.throws(() => plan([{ op: 'form/fill', params: { fields: { a: 1 } } }], true), {
    detail: /fields.*data/,
  });
  plan([{ op: 'misc/update-metadata', params: { 'allRequestParams[a]': 'b', inputPassword: 'x' } }], true);
});
