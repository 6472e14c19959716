import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Boundaries, type RawHeaders } from './boundaries.ts';

interface Seen {
  parts: { headers: RawHeaders; data: string; isWhole: boolean }[];
  broken: number;
  isOver: boolean;
}

/** Reads a body that comes in pieces of these sizes, the last of them repeated. */
const read = (body: string, ...sizes: number[]): Seen => readWith('XX', body, sizes);

function readWith(boundary: string, body: string, sizes: readonly number[]): Seen {
  const seen: Seen = { parts: [], broken: 0, isOver: false };
  const boundaries = new Boundaries(
    boundary,
    { headerBytes: 100, headerPairs: 3 },
    {
      begin: (headers) => void seen.parts.push({ headers, data: '', isWhole: false }),
      data: (bytes) => {
        const part = seen.parts.at(-1);
        assert.ok(part && !part.isWhole && bytes.length > 0);
        part.data += bytes.toString('latin1');
      },
      end: () => {
        const part = seen.parts.at(-1);
        assert.ok(part && !part.isWhole);
        part.isWhole = true;
      },
      broken: () => {
        seen.broken += 1;
      },
    },
  );
  const bytes = Buffer.from(body, 'latin1');
  for (let at = 0, turn = 0; at < bytes.length && !boundaries.isOver; turn += 1) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? bytes.length;
    boundaries.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { ...seen, isOver: boundaries.isOver };
}

/** What looks like a delimiter, as far as it goes. */
const NEARLY = [
  '\r',
  '\n',
  '\r\n',
  '\r\n-',
  '\r\n--',
  '\r\n--X',
  '\r\r\n--X\r',
  '--XX',
  '\n--XX',
  'XX',
  '-',
  'data',
];

test('every data comes through, wherever it is cut', () => {
  let state = 88172645;
  const random = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  for (let turn = 0; turn < 6000; turn += 1) {
    const boundary = turn % 3 === 0 ? 'XX' : 'XXX-XX--X';
    const wanted = Array.from({ length: random(4) }, () =>
      Array.from({ length: random(6) }, () => NEARLY[random(NEARLY.length)]).join(''),
    ).filter((data) => !`\r\n${data}`.includes(`\r\n--${boundary}`));
    const preamble = random(3) === 0 ? 'preamble\r\n' : '';
    const parts = wanted.map((data, index) => `--${boundary}\r\nA: ${index}\r\n\r\n${data}\r\n`).join('');
    const body = `${preamble}${parts}--${boundary}--\r\nepilogue\r\n--${boundary}\r\n\r\n`;
    const sizes = Array.from({ length: 40 }, () => 1 + random(turn % 2 === 0 ? 4 : 40));
    const seen = readWith(boundary, body, sizes);
    assert.deepEqual(
      seen.parts.map(({ data, headers, isWhole }) => [data, headers.a?.[0], isWhole]),
      wanted.map((data, index) => [data, String(index), true]),
      JSON.stringify({ body, sizes }),
    );
    assert.ok(seen.isOver && seen.broken === 0);
  }
});

test('parts without complete headers are told of', () => {
  for (const body of ['--XX\r\n--XX--', '--XX\r\nA: b\r\n--XX--', '--XX-\r\n--XX--', '--XX--XX\r\n--XX--'])
    for (const size of [1, 2, 100]) {
      const { broken, isOver, parts } = read(body, size);
      assert.ok(isOver && parts.length === 0, body);
      // Two dashes end the body, whatever follows them.
      assert.equal(broken, body.startsWith('--XX--') ? 0 : 1, body);
    }
});

test('a body without its closing boundary is not over', () => {
  for (const body of [
    '',
    'text',
    '--X',
    '--XX\r\nA: b\r\n\r\ndata',
    '--XX\r\nA: b\r\n\r\ndata\r\n--XX',
    'a--XX--',
  ])
    assert.ok(!read(body, 3).isOver, body);
});

test('headers are read as far as they are some, and within bounds', () => {
  const headersOf = (text: string, ...sizes: number[]): RawHeaders | undefined =>
    read(`--XX\r\n${text}\r\n\r\ndata\r\n--XX--`, ...sizes).parts[0]?.headers;
  for (const size of [1, 3, 1000]) {
    assert.deepEqual({ ...headersOf('A: b\r\nC:d\r\na:  e', size) }, { a: ['b', ' e'], c: ['d'] });
    assert.deepEqual({ ...headersOf('A: b\r\n\tc\r\n d', size) }, { a: ['b\tc d'] });
    assert.deepEqual({ ...headersOf('A: b\r\nno header\r\nC: d', size) }, { a: ['b'] });
    assert.deepEqual({ ...headersOf('A: b\nC: d', size) }, {});
    assert.deepEqual(
      { ...headersOf('A: 1\r\nB: 2\r\nC: 3\r\nD: 4', size) },
      { a: ['1'], b: ['2'], c: ['3'] },
    );
    assert.deepEqual({ ...headersOf('__proto__: b', size) }, { ['__proto__']: ['b'] });
    const long = headersOf(`A: b\r\nL: ${'x'.repeat(5000)}\r\nC: d`, size);
    assert.deepEqual(long?.a, ['b']);
    assert.ok((long?.l?.[0]?.length ?? 0) < 100 && long?.c === undefined);
  }
});

test('megabytes of what looks like a delimiter take no longer than others', () => {
  for (const trap of [
    '\r',
    '\r\n',
    '\r\n--',
    '\r\n--X',
    '\r\n--X\r\n--',
    '\r\n--long',
    '\r\n--long-nearly',
  ]) {
    const body = `--long-nearly-all\r\nA: b\r\n\r\n${trap.repeat(4_000_000 / trap.length)}`;
    const started = process.cpuUsage();
    readWith('long-nearly-all', body, [65_536]);
    const { user } = process.cpuUsage(started);
    assert.ok(user < 1_500_000, `${JSON.stringify(trap)} took ${user / 1000} ms`);
  }
});
