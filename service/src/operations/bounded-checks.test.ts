// Callers' values are checked in the process that serves everybody: whatever is sent, no check may hold it up or fill
// its memory. Asked of every field of every operation with values made to hurt.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { importsOf } from '../../../scripts/check-imports.ts';
import { dearChecks } from '../../testing/hostile-input/check-costs.ts';
import { expressionsIn } from '../../testing/hostile-input/expressions-in-code.ts';
import { slowText } from '../../testing/hostile-input/pumped-texts.ts';
import type { Field } from './fields.ts';
import { OPERATIONS } from './index.generated.ts';

const SRC = fileURLToPath(new URL('..', import.meta.url));

test('no value of any field of any operation or pipeline step is dear to check', async (t) => {
  const { cases, dear, most } = await dearChecks();
  t.diagnostic(`${cases} values; dearest: ${most.name}, ${Math.round(most.ms)} ms`);
  assert.ok(cases > 2000, `only ${cases} values were tried`);
  assert.deepEqual(dear, []);
});

test('lists and records of callers are checked to their first fault only', () => {
  for (const [path, op] of Object.entries(OPERATIONS)) {
    for (const [name, field] of Object.entries(op.params as Record<string, Field>)) {
      for (const schema of schemasIn(field.schema)) {
        if (!(schema instanceof z.ZodArray) && !(schema instanceof z.ZodRecord)) continue;
        const bounded = [...schema._zod.traits].some((trait) => trait.startsWith('Bounded'));
        assert.ok(bounded, `${path} ${name}: use listOf or recordOf of contract/bounded-schema.ts`);
      }
    }
  }
});

function schemasIn(root: z.ZodType): Set<z.ZodType> {
  const found = new Set<z.ZodType>();
  const seen = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if ('_zod' in value) {
      found.add(value as z.ZodType);
      walk((value as z.ZodType)._zod.def);
    } else for (const inner of Object.values(value)) walk(inner);
  };
  walk(root);
  return found;
}

/** What the process of the API runs on what callers send. Documents are opened in workers, which have a deadline. */
const RUNS_IN_API =
  /^(?:[^/]+\.ts|(?:api|contract|jobs|state)\/.*|operations\/.*|pdf\/(?:pages\/page-selection|forms\/fill-request|metadata\/(?:metadata-request|pdf-dates))\.ts)$/;

test('regular expressions on callers text take linear time', { timeout: 300_000 }, (t) => {
  const loaded = new Set<string>();
  const walk = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { specifier, typeOnly } of importsOf(readFileSync(path, 'utf8')))
      if (!typeOnly && specifier.startsWith('.')) walk(resolve(dirname(path), specifier));
  };
  walk(join(SRC, 'main.ts'));
  const files = [...loaded].map((path) => path.slice(SRC.length)).filter((path) => RUNS_IN_API.test(path));
  const slow: string[] = [];
  let count = 0;
  for (const path of files) {
    for (const { line, expression } of expressionsIn(readFileSync(join(SRC, path), 'utf8'))) {
      count += 1;
      const found = slowText(expression, 20);
      if (found) slow.push(`${path}:${line} ${expression} on ${JSON.stringify(found.text)}`);
    }
  }
  t.diagnostic(`${count} expressions of ${files.length} files`);
  assert.ok(count > 100, `only ${count} expressions were found`);
  assert.deepEqual(slow, []);
});

test('a search that is quadratic or exponential is told from one that is not', () => {
  for (const slow of [/^(?:a+)+$/, /^(?:\s*,\s*)*$/, /\s+$/, /^(.*?)\[.*\]$/s, /(?:x|xx)*y/])
    assert.ok(slowText(slow, 20), String(slow));
  for (const linear of [/^a+$/, /^\s*\d{1,3}\s*$/, /^[^[]*\[/, /^(?:"[^"]*",)*$/])
    assert.equal(slowText(linear, 20), undefined, String(linear));
});
