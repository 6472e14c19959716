import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { absent, IS_ROOT, inside, mine, nobodys } from '../../testing/isolation/inside.ts';
import { LIMITS, MIB } from '../contract/limits.ts';
import { chooseIsolation, ISOLATION_LEVELS, isolatedNode, NODE_DATA_BYTES } from './isolation.ts';

const FENCED = ISOLATION_LEVELS.filter((level) => level !== 'none');

const run = promisify(execFile);

const READ_ALL = `
  const reads = {};
  for (const [name, path] of Object.entries(given)) {
    try { reads[name] = fs.readFileSync(path).length > 0 ? 'read' : 'empty'; } catch (error) { reads[name] = error.code; }
  }
  say(reads);`;

for (const isolation of ISOLATION_LEVELS) {
  test(`${isolation}: Node runs and its own directory can be written`, async (t) => {
    const why = await absent(isolation);
    if (why) return t.skip(why);
    const said = await inside(
      isolation,
      'fs.writeFileSync(given, "x"); say([process.version, process.cwd()]);',
      join(mine.ownDir, 'made'),
    );
    assert.deepEqual(said, [process.version, mine.ownDir]);
    assert.equal(readFileSync(join(mine.ownDir, 'made'), 'utf8'), 'x');
    rmSync(join(mine.ownDir, 'made'));
  });

  test(`${isolation}: memory is bounded for buffers and WebAssembly alike`, async (t) => {
    const why = await absent(isolation);
    if (why) return t.skip(why);
    const script = `
      const taken = [];
      let buffers = 'all';
      try { for (let i = 0; i < 20; i += 1) taken.push(Buffer.alloc(50 * 1048576, 1)); } catch (error) { buffers = error.name; }
      const count = taken.length;
      taken.length = 0;
      let wasm = 'all';
      try { new Uint8Array(new WebAssembly.Memory({ initial: 16384 }).buffer).fill(1); } catch (error) { wasm = error.name; }
      say({ buffers, count, wasm });`;
    const said = (await inside(isolation, script, null, {
      memoryBytes: NODE_DATA_BYTES + 400 * MIB,
    })) as Record<string, unknown>;
    assert.equal(said.buffers, 'RangeError');
    assert.ok(
      Number(said.count) >= 6 && Number(said.count) <= 12,
      `${said.count} buffers of 50 MiB with room for 400 MiB`,
    );
    assert.equal(said.wasm, 'RangeError');
  });

  test(`${isolation}: no file grows beyond the largest result`, async (t) => {
    const why = await absent(isolation);
    if (why) return t.skip(why);
    const script = `
      const file = fs.openSync(given.path, 'w');
      fs.ftruncateSync(file, given.allowed);
      try { fs.ftruncateSync(file, given.allowed + 2 * 1048576); say('grew'); } catch (error) { say(error.code); } finally { fs.unlinkSync(given.path); }`;
    assert.equal(
      await inside(isolation, script, { path: join(mine.ownDir, 'large'), allowed: LIMITS.resultBytes }),
      'EFBIG',
    );
  });

  test(`${isolation}: ends with the process that started it, also when stopped`, async (t) => {
    const why =
      (await absent(isolation)) ||
      (isolation === 'none' && !existsSync('/usr/bin/setpriv') && 'not installed: setpriv');
    if (why) return t.skip(why);
    const marker = `isolation-test-${process.pid}-${isolation}`;
    const command = isolatedNode(isolation, {
      args: ['-e', 'process.kill(process.pid, "SIGSTOP"); setInterval(() => {}, 1000)', marker],
      hiddenDir: mine.data,
      ownDir: mine.ownDir,
      memoryBytes: 1024 * MIB,
    });
    const parent = spawn(process.execPath, [
      '-e',
      'const { program, args } = JSON.parse(process.argv[1]); require("node:child_process").spawn(program, args, { detached: true, stdio: "ignore" }); setInterval(() => {}, 1000)',
      JSON.stringify(command),
    ]);
    try {
      await until(() => stoppedNodes(marker).length === 1);
    } finally {
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    }
    await until(() => processesWith(marker).length === 0);
  });
}

for (const isolation of FENCED) {
  test(`${isolation}: there is no network, not even the loopback of the host`, async (t) => {
    const why = await absent(isolation);
    if (why) return t.skip(why);
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const script = `
      const socket = require('node:net').connect(given, '127.0.0.1');
      socket.on('connect', () => say('connected')).on('error', (error) => say(error.code));`;
    try {
      assert.equal(await inside('none', script, port), 'connected');
      assert.match(String(await inside(isolation, script, port)), /^EAFNOSUPPORT$/);
    } finally {
      server.close();
    }
  });
}

for (const isolation of FENCED)
  for (const unprivileged of [false, true]) {
    const who = unprivileged ? 'an unprivileged user' : 'this user';
    const why = async () =>
      (await absent(isolation)) || (unprivileged && !IS_ROOT && 'only root can become another user');

    test(`${isolation}: nothing outside can be read, started by ${who}`, async (t) => {
      const reason = await why();
      if (reason) return t.skip(reason);
      const { data, secrets } = unprivileged ? nobodys : mine;
      const found = (await inside(isolation, READ_ALL, secrets, { unprivileged })) as Record<string, string>;
      for (const [name, what] of Object.entries(found)) assert.match(what, /^E(NOENT|ACCES)$/, name);
      const seen = (await inside(
        isolation,
        'const list = (path) => { try { return fs.readdirSync(path); } catch { return []; } }; say(given.map(list));',
        [homedir(), data, join(data, 'work')],
        { unprivileged },
      )) as string[][];
      // Only what leads to the code or to the worker's own directories.
      assert.deepEqual(
        seen[0]?.filter(
          (name) =>
            !process.execPath.startsWith(join(homedir(), name)) &&
            !import.meta.filename.startsWith(join(homedir(), name)),
        ),
        [],
      );
      const led = isolation === 'landlock' ? [[], []] : [['work'], ['inputs-1', 'worker-1']];
      assert.deepEqual(
        seen.slice(1).map((names) => names.toSorted()),
        led,
      );
    });

    test(`${isolation}: neither rights nor ways to write elsewhere are left, started by ${who}`, async (t) => {
      const reason = await why();
      if (reason) return t.skip(reason);
      const { inputDir } = unprivileged ? nobodys : mine;
      const script = `
        const caps = /CapEff:\\s*(\\w+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1];
        say({ caps, writes: given.map((path) => tried(() => fs.writeFileSync(path, 'x'))) });`;
      const places = [
        '/usr/bin/bindery-isolation-test',
        import.meta.filename,
        process.execPath,
        '/proc/sys/vm/drop_caches',
        '/bindery-isolation-test',
        '/dev/bindery-isolation-test',
        join(inputDir, 'in-1'),
        join(inputDir, 'in-2'),
      ];
      const said = (await inside(isolation, script, places, { unprivileged })) as {
        caps: string;
        writes: string[];
      };
      assert.equal(Number.parseInt(said.caps, 16), 0);
      for (const [index, write] of said.writes.entries())
        assert.match(write, /^E(ROFS|ACCES|TXTBSY|PERM)$/, places[index]);
      assert.equal(readFileSync(join(inputDir, 'in-1'), 'utf8'), 'secret');
    });
  }

for (const isolation of ['bwrap', 'bwrap-landlock'] as const)
  test(`${isolation}: folders in memory have an end, and so have processes`, async (t) => {
    const why = await absent(isolation);
    if (why) return t.skip(why);
    const script = `
      const piece = Buffer.alloc(16 * 1048576, 1);
      const filled = given.map((folder) => {
        const file = fs.openSync(folder + '/large', 'w');
        const end = tried(() => { for (let i = 0; i < 17; i += 1) fs.writeSync(file, piece); });
        const { size } = fs.fstatSync(file);
        fs.unlinkSync(folder + '/large');
        fs.closeSync(file);
        return size < 272 * 1048576 ? 'ended' : end;
      });
      say({ filled, limits: /Max processes +(\\d+)/.exec(fs.readFileSync('/proc/self/limits', 'utf8'))[1] });`;
    assert.deepEqual(await inside(isolation, script, ['/tmp', '/dev/shm']), {
      filled: ['ended', 'ended'],
      limits: '1024',
    });
  });

test('bwrap: a data folder around the code, inside it, or reached by a link hides data, not code', async (t) => {
  const why = await absent('bwrap');
  if (why) return t.skip(why);
  const inCode = mkdtempSync(join(import.meta.dirname, '..', '..', 'isolation-test-'));
  try {
    const own = join(inCode, 'worker-1');
    mkdirSync(own);
    writeFileSync(join(inCode, 'keys.sqlite'), 'secret');
    const project = join(import.meta.dirname, '../../..');
    const link = join(mine.data, 'link');
    symlinkSync(inCode, link);
    for (const hiddenDir of [inCode, link, project]) {
      const { program, args } = isolatedNode('bwrap', {
        args: [
          '-e',
          'const { existsSync } = require("node:fs"); console.log(process.argv.slice(1).map((path) => existsSync(path)).join())',
          join(inCode, 'keys.sqlite'),
          import.meta.filename,
          own,
        ],
        hiddenDir,
        ownDir: own,
        memoryBytes: 1024 * MIB,
      });
      const { stdout } = await run(program, args);
      // Around the code, what lies in the code is not data.
      assert.equal(stdout.trim(), `${hiddenDir === project},true,true`);
    }
  } finally {
    rmSync(inCode, { recursive: true, force: true });
  }
});

test('isolation that shuts the worker out of the data folder is not chosen', async (t) => {
  if (!IS_ROOT) return t.skip('only root can make folders of other users');
  // Inside a user namespace root has no rights on what others own.
  chmodSync(nobodys.data, 0o700);
  await assert.rejects(chooseIsolation('bwrap', nobodys.data), /BINDERY_ISOLATION is "bwrap"/);
  assert.deepEqual(readdirSync(nobodys.data).sort(), ['keys.sqlite', 'work']);
});

test('isolation that does not exist here is refused, not replaced; without bubblewrap there is Landlock', async (t) => {
  const withoutLandlock = await absent('landlock');
  const nowhere = '/nonexistent';
  await assert.rejects(chooseIsolation('bwrap', undefined, nowhere), /BINDERY_ISOLATION is "bwrap"/);
  if (withoutLandlock) return t.skip(withoutLandlock);
  assert.equal(await chooseIsolation('auto', undefined, nowhere), 'landlock');
});

test('options of the operator’s Node do not keep workers from being isolated', async () => {
  const before = process.env.NODE_OPTIONS;
  const chosen = await chooseIsolation('auto');
  process.env.NODE_OPTIONS = '--import=/nowhere/instrumentation.mjs';
  try {
    assert.equal(await chooseIsolation('auto'), chosen);
  } finally {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  }
});

function processesWith(marker: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      // The parent of the test carries the marker inside a longer argument.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(marker);
    } catch {
      return false;
    }
  });
}

const stoppedNodes = (marker: string): string[] =>
  processesWith(marker).filter((pid) => {
    try {
      return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });

async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > giveUpAt) throw new Error(`waited too long for ${condition}`);
    await new Promise((next) => setTimeout(next, 20));
  }
}
