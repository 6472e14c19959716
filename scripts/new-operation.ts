// `npm run new group/name`: an operation and its test, ready to run.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const SEGMENT = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** What is wrong with a path, as a sentence; undefined when it can be taken. */
export function refusal(root: string, path: string): string | undefined {
  const segments = path.split('/');
  if (segments.length < 2 || segments.length > 3 || !segments.every((segment) => SEGMENT.test(segment))) {
    return `"${path}" is no operation path: write group/name in small letters, digits and hyphens, such as general/rotate-pdf or convert/pdf/word.`;
  }
  const file = operationFile(path);
  return existsSync(join(root, file)) ? `${file} exists already.` : undefined;
}

/** Writes the operation and its test; returns their paths. */
export async function newOperation(root: string, path: string): Promise<string[]> {
  const files = [
    { path: operationFile(path), text: operationText(path) },
    { path: operationFile(path).replace(/\.ts$/, '.test.ts'), text: testText(path) },
  ];
  await mkdir(dirname(join(root, operationFile(path))), { recursive: true });
  for (const file of files) await writeFile(join(root, file.path), file.text, { flag: 'wx' });
  return files.map((file) => file.path);
}

const operationFile = (path: string): string => `service/src/operations/${path}.ts`;
const nameOf = (path: string): string => path.split('/').at(-1) ?? path;
/** From the operation's folder up to operations/. */
const up = (path: string): string => '../'.repeat(path.split('/').length - 1);

const operationText = (
  path: string,
): string => `import { file, operation, pdfFile } from '${up(path)}define.ts';

export default operation({
  summary: '${words(path)}',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: pdfFile('_${nameOf(path)}'),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    return { content: doc.save() };
  },
});
`;

const testText = (path: string): string => `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../../${up(path)}testing/calls/run-here.ts';

const fixture = (name: string) => join(import.meta.dirname, '../../../${up(path)}fixtures', name);

test('${nameOf(path)} keeps every page', async () => {
  const ran = await runHere('${path}', {
    files: { fileInput: fixture('text-two-pages.pdf') },
  });
  assert.equal(ran.state, 'made');
  assert.equal(ran.result.name, 'text-two-pages_${nameOf(path)}.pdf');
  assert.match(execFileSync('pdfinfo', ['-'], { input: ran.bytes, encoding: 'utf8' }), /^Pages: +2$/m);
});

test('${nameOf(path)} refuses what is no PDF', async () => {
  const ran = await runHere('${path}', {
    files: { fileInput: { name: 'a.pdf', bytes: Buffer.from('no document') } },
  });
  assert.equal(ran.state === 'failed' && ran.problem.reason, 'invalid_pdf');
});
`;

function words(path: string): string {
  const name = nameOf(path)
    .replaceAll('-', ' ')
    .replace(/\bpdf\b/g, 'PDF');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

async function main(path: string | undefined): Promise<void> {
  const root = resolve(import.meta.dirname, '..');
  const refused = path === undefined ? 'Say which: npm run new group/name' : refusal(root, path);
  if (path === undefined || refused !== undefined) {
    console.error(refused);
    process.exitCode = 1;
    return;
  }
  const written = await newOperation(root, path);
  const { generate, TARGETS } = await import('./generate.ts');
  const generated = await generate(root, TARGETS, 'write');
  for (const file of [...written, ...generated]) console.log(`wrote ${file}`);
  console.log(`
It is POST /api/v1/${path} now. Next:
  1. ${written[0]}: say what it does (summary), what it takes (inputs, params), what it gives (output), and do it (run).
  2. ${written[1]}: cases of its own, judged by another tool than the one that made the result.
  3. npm run generate && npm test -- ${written[1]}
  4. npm run check`);
}

if (import.meta.main) await main(process.argv[2]);
