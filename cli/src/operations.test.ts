// The command against a real service, in pipes and on a terminal.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { CATALOGUE } from '@bindery/sdk/catalogue';
import { type RunningService, startService } from '../../test/service.ts';
import { VERBS } from './verbs.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'cli', 'bin', 'bindery.cjs');
const fixture = (name: string): string => join(ROOT, 'fixtures', name);
const TWO_PAGES = fixture('text-two-pages.pdf');

let service: RunningService;
let folder: string;
before(async () => {
  service = await startService({
    env: { BINDERY_MAX_REQUEST_BYTES: '3000000', BINDERY_UPLOAD_CHUNK_BYTES: '262144' },
  });
});
after(() => service?.remove());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  status: number | null;
  stdout: Buffer;
  stderr: string;
}

const environment = () => ({
  PATH: process.env.PATH,
  BINDERY_URL: service.url,
  BINDERY_API_KEY: service.key,
  // Whatever the user of this machine is logged in to.
  BINDERY_CONFIG: join(folder, 'config.json'),
});

function bindery(
  args: readonly string[],
  options: { input?: Buffer; env?: Record<string, string | undefined> } = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(BIN, [...args], {
    cwd: folder,
    env: { ...environment(), ...options.env },
    ...(options.input ? { input: options.input } : {}),
    maxBuffer: 64 * 1024 ** 2,
  });
  return { status, stdout, stderr: String(stderr) };
}

/** As a person sees it: `script` lends the command a terminal. */
function onTerminal(command: string): { status: number | null; seen: string } {
  const { status, stdout } = spawnSync('script', ['-qfec', command, '/dev/null'], {
    cwd: folder,
    env: { ...environment(), TERM: 'xterm' },
    encoding: 'utf8',
  });
  return { status, seen: stdout };
}
const NO_TERMINAL = spawnSync('script', ['--version']).status === 0 ? false : 'not installed: script';

const pagesOf = (path: string): string => {
  const { stdout } = spawnSync('pdfinfo', [path], { encoding: 'utf8' });
  return /^Pages:\s+(\d+)/m.exec(stdout)?.[1] ?? `no PDF: ${path}`;
};

describe('results', () => {
  test('a file is kept under the name the service gives, and the user is told', () => {
    copyFileSync(TWO_PAGES, join(folder, 'in.pdf'));
    const { status, stdout, stderr } = bindery(['general', 'rotate-pdf', 'in.pdf', '--angle', '90']);
    assert.deepEqual([status, String(stdout), stderr], [0, '', 'in_rotated.pdf\n']);
    assert.equal(pagesOf(join(folder, 'in_rotated.pdf')), '2');
  });

  test('an existing file is replaced only by force', () => {
    writeFileSync(join(folder, 'out.pdf'), 'mine');
    const refused = bindery(['general', 'rotate-pdf', TWO_PAGES, '-o', 'out.pdf']);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /out\.pdf exists already; --force.*\nreason: invalid_parameter\ncode: /);
    assert.equal(readFileSync(join(folder, 'out.pdf'), 'utf8'), 'mine');
    assert.equal(bindery(['general', 'rotate-pdf', TWO_PAGES, '-o', 'out.pdf', '--force']).status, 0);
    assert.equal(pagesOf(join(folder, 'out.pdf')), '2');
  });

  test('from standard input to standard output', () => {
    const { status, stdout, stderr } = bindery(['general', 'rotate-pdf', '-'], {
      input: readFileSync(TWO_PAGES),
    });
    assert.deepEqual([status, stderr], [0, '']);
    writeFileSync(join(folder, 'piped.pdf'), stdout);
    assert.equal(pagesOf(join(folder, 'piped.pdf')), '2');
  });

  test('a document from standard input stays whole where standard output is for JSON', () => {
    const { status, stdout } = bindery(['general', 'rotate-pdf', '-', '--json'], {
      input: readFileSync(TWO_PAGES),
    });
    assert.equal(status, 0);
    const { output } = JSON.parse(String(stdout)) as { output: string };
    assert.equal(output, 'stdin_rotated.pdf');
    assert.equal(pagesOf(join(folder, output)), '2');
  });

  test('text from standard input is taken for what the operation takes', () => {
    const markdown = bindery(['convert', 'markdown/pdf', '-', '-o', 'from-text.pdf'], {
      input: Buffer.from('# Title\n\ntext\n'),
    });
    assert.equal(markdown.status, 0, markdown.stderr);
    assert.equal(pagesOf(join(folder, 'from-text.pdf')), '1');
  });

  test('two results of one name are not put into one file', () => {
    for (const name of ['left', 'right']) {
      mkdirSync(join(folder, name));
      copyFileSync(TWO_PAGES, join(folder, name, 'same.pdf'));
    }
    const files = ['left/same.pdf', 'right/same.pdf'];
    const { status, stderr } = bindery(['general', 'rotate-pdf', ...files, '-o', 'both', '-f']);
    assert.equal(status, 1);
    assert.match(stderr, /both\/same_rotated\.pdf is the result of another file of this run\nreason: /);
  });

  test('values may begin with a hyphen', () => {
    const { status, stderr } = bindery([
      'security',
      'add-watermark',
      TWO_PAGES,
      '--watermark-text',
      '-draft-',
      '-o',
      'marked.pdf',
    ]);
    assert.equal(status, 0, stderr);
    const { stdout } = spawnSync('pdftotext', [join(folder, 'marked.pdf'), '-'], { encoding: 'utf8' });
    assert.match(stdout, /-draft-/);
  });

  test('pipes of two commands', () => {
    const pipe = `"${BIN}" general rotate-pdf "${TWO_PAGES}" -o - | "${BIN}" analysis page-count -`;
    const { stdout } = spawnSync('sh', ['-c', pipe], { cwd: folder, env: environment(), encoding: 'utf8' });
    assert.deepEqual(JSON.parse(stdout), { pageCount: 2 });
  });

  test('JSON goes to standard output', () => {
    const { status, stdout } = bindery(['analysis', 'page-count', TWO_PAGES]);
    assert.deepEqual([status, JSON.parse(String(stdout))], [0, { pageCount: 2 }]);
  });

  test('many files, by a pattern, into a folder', () => {
    mkdirSync(join(folder, 'in'));
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) copyFileSync(TWO_PAGES, join(folder, 'in', name));
    const { status, stdout } = bindery([
      'general',
      'rotate-pdf',
      'in/*.pdf',
      '-o',
      'out',
      '--json',
      '-c',
      '2',
    ]);
    assert.equal(status, 0);
    assert.deepEqual(readdirSync(join(folder, 'out')).sort(), [
      'a_rotated.pdf',
      'b_rotated.pdf',
      'c_rotated.pdf',
    ]);
    const report = JSON.parse(String(stdout)) as { input: string; output: string; size: number }[];
    assert.deepEqual(
      report.map(({ input, output }) => [input, output]),
      ['a', 'b', 'c'].map((name) => [`in/${name}.pdf`, `out/${name}_rotated.pdf`]),
    );
  });

  test('one bad file of many costs only itself', () => {
    writeFileSync(join(folder, 'bad.pdf'), 'no pdf');
    const { status, stdout, stderr } = bindery(['analysis', 'page-count', 'bad.pdf', TWO_PAGES, '--json']);
    assert.equal(status, 1);
    const [bad, good] = JSON.parse(String(stdout));
    assert.equal(bad.error.reason, 'invalid_pdf');
    assert.deepEqual(good.result, { pageCount: 2 });
    assert.match(stderr, /^bindery: bad\.pdf: .*\nreason: invalid_pdf\ncode: invalid_document\nhint: /);
  });

  test('several files into one call, where the operation takes them', () => {
    const { status } = bindery(['general', 'merge-pdfs', TWO_PAGES, TWO_PAGES, '-o', 'merged.pdf']);
    assert.equal(status, 0);
    assert.equal(pagesOf(join(folder, 'merged.pdf')), '4');
  });

  test('values may be negative', () => {
    for (const angle of [['--angle', '-90'], ['--angle=-90']]) {
      const { status, stderr } = bindery([
        'general',
        'rotate-pdf',
        TWO_PAGES,
        ...angle,
        '-o',
        'turned.pdf',
        '-f',
      ]);
      assert.equal(status, 0, stderr);
      const { stdout } = spawnSync('pdfinfo', [join(folder, 'turned.pdf')], { encoding: 'utf8' });
      assert.match(stdout, /^Page rot: +270$/m);
    }
  });

  test('fields in either spelling, lists, flags, JSON from a file, files of fields', () => {
    writeFileSync(join(folder, 'toc.json'), '[{"title":"One","pageNumber":1,"children":[]}]');
    const toc = bindery([
      'general',
      'edit-table-of-contents',
      TWO_PAGES,
      '--bookmark-data',
      '@toc.json',
      '-o',
      'toc.pdf',
    ]);
    assert.deepEqual([toc.status, toc.stderr], [0, 'toc.pdf\n']);
    const listed = bindery(['general', 'extract-bookmarks', 'toc.pdf']);
    assert.match(String(listed.stdout), /"title": "One"/);
    writeFileSync(join(folder, 'note.txt'), 'hello');
    const attached = bindery([
      'misc',
      'add-attachments',
      'toc.pdf',
      '--attachments',
      'note.txt',
      '-o',
      'att.pdf',
    ]);
    assert.equal(attached.status, 0, attached.stderr);
    assert.match(String(bindery(['misc', 'list-attachments', 'att.pdf']).stdout), /note\.txt/);
    const locked = bindery([
      'security',
      'add-password',
      TWO_PAGES,
      '--password',
      's3cret',
      '--preventPrinting',
      '-o',
      'l.pdf',
    ]);
    assert.equal(locked.status, 0, locked.stderr);
    writeFileSync(join(folder, 'word'), 's3cret\n');
    const opened = bindery(['analysis', 'page-count', 'l.pdf', '--input-password', '@word']);
    assert.deepEqual(JSON.parse(String(opened.stdout)), { pageCount: 2 });
  });

  test('a large file goes in chunks', () => {
    writeFileSync(
      join(folder, 'large.pdf'),
      Buffer.concat([readFileSync(TWO_PAGES), Buffer.alloc(4_000_000, '\n')]),
    );
    assert.deepEqual(JSON.parse(String(bindery(['analysis', 'page-count', 'large.pdf']).stdout)), {
      pageCount: 2,
    });
  });
});

describe('pipelines', () => {
  const misspelt: [name: string, file: string, status: number, said: RegExp][] = [
    [
      'a parameter',
      '- op: rotate-pdf\n  params: { angel: 180 }\n',
      1,
      /"angel".*did you mean angle\?[\s\S]*step: 0/,
    ],
    ['a word of a step', '- op: rotate-pdf\n  parms: { angle: 180 }\n', 2, /step 0 has "parms".*params\?/],
    ['a word of the file', 'stepz: []\nsteps:\n- op: rotate-pdf\n', 2, /has "stepz".*steps\?/],
  ];
  for (const [name, file, code, said] of misspelt) {
    test(`${name} that is misspelt is refused, and nothing is made`, () => {
      writeFileSync(join(folder, 's.yaml'), file);
      const { status, stderr } = bindery(['pipeline', 's.yaml', TWO_PAGES, '-o', 'o.pdf']);
      assert.equal(status, code, stderr);
      assert.match(stderr, said);
      assert.ok(!existsSync(join(folder, 'o.pdf')));
    });
  }

  const STEPS = {
    yaml: 'steps:\n  - op: merge-pdfs\n  - op: general/rotate-pdf\n    params: { angle: 90 }\n',
    json: '[{"op":"general/merge-pdfs"},{"op":"rotate-pdf","params":{"angle":90}}]',
  };
  for (const [kind, text] of Object.entries(STEPS)) {
    test(`from ${kind}`, () => {
      writeFileSync(join(folder, `steps.${kind}`), text);
      const { status, stderr } = bindery([
        'pipeline',
        `steps.${kind}`,
        TWO_PAGES,
        TWO_PAGES,
        '-o',
        'out.pdf',
      ]);
      assert.deepEqual([status, stderr], [0, 'out.pdf\n']);
      assert.equal(pagesOf(join(folder, 'out.pdf')), '4');
    });
  }

  test('files of a step lie beside the steps file', () => {
    mkdirSync(join(folder, 'way'));
    copyFileSync(TWO_PAGES, join(folder, 'way', 'over.pdf'));
    writeFileSync(
      join(folder, 'way', 's.yaml'),
      '- op: overlay-pdfs\n  params: { overlayFiles: over.pdf, overlayMode: SequentialOverlay }\n',
    );
    assert.equal(bindery(['pipeline', 'way/s.yaml', TWO_PAGES, '-o', 'o.pdf']).status, 0);
    assert.equal(pagesOf(join(folder, 'o.pdf')), '2');
  });

  test('the failing step is named', () => {
    writeFileSync(
      join(folder, 's.yaml'),
      '- op: rotate-pdf\n- op: remove-pages\n  params: { pageNumbers: "9" }\n',
    );
    const { status, stderr } = bindery(['pipeline', 's.yaml', TWO_PAGES]);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /\nstep: 1 \(general\/remove-pages.*\)\nreason: page_out_of_range\ncode: bad_request\nhint: /,
    );
  });
});

describe('failures have exit codes', () => {
  const cases: [name: string, args: string[], status: number, said: RegExp, env?: Record<string, string>][] =
    [
      [
        'no such file',
        ['analysis', 'page-count', 'none.pdf'],
        1,
        /reason: input_unreadable\ncode: input_unreadable\nhint: /,
      ],
      [
        'no such steps',
        ['pipeline', 'none.yaml', TWO_PAGES],
        1,
        /^bindery: none\.yaml cannot be read\nreason: input_unreadable\ncode: input_unreadable\nhint: /,
      ],
      [
        'no such value',
        ['form', 'fill', fixture('form-fields.pdf'), '--data', '@none.json'],
        1,
        /none\.json cannot be read\nreason: input_unreadable/,
      ],
      [
        'nowhere to go',
        ['general', 'rotate-pdf', TWO_PAGES, '-o', 'no/such/x.pdf'],
        1,
        /^bindery: no\/such\/x\.pdf cannot be written: there is no folder no\/such\nreason: invalid_parameter\ncode: bad_request\nhint: /,
      ],
      [
        'a bad value',
        ['general', 'rotate-pdf', TWO_PAGES, '--angle', '45'],
        1,
        /angle.*\nreason: invalid_parameter/,
      ],
      [
        'an unknown option',
        ['general', 'rotate-pdf', TWO_PAGES, '--angel', '90'],
        2,
        /did you mean --angle\?/,
      ],
      ['an unknown operation', ['general', 'rotat-pdf'], 2, /did you mean rotate-pdf\?/],
      ['an unknown command', ['genral'], 2, /did you mean general\?/],
      ['no file', ['general', 'rotate-pdf'], 2, /a file is missing/],
      [
        'a failure among calls that have nothing to return',
        ['convert', 'pdf/csv', TWO_PAGES, 'none.pdf'],
        1,
        /reason: input_unreadable/,
      ],
      [
        'an option where a value should be',
        ['general', 'rotate-pdf', TWO_PAGES, '--angle', '--force'],
        2,
        /'--angle/,
      ],
      [
        'a document and JSON on one standard output',
        ['general', 'rotate-pdf', TWO_PAGES, '-o', '-', '--json'],
        2,
        /--json and -o - both want standard output/,
      ],
      [
        'steps and a document from one standard input',
        ['pipeline', '-', '-'],
        2,
        /standard input \(-\) can be read only once/,
      ],
      [
        'no address',
        ['analysis', 'page-count', TWO_PAGES, '--url', 'localhost:8080'],
        2,
        /"localhost:8080" is no address of a service/,
      ],
      ['no address to look at', ['doctor', '--url', 'localhost:8080'], 2, /is no address of a service/],
      ['a field left out', ['general', 'remove-pages', TWO_PAGES], 2, /--page-numbers is required/],
      [
        'nothing to return',
        ['filter', 'filter-page-count', TWO_PAGES, '--page-count', '9', '--comparator', 'Greater'],
        3,
        /reason: no_content/,
      ],
      [
        'nobody there',
        ['analysis', 'page-count', TWO_PAGES, '--url', 'http://127.0.0.1:1'],
        4,
        /reason: network_error/,
      ],
      [
        'too little time',
        ['analysis', 'page-count', TWO_PAGES, '--url', 'http://127.0.0.1:1', '--timeout', '1'],
        4,
        /reason: (timeout|network_error)/,
      ],
      ['no key', ['analysis', 'page-count', TWO_PAGES], 2, /an API key is needed/, { BINDERY_API_KEY: '' }],
      ['a wrong key', ['analysis', 'page-count', TWO_PAGES, '--key', 'wrong'], 1, /reason: unauthorized/],
    ];
  for (const [name, args, status, said, env] of cases) {
    test(name, () => {
      const ran = bindery(args, env ? { env } : {});
      assert.equal(ran.status, status, ran.stderr);
      assert.match(ran.stderr, said);
      assert.doesNotMatch(ran.stderr, /\n\s+at /);
    });
  }

  test('a page of somebody else is no result', async () => {
    const web = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/html' }).end('hi'));
    });
    await once(web.listen(0, '127.0.0.1'), 'listening');
    const BINDERY_URL = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    try {
      for (const args of [
        ['general', 'rotate-pdf', TWO_PAGES, '-o', 'out.pdf'],
        ['analysis', 'page-count', TWO_PAGES],
        ['analysis', 'page-count', TWO_PAGES, '-o', 'out.json'],
      ]) {
        const child = spawn(BIN, args, { cwd: folder, env: { ...environment(), BINDERY_URL } });
        let said = '';
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
        const [status] = await once(child, 'close');
        assert.equal(status, 1, args.join(' '));
        assert.match(said, /reason: bad_response\ncode: bad_response\nhint: /);
      }
      assert.deepEqual(readdirSync(folder), []);
    } finally {
      web.closeAllConnections();
      web.close();
    }
  });

  test('Ctrl-C ends it with 130 and leaves no file', async () => {
    const child = spawn(BIN, ['general', 'rotate-pdf', '-', '-o', 'never.pdf'], {
      cwd: folder,
      env: environment(),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin?.write('%PDF-1.4');
    await new Promise((wait) => setTimeout(wait, 1500));
    child.kill('SIGINT');
    child.stdin?.destroy();
    const code = await new Promise((done) => child.on('exit', done));
    assert.equal(code, 130);
    assert.deepEqual(readdirSync(folder), []);
  });
});

describe('on a terminal', { skip: NO_TERMINAL }, () => {
  test('many files show how far they are, and the line is gone at the end', () => {
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) copyFileSync(TWO_PAGES, join(folder, name));
    const { status, seen } = onTerminal(`"${BIN}" general rotate-pdf *.pdf -o out`);
    assert.equal(status, 0, seen);
    assert.match(seen, /[|/\\-] \[#*\.*\] +\d+% \d+ s {2}[abc]\.pdf/);
    // Whatever was drawn is gone before a line is written.
    for (const name of ['a', 'b', 'c'])
      assert.ok(seen.includes(`\r\u001b[Kout/${name}_rotated.pdf\r\n`), JSON.stringify(seen));
    assert.equal(readdirSync(join(folder, 'out')).length, 3);
  });

  test('a document is not written to it', () => {
    const { status, seen } = onTerminal(`"${BIN}" general rotate-pdf "${TWO_PAGES}" -o -`);
    assert.equal(status, 2, seen);
    assert.match(seen, /does not belong on a terminal/);
  });

  test('one file shows how long it takes; quiet is quiet, and so are CI and NO_COLOR', () => {
    const call = `"${BIN}" general rotate-pdf "${TWO_PAGES}" --force -o q.pdf`;
    assert.match(onTerminal(call).seen, /^\r\u001b\[K\| 0 s {2}.*\r\u001b\[Kq\.pdf\r\n$/s);
    assert.deepEqual(onTerminal(`${call} -q`), { status: 0, seen: '' });
    for (const setting of ['CI', 'NO_COLOR'])
      assert.deepEqual(onTerminal(`${setting}=1 ${call}`), { status: 0, seen: 'q.pdf\r\n' });
  });
});

test('a service of its own, for one call', () => {
  const { status, stdout, stderr } = bindery(['analysis', 'page-count', TWO_PAGES, '--local'], {
    env: { BINDERY_URL: '', BINDERY_API_KEY: '' },
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(JSON.parse(String(stdout)), { pageCount: 2 });
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => name.startsWith('bindery-local-')),
    [],
  );
});

test('what the service tells beside a result is told', () => {
  const terms = ['--list-of-text', 'page', '--list-of-text', 'nowhere'];
  const told = bindery(['auto-redact', TWO_PAGES, ...terms, '-o', 'r.pdf']);
  assert.equal(told.status, 0, told.stderr);
  assert.match(told.stderr, /^X-Redaction-Count: \d+\n/m);
  assert.match(told.stderr, /^r\.pdf\n$/m);
  const json = bindery(['auto-redact', TWO_PAGES, ...terms, '-o', 'j.pdf', '--json']);
  assert.match(JSON.parse(String(json.stdout)).headers['x-redaction-count'], /^\d+$/);
});

test('every help text has an example', () => {
  const words = ['', ...new Set(Object.keys(CATALOGUE).map((path) => path.split('/')[0] ?? ''))];
  const own = ['pipeline', 'batch', 'jobs', 'jobs wait', 'login', 'serve', 'keys', 'keys list', 'doctor'];
  for (const each of [
    ...words,
    ...own,
    'verify-report',
    'completion',
    'completion zsh',
    'add-stamp',
    'html/pdf',
  ])
    assert.match(
      String(bindery([...each.split(' ').filter(Boolean), '--help']).stdout),
      /\nExamples?:\n {2}\S/,
      each,
    );
});

test('every operation explains itself', () => {
  for (const group of new Set(Object.keys(CATALOGUE).map((path) => path.split('/')[0] ?? ''))) {
    const listed = String(bindery([group, '--help']).stdout);
    for (const path of Object.keys(CATALOGUE).filter((each) => each.startsWith(`${group}/`))) {
      assert.ok(listed.includes(`  ${path.slice(group.length + 1)} `), path);
    }
  }
  const { stdout } = bindery(['misc', 'add-stamp', '--help']);
  for (const { name } of CATALOGUE['misc/add-stamp']?.params ?? []) {
    assert.ok(
      String(stdout).includes(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
      name,
    );
  }
});

test('doctor tells what a running service has', () => {
  const { engines } = JSON.parse(String(bindery(['doctor', '--url', service.url, '--json']).stdout));
  assert.equal(engines.qpdf.available, true);
  assert.match(String(bindery(['doctor']).stdout), /ok +qpdf/);
});

test('shells learn its words', { skip: existsSync('/bin/bash') ? false : 'not installed: bash' }, () => {
  const ask = (line: string): string[] => {
    const words = line.split(' ');
    const script = `PATH="${join(ROOT, 'cli', 'bin')}:$PATH"; bindery() { bindery.cjs "$@"; }; eval "$(bindery completion bash)"
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _bindery; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', script], { env: environment(), encoding: 'utf8' })
      .stdout.trim()
      .split('\n');
  };
  assert.deepEqual(ask('bindery gen'), ['general']);
  assert.deepEqual(ask('bindery general rot'), ['rotate-pdf']);
  assert.deepEqual(ask('bindery general rotate-pdf a.pdf --page'), ['--page-numbers']);
  assert.deepEqual(ask('bindery misc add-stamp a.pdf --stamp-type im'), ['image']);
  assert.deepEqual(ask('bindery jobs result x --out'), ['--output']);
  // Paths where a path belongs, and nowhere else.
  const files = (line: string) => ask(line).some((word) => word.endsWith('two-pages.pdf'));
  const begun = fixture('text-two');
  assert.deepEqual(
    [
      `bindery rotate ${begun}`,
      `bindery rotate a.pdf -o ${begun}`,
      `bindery add-stamp a.pdf --stamp-image ${begun}`,
      `bindery pipeline ${begun}`,
      `bindery help ${begun}`,
      `bindery rotate a.pdf --angle ${begun}`,
      `bindery ${begun}`,
      `bindery jobs wait ${begun}`,
    ].map(files),
    [true, true, true, true, false, false, false, false],
  );
});

test('serve runs the service until it is told to end', async () => {
  const child = spawn(BIN, ['serve', '--port', '0', '--data-dir', join(folder, 'data')], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let seen = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    seen += text;
    if (/Engines:/.test(seen)) break;
  }
  assert.match(seen, /listens on http:\/\/127\.0\.0\.1:\d+\nAPI key: bdy_/);
  child.kill('SIGTERM');
  assert.equal(await new Promise((done) => child.on('exit', done)), 0);
});

describe('plain words', () => {
  test('an operation without its group, and without -pdf', () => {
    assert.equal(bindery(['merge', TWO_PAGES, TWO_PAGES, '-o', 'm.pdf']).status, 0);
    assert.equal(pagesOf(join(folder, 'm.pdf')), '4');
    const { stdout } = bindery(['page-count', 'm.pdf']);
    assert.deepEqual(JSON.parse(String(stdout)), { pageCount: 4 });
    const near = bindery(['rotat', TWO_PAGES]);
    assert.deepEqual(
      [near.status, near.stderr],
      [2, 'bindery: "rotat" is not a command; did you mean rotate? (see bindery --help)\n'],
    );
  });

  test('every verb means one operation, none hides a command or a group', () => {
    for (const [verb, path] of VERBS) assert.ok(Object.hasOwn(CATALOGUE, path), verb);
    for (const taken of [
      'pipeline',
      'keys',
      'serve',
      'doctor',
      'login',
      'help',
      'version',
      'convert',
      'form',
    ])
      assert.ok(!VERBS.has(taken), taken);
    const meant = ['merge', 'rotate', 'split', 'compress', 'ocr', 'redact', 'flatten', 'crop'].map((verb) =>
      VERBS.get(verb),
    );
    assert.deepEqual(meant, [
      'general/merge-pdfs',
      'general/rotate-pdf',
      'general/split-pages',
      'misc/compress-pdf',
      'misc/ocr-pdf',
      'security/redact',
      'misc/flatten',
      'general/crop',
    ]);
  });

  test('a flag may be followed by its value, several results need a folder, failures name the request', () => {
    const made = bindery(['merge', TWO_PAGES, '--generate-toc', 'false', '-o', 'one.pdf']);
    assert.equal(made.status, 0, made.stderr);
    const several = bindery(['rotate', TWO_PAGES, fixture('form-fields.pdf'), '-o', 'one-file.pdf']);
    assert.equal(several.status, 2);
    assert.match(several.stderr, /looks like one file/);
    const refused = bindery(['rotate', TWO_PAGES, '--angle', '45']);
    assert.match(
      refused.stderr,
      /\nhint: bindery help rotate tells what each option takes\.\nrequest id: [\w-]+\n/,
    );
    assert.match(String(bindery(['help', 'add-watermark']).stdout), / --convert-pdf-to-image /);
  });

  test('login keeps what works, for this user alone', () => {
    const env = { BINDERY_URL: '', BINDERY_API_KEY: '' };
    const wrong = bindery(['login', '--url', service.url], { env, input: Buffer.from('not-a-key-of-it\n') });
    assert.equal(wrong.status, 1);
    assert.ok(!existsSync(join(folder, 'config.json')));
    const kept = bindery(['login', '--url', service.url], { env, input: Buffer.from(`${service.key}\n`) });
    assert.equal(kept.status, 0, kept.stderr);
    assert.ok(!String(kept.stdout).includes(service.key));
    assert.equal(statSync(join(folder, 'config.json')).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(String(bindery(['page-count', TWO_PAGES], { env }).stdout)), {
      pageCount: 2,
    });
  });
});
