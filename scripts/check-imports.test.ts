import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { importsOf, unreached, violations } from './check-imports.ts';

/** What is found wrong in a tree of these files. */
function wrongIn(files: Record<string, string>, check = violations): string[] {
  const src = mkdtempSync(join(tmpdir(), 'bindery-imports-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(src, path)), { recursive: true });
      writeFileSync(join(src, path), text);
    }
    return check(src);
  } finally {
    rmSync(src, { recursive: true });
  }
}

const REFUSED: readonly [path: string, text: string, says: RegExp][] = [
  ['contract/a.ts', "import { b } from '../pdf/b.ts';", /contract may not import pdf/],
  ['pdf/a.ts', "import type { B } from '../layout/b.ts';", /pdf may not import layout/],
  ['layout/a.ts', "export * from '../writers/b.ts';", /layout may not import writers/],
  ['writers/a.ts', "import '../engines/b.ts';", /writers may not import engines/],
  ['engines/x/a.ts', "import { b } from '../../operations/b.ts';", /engines may not import operations/],
  ['state/embedded/a.ts', "import { c } from '../../config.ts';", /state may not import config\.ts/],
  ['jobs/a.ts', "import { s } from '../state/s.ts';", /jobs may not import state/],
  ['jobs/a.ts', "import { readConfig } from '../config.ts';", /may only `import type`/],
  ['api/rest/a.ts', "import type { P } from '../../pdf/p.ts';", /api may not import pdf/],
  ['api/a.ts', "import type { E } from '../engines/e.ts';", /api may not import engines/],
  ['api/a.ts', "const l = await import('../layout/l.ts');", /api may not import layout/],
  ['api/a.ts', "import {\n  type W,\n  w,\n} from '../writers/w.ts';", /api may not import writers/],
  ['operations/g/a.ts', "import { q } from '../../engines/q.ts';", /may only `import type`/],
  ['operations/g/a.ts', "import { type Q } from '../../engines/q.ts';", /may only `import type`/],
  ['operations/g/a.ts', "import b from './b.ts';", /never import each other/],
  ['operations/g/h/a.ts', "import b from '../../k/b.ts';", /never import each other/],
  ['operations/g/a.ts', "import { OPERATIONS } from '../index.generated.ts';", /never import each other/],
  ['operations/g/a.ts', "import type { Job } from '../../jobs/job.ts';", /only plan\.ts and check\.ts/],
  ['operations/plan.ts', "import { pool } from '../jobs/pool.ts';", /may only `import type`/],
  ['operations/fields.ts', "import { c } from '../procedures/c.ts';", /knows nothing of what they do/],
  ['procedures/a.ts', "import { q } from '../engines/q.ts';", /may only `import type`/],
  ['procedures/a.ts', "import { checkValues } from '../operations/check.ts';", /may only `import type`/],
  ['procedures/a.ts', "import type { F } from '../operations/fields.ts';", /words of define\.ts only/],
  ['state/a.ts', "import { c } from '../procedures/c.ts';", /state may not import procedures/],
  ['operations/define.ts', "import a from './g/a.ts';", /only the generated index/],
  ['main.ts', "import { j } from '../testing/j.ts';", /never imports service\/testing/],
  ['operations/g/a.ts', "import { j } from '../../../testing/calls/j.ts';", /never imports service\/testing/],
  ['pdf/a.ts', "import x from '../../../cli/src/x.ts';", /outside of service\/src/],
  ['cloud/a.ts', "import x from '../contract/x.ts';", /no place in import-rules/],
  ['serve.ts', "import { q } from './engines/q.ts';", /serve\.ts may not import engines/],
  ['api/a.ts', 'const port = process.env.PORT;', /config\.ts only/],
  ['api/a.ts', "import { argv, env } from 'node:process';", /config\.ts only/],
  ['engines/x/a.ts', "import { spawn } from 'node:child_process';", /engines\/process\.ts and jobs/],
  ['engines/x/a.ts', "const { spawn } = require('child_process');", /engines\/process\.ts and jobs/],
  ['pdf/filters/a.ts', "import { f } from '../fonts/f.ts';", /stands above it/],
  ['pdf/document.ts', "import type { P } from './pdfx/p.ts';", /stands above it/],
  ['pdf/newcomer/a.ts', "import { p } from '../pdfx/p.ts';", /no place in PDF_FLOORS/],
  ['pdf/utils/a.ts', '', /say what it holds/],
  ['api/shared/a.ts', '', /say what it holds/],
  ['pdf/helpers.ts', '', /say what it holds/],
];

for (const [path, text, says] of REFUSED) {
  test(`refused: ${path} with ${text.replaceAll('\n', ' ') || 'its name'}`, () => {
    const found = wrongIn({ [path]: text });
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', says);
  });
}

test('circles by value are refused, circles by type only where they leave their folder', () => {
  const circle = (a: string, b: string) => ({
    [a]: `import type { B } from '${a === 'layout/a.ts' && b.startsWith('layout/t') ? './tables/b.ts' : './b.ts'}';`,
    [b]: `import { a } from '${b.startsWith('layout/t') ? '../a.ts' : './a.ts'}';`,
  });
  assert.deepEqual(wrongIn(circle('layout/a.ts', 'layout/b.ts')), []);
  assert.match(wrongIn(circle('layout/a.ts', 'layout/tables/b.ts')).join(), /circle of types/);
  const byValue = wrongIn({
    'pdf/a.ts': "import { b } from './b.ts';",
    'pdf/b.ts': "export { a } from './a.ts';",
  });
  assert.match(byValue.join(), /pdf\/a\.ts: imports itself by way of pdf\/b\.ts/);
});

test('circles of types inside a folder may not become more', () => {
  const files = Object.fromEntries(
    ['a', 'b', 'c', 'd'].flatMap((name) => [
      [`layout/${name}.ts`, `import type { T } from './${name}-2.ts';`],
      [`layout/${name}-2.ts`, `import type { T } from './${name}.ts';`],
    ]),
  );
  assert.match(wrongIn(files).join(), /one of 4 circles of types/);
});

test('what the rules allow is not reported', () => {
  const found = wrongIn({
    'config.ts': "import { LOG_LEVELS } from './contract/log.ts';\nprocess.env.X;",
    'main.ts': "import { serve } from './serve.ts';",
    'serve.ts': "import { readConfig } from './config.ts';\nimport { listen } from './api/rest/listen.ts';",
    'writers/a.ts': "import { l } from '../layout/l.ts';\nimport { z } from 'zod';",
    'engines/process.ts': "import { spawn } from 'node:child_process';",
    'jobs/pool.ts': "import { fork } from 'node:child_process';\nimport type { Config } from '../config.ts';",
    'jobs/execute.ts': "import { openEngines } from '../engines/load.ts';",
    'operations/plan.ts':
      "import type { Job } from '../jobs/job.ts';\nimport { O } from './index.generated.ts';",
    'procedures/c.ts':
      "import type { PageWork } from '../operations/define.ts';\nimport type { Q } from '../engines/q.ts';",
    'operations/index.generated.ts': "import a from './g/a.ts';",
    'operations/g/a.ts':
      "import type { Q } from '../../engines/q.ts';\nimport { p } from './_part.ts';\nimport { file } from '../define.ts';\nimport { c } from '../../procedures/c.ts';",
    'operations/g/a.test.ts':
      "import { spawn } from 'node:child_process';\nimport q from '../../engines/q.ts';\nimport { j } from '../../../testing/j.ts';",
    'api/a.ts':
      "// process.env is not for us\n/* import x from '../pdf/x.ts'; */\nimport { j } from '../jobs/j.ts';",
  });
  assert.deepEqual(found, []);
});

test('what no part of the product names is for tests, or for nobody', () => {
  const found = wrongIn(
    {
      'main.ts': "import './a.ts';\n// import './spoken-of.ts';",
      'a.ts': "const b = () => import('./b/b.ts');\nnew Worker(new URL('./thread.ts', import.meta.url));",
      'b/b.ts': "import type { C } from '../c.ts';",
      'c.ts': '',
      'thread.ts': '',
      'a.test.ts': "import './only-tested.ts';",
      'only-tested.ts': '',
      'spoken-of.ts': '',
    },
    (src) => unreached(src, ['main.ts']),
  );
  assert.deepEqual(
    found.map((line) => line.split(':')[0]),
    ['only-tested.ts', 'spoken-of.ts'],
  );
});

test('all forms of import are read', () => {
  const source = `import a, { type B } from './a.ts';
import type { C } from './c.ts';
import * as d from "./d.ts";
import './e.ts';
export { f } from './f.ts';
export type { G } from './g.ts';
import {
  h,
} from './h.ts';
const i = () => import('./i.ts');
type J = typeof import('./j.ts');
export const text = 'from nowhere';
`;
  const read = importsOf(source).map(({ specifier, typeOnly }) => `${specifier}${typeOnly ? ' type' : ''}`);
  const expected = [
    './a.ts',
    './c.ts type',
    './d.ts',
    './e.ts',
    './f.ts',
    './g.ts type',
    './h.ts',
    './i.ts',
    './j.ts type',
  ];
  assert.deepEqual(read, expected);
});
