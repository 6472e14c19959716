import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { openAsBlob, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { API_KEY, problemOf, type RunningService, startService } from '../service.ts';

// An answer given before the body is read must reach the caller, not a broken connection.
let service: RunningService;
let big: string;
before(async () => {
  service = await startService({
    env: { BINDERY_MAX_REQUEST_BYTES: '10000000', BINDERY_UPLOAD_CHUNK_BYTES: '1000000' },
  });
  big = join(service.dataDir, 'big.bin');
  writeFileSync(big, '');
  truncateSync(big, 60_000_000);
});
after(() => service.remove());

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const ROTATE = '/api/v1/general/rotate-pdf';

const CASES: [what: string, key: string, path: string, status: number][] = [
  ['a body over the limit', API_KEY, ROTATE, 413],
  ['a wrong key', 'wrong-key', ROTATE, 401],
  ['an unknown path', API_KEY, '/api/v1/general/nothing', 404],
];

for (const [what, key, path, status] of CASES) {
  test(`fetch sees ${status} for ${what}, and the connection serves on`, async () => {
    for (let n = 0; n < 3; n += 1) {
      const body = new FormData();
      body.append('fileInput', await openAsBlob(big), 'big.bin');
      const response = await service.fetch(path, { method: 'POST', body, headers: { 'x-api-key': key } });
      assert.equal(response.status, status);
      assert.notEqual(response.headers.get('connection'), 'close');
      assert.equal((await problemOf(response)).status, status);
    }
    assert.equal((await service.fetch('/api/v1/info/status')).status, 200);
  });

  test(`curl sees ${status} for ${what}`, { skip: !has('curl') && 'not installed: curl' }, () => {
    for (const more of [[], ['-H', 'Transfer-Encoding: chunked'], ['-H', 'Expect:']]) {
      const args = [
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-H',
        `X-API-KEY: ${key}`,
        '-F',
        `fileInput=@${big}`,
      ];
      const seen = execFileSync('curl', [...args, ...more, `${service.url}${path}`], { encoding: 'utf8' });
      assert.equal(seen, String(status), more.join(' '));
    }
  });

  test(`Python sees ${status} for ${what}`, { skip: !has('python3') && 'not installed: python3' }, () => {
    const program = `
import http.client, sys
host, path, key, file = sys.argv[1:]
for chunked in (False, True):
    connection = http.client.HTTPConnection(host)
    head = b'--XX\\r\\nContent-Disposition: form-data; name="fileInput"; filename="x"\\r\\n\\r\\n'
    whole = head + open(file, 'rb').read() + b'\\r\\n--XX--\\r\\n'
    headers = {'X-API-KEY': key, 'Content-Type': 'multipart/form-data; boundary=XX'}
    if chunked:
        headers['Transfer-Encoding'] = 'chunked'
    body = (whole[i:i + 65536] for i in range(0, len(whole), 65536)) if chunked else whole
    connection.request('POST', path, body, headers, encode_chunked=chunked)
    print(connection.getresponse().status, end=' ')
`;
    const args = ['-c', program, new URL(service.url).host, path, key, big];
    assert.equal(execFileSync('python3', args, { encoding: 'utf8' }), `${status} ${status} `);
  });

  for (const [version, header] of [
    ['1.1', 'Connection: close\r\n'],
    ['1.0', ''],
  ] as const) {
    test(`who sends all before reading, HTTP/${version} without keep-alive, sees ${status} for ${what}`, async () => {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname).pause();
      const form = `Content-Type: multipart/form-data; boundary=XX\r\nContent-Length: 60000000\r\n`;
      socket.write(
        `POST ${path} HTTP/${version}\r\nHost: localhost\r\nX-API-KEY: ${key}\r\n${header}${form}\r\n`,
      );
      const piece = Buffer.alloc(1_000_000);
      for (let sent = 0; sent < 60; sent += 1) {
        await new Promise<void>((written, broken) =>
          socket.write(piece, (error) => (error ? broken(error) : written())),
        );
      }
      const answer = (await socket.setEncoding('utf8').toArray()).join('');
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} [^]*"status":${status},`));
    });
  }
}

test('413 names the way out', async () => {
  const body = new FormData();
  body.append('fileInput', await openAsBlob(big), 'big.bin');
  const problem = await problemOf(await service.fetch(ROTATE, { method: 'POST', body }));
  assert.equal(problem.reason, 'payload_too_large');
  assert.match(problem.detail, /10000000/);
  assert.match(problem.hint, /uploads/);
});
