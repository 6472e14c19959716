// Clients as others generate them from the description, calling the real service. The generators are large (Python,
// another TypeScript), so each is asked only where it is there:
//   pip install openapi-python-client                      (on the PATH)
//   npm install openapi-typescript typescript@5            (in a folder of its own; its node_modules/.bin on the PATH)
//   openapi-generator-cli                                  (7.25 or newer, on the PATH; its jar, with Java)
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

const HERE = import.meta.dirname;
const TERMS = ['voluptua', 'consetetur'];
const pathOf = (program: string): string => spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim();
const PYTHON_GENERATOR = pathOf('openapi-python-client');
const OPENAPI_GENERATOR = pathOf('openapi-generator-cli');
/** Its own TypeScript is older than ours: it cannot stand among our packages. */
const TYPES_GENERATOR = pathOf('openapi-typescript');

let service: RunningService;
let folder: string;
/** A field of the form to fill. */
let field: string;
before(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'bindery-generated-'));
  writeFileSync(join(folder, 'openapi.json'), await (await service.fetch('/v1/openapi.json')).text());
  // Asked once: while generators run this process stands still, and connections that it keeps are closed.
  const asked = await service.post('form/fields', form({ fileInput: filePart(fixture('form-fields.pdf')) }));
  const { fields } = (await asked.json()) as { fields: { name: string; type: string }[] };
  field = fields.find(({ type }) => type === 'text')?.name ?? '';
});
after(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder with the documents of the calls, and what is said to the program in it. */
function documents(name: string): { place: string; words: string[] } {
  const place = join(folder, name);
  mkdirSync(place);
  copyFileSync(fixture('text-two-pages.pdf'), join(place, 'text.pdf'));
  copyFileSync(fixture('form-fields.pdf'), join(place, 'form.pdf'));
  return { place, words: [service.url, service.key, place, ...TERMS, field] };
}

const textOf = (path: string): string => execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' });
const infoOf = (path: string): string => execFileSync('pdfinfo', [path], { encoding: 'utf8' });

/** What the calls left behind, judged by other tools. */
function judge(place: string): void {
  const pages = (name: string) => Number(/Pages:\s+(\d+)/.exec(infoOf(join(place, name)))?.[1]);
  assert.equal(pages('merged.pdf'), pages('text.pdf') + pages('form.pdf'));
  for (const term of TERMS) {
    assert.match(textOf(join(place, 'text.pdf')), new RegExp(term));
    assert.doesNotMatch(textOf(join(place, 'redacted.pdf')), new RegExp(term));
  }
  assert.match(textOf(join(place, 'redacted.pdf')), /Lorem ipsum/);
  assert.match(textOf(join(place, 'filled.pdf')), /Grace Hopper/);
  assert.match(infoOf(join(place, 'turned.pdf')), /Page rot:\s+180/);
}

function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return `${stdout}${stderr}`;
}

test('a client that openapi-python-client makes works', {
  skip: PYTHON_GENERATOR === '' && 'not installed: openapi-python-client',
}, () => {
  const settings = join(folder, 'settings.json');
  writeFileSync(
    settings,
    JSON.stringify({
      package_name_override: 'bindery_client',
      content_type_overrides: { 'application/pdf': 'application/octet-stream' },
    }),
  );
  const target = join(folder, 'bindery_client');
  const from = ['--path', join(folder, 'openapi.json'), '--config', settings];
  const said = run(
    PYTHON_GENERATOR,
    ['generate', ...from, '--meta', 'none', '--output-path', target],
    folder,
  );
  assert.doesNotMatch(said, /parsing (?:POST|PUT|GET|DELETE)/, said);
  const { place, words } = documents('python');
  const python = join(dirname(PYTHON_GENERATOR), 'python3');
  const program = existsSync(python) ? python : 'python3';
  run(program, [join(HERE, 'calls.py'), ...words], place, { PYTHONPATH: folder });
  judge(place);
});

test('types that openapi-typescript makes fit, and calls by them work', {
  skip: TYPES_GENERATOR === '' && 'not installed: openapi-typescript',
}, () => {
  const { place, words } = documents('typescript');
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  copyFileSync(join(HERE, 'calls.mts'), join(place, 'calls.mts'));
  run(TYPES_GENERATOR, [join(folder, 'openapi.json'), '-o', 'description.d.ts'], place);
  const types = readFileSync(join(place, 'description.d.ts'), 'utf8');
  assert.doesNotMatch(types, /"multipart\/form-data": unknown|\| unknown/);
  const options = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--skipLibCheck'];
  const node = ['--types', 'node', '--typeRoots', join(HERE, '../../node_modules/@types')];
  const compiler = join(HERE, '../../node_modules/typescript/bin/tsc');
  run(process.execPath, [compiler, ...options, ...node, '--allowImportingTsExtensions', 'calls.mts'], place);
  run(process.execPath, ['calls.mts', ...words], place);
  judge(place);
});

/** Made by OpenAPI Generator into a folder of this name. */
function generateClient(generator: string, name: string, ...more: string[]): string {
  const target = join(folder, name);
  run(
    OPENAPI_GENERATOR,
    ['generate', '-g', generator, '-i', join(folder, 'openapi.json'), '-o', target, ...more],
    folder,
  );
  return target;
}

const NO_GENERATOR = OPENAPI_GENERATOR === '' && 'not installed: openapi-generator-cli';
/** What the generated Python client imports. */
const NO_PYTHON_PACKAGES =
  spawnSync('python3', ['-c', 'import pydantic, urllib3, dateutil']).status !== 0 &&
  'not installed: python3-pydantic';

test('a Python client of OpenAPI Generator works', {
  skip: NO_GENERATOR || NO_PYTHON_PACKAGES,
}, () => {
  const { place, words } = documents('openapi-generator-python');
  const target = generateClient('python', 'generator-python');
  const program = join(HERE, 'calls_openapi_generator.py');
  run('python3', [program, ...words], place, { PYTHONPATH: target });
  judge(place);
});

test('a fetch client of OpenAPI Generator works', { skip: NO_GENERATOR }, () => {
  const { place, words } = documents('openapi-generator-fetch');
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  generateClient(
    'typescript-fetch',
    'openapi-generator-fetch/client',
    '--additional-properties=importFileExtension=.ts',
  );
  copyFileSync(join(HERE, 'calls-fetch.mts'), join(place, 'calls-fetch.mts'));
  run(process.execPath, ['--experimental-transform-types', 'calls-fetch.mts', ...words], place);
  judge(place);
});

for (const generator of ['go', 'java']) {
  test(`OpenAPI Generator makes a ${generator} client`, { skip: NO_GENERATOR }, () => {
    const target = generateClient(generator, `generator-${generator}`);
    const files = readdirSync(target, { recursive: true, encoding: 'utf8' });
    const source = files.filter((name) => /(?:api_security\.go|SecurityApi\.java)$/.test(name))[0] ?? '';
    assert.match(readFileSync(join(target, source), 'utf8'), /listOfText/);
    if (generator === 'go' && pathOf('go') !== '') run('go', ['build', './...'], target);
    if (generator === 'java' && pathOf('mvn') !== '')
      run('mvn', ['-q', '-B', '-DskipTests', 'compile'], target);
  });
}
