import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { LIMITS, MIB } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { Workspaces } from '../../../jobs/workspace.ts';
import { HeldBytes } from '../held-bytes.ts';
import { ClientGone } from './body.ts';
import { FORM_LIMITS, type ReadPart } from './form.ts';
import { readForm } from './read-form.ts';

// A server that reads one form and keeps what came of it, so that real sockets decide how bytes arrive.
type Outcome = { parts: ReadPart[] } | { error: unknown };
const outcomes: ((outcome: Outcome) => void)[] = [];
const dir = mkdtempSync(join(tmpdir(), 'bindery-form-'));
const workspaces = new Workspaces(join(dir, 'work'));
let server: Server;
let budget = new HeldBytes();
let maxBytes = 20 * MIB;
let lastWorkspace = workspaces.create();

before(async () => {
  server = createServer(async (request, response) => {
    const workspace = workspaces.create();
    lastWorkspace = workspace;
    try {
      const share = budget.share();
      const fileFields = new Set(['fileInput']);
      const isRead = (name: string) => !name.startsWith('unread');
      const options = { maxBytes, workspace, share, digest: true, fileFields, isRead };
      const parts = await readForm(request, options);
      outcomes.shift()?.({ parts });
    } catch (error) {
      outcomes.shift()?.({ error });
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Sent {
  type?: string;
  /** Sizes of the pieces the body is cut into; the last is repeated. */
  pieces?: number;
  chunked?: boolean;
  /** Bytes after which the client goes away. */
  breakAt?: number;
}

const pause = () => new Promise((resolve) => setImmediate(resolve));

async function send(body: string | Buffer, sent: Sent = {}): Promise<Outcome> {
  const { type = 'multipart/form-data; boundary=XX', pieces, chunked, breakAt } = sent;
  const bytes = Buffer.from(body as string);
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  socket.on('error', () => {});
  const outcome = new Promise<Outcome>((resolve) => outcomes.push(resolve));
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`);
  const step = pieces ?? Math.max(1, bytes.length);
  for (let at = 0; at < Math.min(bytes.length, breakAt ?? bytes.length); at += step) {
    const piece = bytes.subarray(at, at + step);
    socket.write(
      chunked
        ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
        : piece,
    );
    if (pieces) await pause();
  }
  if (chunked) socket.write('0\r\n\r\n');
  if (breakAt !== undefined) socket.destroy();
  const result = await outcome;
  socket.destroy();
  return result;
}

const field = (name: string, value: string, more = '') =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const END = '--XX--\r\n';

async function sendParts(body: string | Buffer, sent?: Sent): Promise<ReadPart[]> {
  const outcome = await send(body, sent);
  if ('error' in outcome) throw outcome.error;
  return outcome.parts;
}

async function refusal(body: string | Buffer, sent?: Sent): Promise<Problem> {
  const outcome = await send(body, sent);
  assert.ok('error' in outcome, 'the form was accepted');
  assert.ok(outcome.error instanceof Problem, String(outcome.error));
  return outcome.error;
}

function contentOf({ part }: ReadPart): Buffer {
  assert.ok('file' in part);
  const { content } = part.file;
  return 'chunks' in content ? Buffer.concat(content.chunks) : readFileSync(lastWorkspace.path(content.file));
}

test('fields and files arrive in the order sent, with names, bytes and digests', async () => {
  const bytes = randomBytes(5000);
  const body = Buffer.concat([
    Buffer.from(field('angle', '90')),
    Buffer.from(
      '--XX\r\nContent-Disposition: form-data; name="fileInput"; filename="a b.pdf"\r\nContent-Type: application/pdf\r\n\r\n',
    ),
    bytes,
    Buffer.from(`\r\n${field('file@upload', ' up_1 ')}${END}`),
  ]);
  const parts = await sendParts(body);
  assert.deepEqual(parts[0], { part: { field: 'angle', text: '90' } });
  assert.ok(parts[1] && contentOf(parts[1]).equals(bytes));
  assert.equal(parts[1].sha256, createHash('sha256').update(bytes).digest('hex'));
  assert.ok('file' in parts[1].part && parts[1].part.file.name === 'a b.pdf');
  assert.deepEqual(parts[2], { part: { field: 'file', uploadId: 'up_1' } });
});

test('the boundary is found wherever the bytes are cut', async () => {
  const tricky = Buffer.from('\r\n--X\r\n-\r\n--XX\u0000no\r\n--XY--\r\n'.replace('--XX\u0000', '--X\u0000'));
  const body = Buffer.concat([
    Buffer.from(field('a', 'one')),
    Buffer.from('--XX\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'),
    tricky,
    Buffer.from(`\r\n${field('b', 'two')}${END}`),
  ]);
  for (const pieces of [1, 2, 3, 5, 7, 64]) {
    const parts = await sendParts(body, { pieces, chunked: pieces % 2 === 0 });
    assert.deepEqual(
      parts.map(({ part }) => part.field),
      ['a', 'f', 'b'],
      `pieces of ${pieces}`,
    );
    assert.ok(parts[1] && contentOf(parts[1]).equals(tricky), `pieces of ${pieces}`);
  }
});

test('a large file goes to the workspace and comes back whole', async () => {
  const bytes = randomBytes(LIMITS.spoolBytes * 5 + 123);
  const head = Buffer.from('--XX\r\nContent-Disposition: form-data; name="f"; filename="big.bin"\r\n\r\n');
  const parts = await sendParts(Buffer.concat([head, bytes, Buffer.from(`\r\n${END}`)]));
  assert.ok(parts[0] && 'file' in parts[0].part && 'file' in parts[0].part.file.content);
  assert.equal(parts[0].part.file.size, bytes.length);
  assert.ok(contentOf(parts[0]).equals(bytes));
  assert.equal(parts[0].sha256, createHash('sha256').update(bytes).digest('hex'));
});

test('with the memory budget used up, a small file goes to disk and JSON stays readable', async () => {
  budget = new HeldBytes({ spooled: 0 });
  try {
    const body =
      field('f', 'small', '; filename="s.txt"') +
      field('steps', '[]', '; filename="steps.json"\r\nContent-Type: application/json') +
      END;
    const parts = await sendParts(body);
    assert.ok(parts[0] && 'file' in parts[0].part && 'file' in parts[0].part.file.content);
    assert.equal(contentOf(parts[0]).toString(), 'small');
    assert.ok(parts[1] && 'file' in parts[1].part && 'chunks' in parts[1].part.file.content);
  } finally {
    budget = new HeldBytes();
  }
});

test('a file that would take more room than there is for all of them is refused as it comes', async () => {
  budget = new HeldBytes({ brought: 20 });
  try {
    await sendParts(field('f', 'small', '; filename="s.txt"') + END);
    const body = field('f', 'x'.repeat(11), '; filename="s.txt"') + END;
    await assert.rejects(sendParts(body), { reason: 'insufficient_storage' });
  } finally {
    budget = new HeldBytes();
  }
});

test('what is text and what is a file', async () => {
  const typed = (name: string, type: string) => field(name, 'v', `\r\nContent-Type: ${type}`);
  const body =
    typed('json', 'application/json') +
    typed('pdf', 'application/pdf') +
    field('named', 'v', '; filename="a.json"\r\nContent-Type: application/json') +
    field('absent', '', '; filename=""\r\nContent-Type: application/octet-stream') +
    field('empty', '', '; filename="empty.pdf"') +
    END;
  const parts = await sendParts(body);
  assert.deepEqual(
    parts.map(({ part }) => `${part.field}:${'text' in part ? 'text' : 'file'}`),
    ['json:text', 'pdf:file', 'named:file', 'empty:file'],
  );
});

test('a bare part under the name of a file field is the file, unless it is a word', async () => {
  const pdf = readFileSync(new URL('../../../../../fixtures/text-two-pages.pdf', import.meta.url));
  const head = '--XX\r\nContent-Disposition: form-data; name="fileInput"\r\n\r\n';
  const parts = await sendParts(
    Buffer.concat([
      Buffer.from(head),
      pdf,
      Buffer.from(
        `\r\n${field('fileInput', 'a.pdf')}${field('fileInput', '')}${field('other', 'a\nb')}${END}`,
      ),
    ]),
  );
  assert.deepEqual(
    parts.map(({ part }) => ('text' in part ? part.text : 'file' in part ? part.file.size : part)),
    [pdf.length, 'a.pdf', 'a\nb'],
  );
  assert.ok(parts[0] && contentOf(parts[0]).equals(pdf));
});

const NAMES: [string, string][] = [
  ['filename="résumé.pdf"', 'résumé.pdf'],
  ['filename="a\\"b.pdf"', 'a"b.pdf'],
  ['filename="C:\\docs\\a.pdf"', 'C:\\docs\\a.pdf'],
  ['filename=plain.pdf', 'plain.pdf'],
  ["filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf", '日本.pdf'],
  ['filename="fallback.pdf"; filename*=UTF-8\'\'na%C3%AFve.pdf', 'naïve.pdf'],
  ['filename="kept.pdf"; filename*=KOI8\'\'%FF', 'kept.pdf'],
  [`filename="${'n'.repeat(5000)}.pdf"`, `${'n'.repeat(5000)}.pdf`],
];
for (const [header, name] of NAMES) {
  test(`the name of ${header.slice(0, 60)} is read`, async () => {
    const parts = await sendParts(`${field('f', 'x', `; ${header}`)}${END}`);
    assert.ok(parts[0] && 'file' in parts[0].part);
    assert.equal(parts[0].part.file.name, name);
  });
}

test('text is UTF-8 unless the part says otherwise', async () => {
  const latin1 = Buffer.concat([
    Buffer.from(
      '--XX\r\nContent-Disposition: form-data; name="t"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\n',
    ),
    Buffer.from('caf\u00e9', 'latin1'),
    Buffer.from(`\r\n${END}`),
  ]);
  assert.deepEqual(await sendParts(latin1), [{ part: { field: 't', text: 'café' } }]);
  const broken = Buffer.concat([
    Buffer.from('--XX\r\nContent-Disposition: form-data; name="t"\r\n\r\n'),
    Buffer.from([0x63, 0xff, 0xfe]),
    Buffer.from(`\r\n${END}`),
  ]);
  const problem = await refusal(broken);
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /^t /);
});

test('text that nobody reads is not kept, but tells requests apart', async () => {
  const long = 'x'.repeat(FORM_LIMITS.textBytes + 1);
  const read = async (value: string) => sendParts(field('unread', value) + field('a', '1') + END);
  const [unread, kept] = await read(long);
  assert.deepEqual(unread?.part, { field: 'unread', text: '' });
  assert.deepEqual(kept?.part, { field: 'a', text: '1' });
  assert.notEqual((await read(`${long}y`))[0]?.sha256, unread?.sha256);
  const encoded = await sendParts(`unread=${'x'.repeat(FORM_LIMITS.fieldBytes + 1)}&a=1`, {
    type: 'application/x-www-form-urlencoded',
  });
  assert.equal(encoded.length, 2);
});

test('urlencoded forms are read too', async () => {
  const type = 'application/x-www-form-urlencoded';
  const parts = await sendParts('urlInput=https%3A%2F%2Fa.example%2F%3Fx%3D1&t=a+b%C3%A9&f@upload=id', {
    type,
    pieces: 4,
  });
  assert.deepEqual(
    parts.map(({ part }) => part),
    [
      { field: 'urlInput', text: 'https://a.example/?x=1' },
      { field: 't', text: 'a bé' },
      { field: 'f', uploadId: 'id' },
    ],
  );
});

test('urlencoded forms are decoded as the platform decodes them', async () => {
  for (const body of [
    'a=%&b=%4&c=%zz&d=%e2%82%ac&e=%ff&f=1=2&g&h=%2B+%2b',
    'é=ü%C3%A9+&%61=%F0%9F%98%80',
    '&&a=1&&b=&',
  ])
    assert.deepEqual(
      (await sendParts(body, { type: 'application/x-www-form-urlencoded' })).map(({ part }) => part),
      [...new URLSearchParams(body)].map(([field, text]) => ({ field, text })),
    );
});

test('text and bodies for which there is no room are refused for the moment', async () => {
  budget = new HeldBytes({ held: 1000 });
  try {
    const form = field('a', 'x'.repeat(2000)) + END;
    for (const [body, type] of [
      [form, undefined],
      [`a=${'x'.repeat(2000)}`, 'application/x-www-form-urlencoded'],
    ] as const) {
      const problem = await refusal(body, type === undefined ? {} : { type });
      assert.equal(problem.reason, 'unavailable');
      assert.equal(problem.options.retryAfterSeconds, 2);
      assert.equal(budget.takenBytes, 0);
    }
  } finally {
    budget = new HeldBytes();
  }
});

test('an epilogue and a preamble are ignored', async () => {
  const parts = await sendParts(`preamble\r\n${field('a', '1')}${END}epilogue `.padEnd(200_000, '.'), {
    pieces: 50_000,
  });
  assert.deepEqual(parts, [{ part: { field: 'a', text: '1' } }]);
});

test('a form without parts has none', async () => {
  assert.deepEqual(await sendParts(END), []);
});

const many = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_none, n) => part(n)).join('') + END;

const REFUSED: Record<string, [body: string, reason: string, detail: RegExp, sent?: Sent]> = {
  'no body at all': ['', 'bad_request', /closing boundary/],
  'no closing boundary': [field('a', '1'), 'bad_request', /closing boundary/],
  'a file cut off': [
    '--XX\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\nabc',
    'bad_request',
    /closing boundary/,
  ],
  'headers that never end': [
    '--XX\r\nContent-Disposition: form-data; name="f"\r\n--XX--\r\n',
    'bad_request',
    /complete headers/,
  ],
  'another boundary than declared': [
    `${field('a', '1')}${END}`.replaceAll('XX', 'YY'),
    'bad_request',
    /closing boundary/,
  ],
  'a part without a disposition': [
    `--XX\r\nContent-Type: text/plain\r\n\r\nx\r\n${END}`,
    'bad_request',
    /Content-Disposition/,
  ],
  'blanks after a boundary': [
    `--XX  \r\n${field('a', '1').slice('--XX\r\n'.length)}${END}`,
    'bad_request',
    /line after the boundary/,
  ],
  'headers beyond their bounds': [
    `--XX\r\nX-Long: ${'x'.repeat(70_000)}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n${END}`,
    'bad_request',
    /at most 16384 bytes/,
  ],
  'a part without a name': [
    `--XX\r\nContent-Disposition: form-data\r\n\r\nx\r\n${END}`,
    'bad_request',
    /no name/,
  ],
  'a huge field name': [
    field('n'.repeat(FORM_LIMITS.nameBytes + 1), 'x') + END,
    'bad_request',
    /longer than 1024/,
  ],
  'a field name beyond all headers': [
    field('n'.repeat(40_000), 'x') + END,
    'bad_request',
    /name|Content-Disposition/,
  ],
  'a huge field': [field('big', 'x'.repeat(FORM_LIMITS.fieldBytes + 1)) + END, 'invalid_parameter', /^big /],
  'too much text': [many(5, (n) => field(`f${n}`, 'x'.repeat(900_000))), 'bad_request', /together/],
  'too many fields': [many(FORM_LIMITS.fields + 1, () => field('a', '')), 'bad_request', /10000 fields/],
  'too many files': [
    many(LIMITS.filesPerRequest + 1, () => field('f', 'x', '; filename="x"')),
    'bad_request',
    /500 files/,
  ],
  'an encoded part': [
    field('a', 'eA==', '\r\nContent-Transfer-Encoding: base64') + END,
    'bad_request',
    /Transfer-Encoding/,
  ],
  'no boundary parameter': [END, 'bad_request', /boundary parameter/, { type: 'multipart/form-data' }],
  'another content type': ['{}', 'bad_request', /multipart\/form-data/, { type: 'application/json' }],
  'urlencoded text beyond all bounds': [
    `a=${'x'.repeat(FORM_LIMITS.textBytes)}`,
    'payload_too_large',
    /larger/,
    { type: 'application/x-www-form-urlencoded' },
  ],
};
for (const [what, [body, reason, detail, sent]] of Object.entries(REFUSED)) {
  for (const pieces of [undefined, 65_536]) {
    test(`${what} is refused${pieces ? ', cut in pieces' : ''}`, async () => {
      const problem = await refusal(body, { ...sent, ...(pieces ? { pieces } : {}) });
      assert.equal(problem.reason, reason);
      assert.match(problem.detail, detail);
    });
  }
}

test('a chunked body over the limit is refused while it comes', async () => {
  maxBytes = 100_000;
  try {
    const body = field('f', 'x'.repeat(300_000), '; filename="x"') + END;
    assert.equal((await refusal(body, { chunked: true, pieces: 40_000 })).reason, 'payload_too_large');
  } finally {
    maxBytes = 20 * MIB;
  }
});

test('a client that goes away midway ends the reading, and no file stays open', async () => {
  const body = field('f', 'x'.repeat(LIMITS.spoolBytes * 3), '; filename="x"') + END;
  const outcome = await send(body, { pieces: 60_000, breakAt: LIMITS.spoolBytes * 2 });
  assert.ok('error' in outcome && outcome.error instanceof ClientGone);
  await lastWorkspace.remove();
  await pause();
  assert.deepEqual(
    readdirSync(join(dir, 'work', 'incoming')).filter((name) => name === lastWorkspace.id),
    [],
  );
});
