'use strict';
// npm packages as the lock has them, and the pinned Node among them. Like bindery.cjs this runs under an old Node.
const { spawnSync } = require('child_process');
const { createHash } = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');

const ROOT = path.resolve(__dirname, '..');
const STAMP = 'node_modules/.bindery/lock.sha256';
const PINNED_NODE = 'node_modules/node/bin/node';
/** The oldest Node that runs this code: TypeScript without a build step, and node:sqlite. */
const OLDEST_NODE = [24, 15];
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];
// NODE_ENV=production would leave out the pinned Node, which is a development dependency. No package needs its
// install script: binaries come as packages of their own, and scripts of new packages fail under an old Node.
const AS_LOCKED = ['--include=dev', '--include=optional', '--ignore-scripts'].concat(QUIET);
const LONGEST_INSTALL_MS = 600000;
/** npm writes this file last: without it, an install was broken off. */
const INSTALL_RECORD = 'node_modules/.package-lock.json';

function installNpmPackages() {
  const lock = read('package-lock.json');
  if (lock === undefined) stop('package-lock.json is missing: this is not a whole checkout.');
  const hash = createHash('sha256').update(lock).digest('hex');
  if (read(STAMP) === hash) return;
  if (!isWritable(ROOT))
    stop(
      `npm packages belong into ${ROOT}, which this user cannot write. ` +
        'Make the folder yours, or have its owner run "npm run setup" there first.',
    );
  oneAtATime(() => {
    if (read(STAMP) === hash) return;
    const wanted = packagesForHere(JSON.parse(lock));
    if (!isInstalled(wanted)) {
      npmInstall();
      fetchLeftOut(wanted);
    }
    fs.mkdirSync(path.dirname(STAMP), { recursive: true });
    fs.writeFileSync(STAMP, hash);
  });
}

/** Two commands started together must not both write node_modules: the second waits, and finds the work done. */
function oneAtATime(work) {
  const turn = path.join(ROOT, '.bindery-install');
  const until = Date.now() + LONGEST_INSTALL_MS;
  while (!takeTurn(turn)) {
    if (Date.now() > until) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  }
  try {
    work();
  } finally {
    try {
      fs.unlinkSync(turn);
    } catch (error) {
      // It was never ours, or is gone.
    }
  }
}

/** The file holds who has the turn; one that has ended loses it. */
function takeTurn(turn) {
  try {
    fs.writeFileSync(turn, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') return true;
  }
  try {
    process.kill(Number(fs.readFileSync(turn, 'utf8')) || 0, 0);
  } catch (error) {
    if (error.code === 'ESRCH') fs.unlinkSync(turn);
  }
  return false;
}

/** What a lock asks for on this platform: name, version and place of each package. */
function packagesForHere(lock) {
  const fits = (allowed, own) => allowed === undefined || allowed.includes(own);
  return (
    Object.keys(lock.packages)
      .filter((where) => where.startsWith('node_modules/') && !lock.packages[where].link)
      .map((where) =>
        Object.assign({ where, name: where.split('node_modules/').pop() }, lock.packages[where]),
      )
      .filter(
        (one) => fits(one.os, process.platform) && fits(one.cpu, process.arch) && fits(one.libc, 'glibc'),
      )
      // An optional one for every platform is wanted only by others that may not fit: npm knows.
      .filter((one) => !one.optional || one.os !== undefined || one.cpu !== undefined)
  );
}

const isInPlace = (wanted) => {
  const found = read(`${wanted.where}/package.json`);
  return found !== undefined && JSON.parse(found).version === wanted.version;
};

/** Whether someone's own `npm install` left what the lock asks for: then it need not be done again. */
function isInstalled(wanted) {
  return fs.existsSync(INSTALL_RECORD) && wanted.every(isInPlace);
}

/** npm leaves out optional packages, which hold the binaries, where they are for a newer Node than the one it runs on. */
function fetchLeftOut(wanted) {
  for (const left of wanted.filter((one) => !isInPlace(one))) {
    say(`fetching ${left.name}, which npm left out ...`);
    fetchPackage(left.name, left.version, (folder) => {
      spawnSync('rm', ['-rf', left.where]);
      fs.mkdirSync(path.dirname(left.where), { recursive: true });
      fs.renameSync(folder, left.where);
    });
    if (!isInPlace(left)) say(`${left.name} could not be fetched; what needs it will not work.`);
  }
}

/** Packages that are there are brought up to date in place: a service may be running on them. */
function npmInstall() {
  const update = ['install', '--no-save'];
  if (fs.existsSync(INSTALL_RECORD)) {
    say('bringing npm packages up to date (npm install) ...');
    if (npm(update.concat(AS_LOCKED)).status === 0) return;
  }
  say('installing npm packages (npm ci); this takes about a minute, once ...');
  let done = npm(['ci'].concat(AS_LOCKED));
  // npm ci refuses a lock that it does not understand, or that does not fit its idea of package.json.
  if (done.status !== 0 && /EUSAGE|ENOLOCK|lockfile|can only install/i.test(done.output)) {
    say('npm ci cannot use package-lock.json here; trying npm install ...');
    done = npm(update.concat(AS_LOCKED));
  }
  if (done.status === 0) return;
  process.stderr.write(`${tail(done.output)}\n`);
  stop('npm could not install the packages (its last words are above). Is the npm registry reachable?');
}

/** Runs the npm that was called, else the one on PATH, without the pinned Node that it may be about to replace. */
function npm(args) {
  const cli = process.env.npm_execpath;
  const viaCli = cli !== undefined && path.basename(cli) === 'npm-cli.js' && fs.existsSync(cli);
  const node = process.env.npm_node_execpath;
  const program = viaCli ? (node && fs.existsSync(node) ? node : process.execPath) : 'npm';
  const done = spawnSync(program, viaCli ? [cli].concat(args) : args, {
    env: npmEnvironment(),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const output = done.error ? String(done.error.message) : `${done.stdout || ''}${done.stderr || ''}`;
  return { status: done.error ? 1 : done.status, output };
}

function npmEnvironment() {
  const inProject = path.join(ROOT, 'node_modules') + path.sep;
  const PATH = (process.env.PATH || '')
    .split(path.delimiter)
    .filter((folder) => !(folder + path.sep).startsWith(inProject))
    .join(path.delimiter);
  const env = Object.assign({}, process.env, { PATH });
  if (!isWritable(os.homedir())) env.npm_config_cache = path.join(ROOT, '.bindery', 'npm-cache');
  return env;
}

function isWritable(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch (error) {
    return false;
  }
}

function tail(output) {
  return output.trim().split('\n').slice(-15).join('\n');
}

function pinnedNode() {
  const wanted = `v${JSON.parse(read('package.json')).devDependencies.node}`;
  const pinned = path.resolve(PINNED_NODE);
  if (versionOf(pinned) === wanted) return pinned;
  say(`fetching Node ${wanted} ...`);
  const failure = fetchPinnedNode(wanted.slice(1), pinned);
  if (versionOf(pinned) === wanted) return pinned;
  if (isNewEnough(process.version)) {
    say(`Node ${wanted} could not be fetched; using Node ${process.version} of this machine.`);
    return process.execPath;
  }
  process.stderr.write(`${tail(failure)}\n`);
  return stop(
    `Node ${wanted} could not be fetched, and Node ${process.version} of this machine is older than ` +
      `${OLDEST_NODE.join('.')}. Install Node ${OLDEST_NODE.join('.')} or newer, or make the npm registry reachable.`,
  );
}

function versionOf(program) {
  if (!fs.existsSync(program)) return undefined;
  // npm puts the pinned Node first on PATH, so this is most often the very program that runs.
  if (fs.realpathSync(program) === fs.realpathSync(process.execPath)) return process.version;
  const asked = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return asked.status === 0 ? asked.stdout.trim() : undefined;
}

function isNewEnough(version) {
  const parts = version.slice(1).split('.').map(Number);
  return parts[0] > OLDEST_NODE[0] || (parts[0] === OLDEST_NODE[0] && parts[1] >= OLDEST_NODE[1]);
}

/** The binary stands in one npm package per platform, and needs no install script. Returns what npm said. */
function fetchPinnedNode(version, target) {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return fetchPackage(`${prefix}-${process.platform}-${process.arch}`, version, (folder) => {
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.renameSync(path.join(folder, 'bin', 'node'), target);
    fs.chmodSync(target, 0o755);
    linkCommand();
  });
}

/** Fetches one package to a folder aside, for `take` to move away. Returns what npm said. */
function fetchPackage(name, version, take) {
  const aside = path.resolve('node_modules/.bindery/fetched');
  fs.mkdirSync(aside, { recursive: true });
  fs.writeFileSync(path.join(aside, 'package.json'), '{"private":true}\n');
  const options = ['--no-save', '--ignore-scripts', '--global=false', `--prefix=${aside}`].concat(QUIET);
  const done = npm(['install', `${name}@${version}`].concat(options));
  const folder = path.join(aside, 'node_modules', name);
  if (done.status === 0 && fs.existsSync(folder)) take(folder);
  spawnSync('rm', ['-rf', aside]);
  return done.output;
}

function linkCommand() {
  const link = path.resolve('node_modules/.bin/node');
  if (fs.existsSync(link)) return;
  fs.mkdirSync(path.dirname(link), { recursive: true });
  spawnSync('ln', ['-sfn', '../node/bin/node', link]);
}

function say(text) {
  process.stderr.write(`bindery: ${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(1);
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    return undefined;
  }
}

module.exports = { installNpmPackages, isNewEnough, packagesForHere, pinnedNode, say, stop };
