'use strict';
// Behind every npm script. It installs what is missing (npm packages, the pinned Node, system packages), says
// what it does, and hands over to the pinned Node. Until then it runs under whatever Node the distribution has,
// which may be as old as 12: CommonJS, ES2018, no dependencies.
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { installNpmPackages, pinnedNode, say, stop } = require('./npm-packages.cjs');
const { SERVICE, supervise } = require('./supervisor.cjs');
const { testRun } = require('./test-arguments.cjs');

const ROOT = path.resolve(__dirname, '..');

/** What each command runs under the pinned Node, and which system packages it wants (see system-packages.ts). */
const COMMANDS = {
  start: {
    run: (args) => SERVICE.concat(args),
    packages: ['service'],
    compiles: true,
    builds: true,
    supervised: true,
  },
  test: {
    run: (args) => testRun(args).args,
    env: (args) => testRun(args).env,
    packages: ['service', 'test'],
    // Else each of the first services that tests start would compile it, all at once.
    compiles: true,
    builds: true,
  },
  bench: {
    run: (args) => ['--disable-warning=ExperimentalWarning', 'bench/main.ts'].concat(args),
    packages: ['service', 'bench'],
    compiles: true,
  },
  drill: {
    run: (args) => ['--disable-warning=ExperimentalWarning', 'drill/main.ts'].concat(args),
    packages: ['service'],
    compiles: true,
  },
  same: {
    run: (args) => ['--disable-warning=ExperimentalWarning', 'scripts/same/main.ts'].concat(args),
    packages: ['service', 'test'],
    compiles: true,
  },
  mutate: {
    run: (args) => ['--disable-warning=ExperimentalWarning', 'scripts/mutate/main.ts'].concat(args),
    packages: ['service', 'test'],
  },
  check: { run: (args) => ['scripts/check.ts'].concat(args), packages: [] },
  generate: { run: (args) => ['scripts/generate.ts'].concat(args), packages: [] },
  pack: { run: (args) => ['scripts/pack.ts'].concat(args), packages: [] },
  new: { run: (args) => ['scripts/new-operation.ts'].concat(args), packages: [] },
  release: { run: (args) => ['scripts/release.ts'].concat(args), packages: [] },
  setup: { run: null, packages: ['service', 'test', 'bench'], builds: true },
};

function main() {
  const name = process.argv[2];
  const args = process.argv.slice(3);
  const command = Object.keys(COMMANDS).includes(name) ? COMMANDS[name] : undefined;
  if (!command) stop(`"${name}" is not a command; there are ${Object.keys(COMMANDS).join(', ')}.`);
  process.chdir(ROOT);
  installNpmPackages();
  const node = pinnedNode();
  const env = environment(node);
  if (command.packages.length > 0) installSystemPackages(node, env, name, command.packages);
  if (command.compiles) compileOnce(node, env);
  if (command.builds) {
    buildPage(node, env);
    buildCommand(node, env);
  }
  if (!command.run) return say('everything that can be installed here is installed.');
  const keepRunning = command.supervised ? supervise : handOver;
  keepRunning(node, command.run(args), Object.assign(env, command.env ? command.env(args) : {}));
}

function environment(node) {
  const PATH = path.dirname(node) + path.delimiter + (process.env.PATH || '/usr/local/bin:/usr/bin:/bin');
  // Code stripped of types and compiled once is reused: starts are quicker and processes smaller.
  const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || path.join(ROOT, 'node_modules/.bindery/code');
  return Object.assign({}, process.env, { PATH, NODE_COMPILE_CACHE });
}

function installSystemPackages(node, env, name, uses) {
  const again = name === 'setup' ? ['--again'] : [];
  spawnSync(node, ['scripts/system-packages.ts'].concat(again, uses), { env, stdio: 'inherit' });
}

/** At the very first start; after that the service sees to it that what has changed is compiled anew. */
function compileOnce(node, env) {
  if (fs.existsSync(path.join(env.NODE_COMPILE_CACHE, 'primed'))) return;
  say('compiling the code; this takes some seconds, once ...');
  spawnSync(node, ['--disable-warning=ExperimentalWarning', 'service/src/prime.ts'], {
    env,
    stdio: 'ignore',
  });
}

/** The page for people, where its sources have changed; the service runs without it, too. */
function buildPage(node, env) {
  const done = spawnSync(node, ['--disable-warning=ExperimentalWarning', 'scripts/build-web.ts'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (done.status !== 0) say('the page for people could not be built (see above); the API works without it.');
}

/** The command, which answers sooner when it is built; where that fails, its sources are run. */
function buildCommand(node, env) {
  spawnSync(node, ['scripts/build-commands.ts'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** As near to exec as Node gets: same terminal, signals passed on, the child's exit code is ours. */
function handOver(node, args, env) {
  const child = spawn(node, args, { env, stdio: 'inherit' });
  const onTerminal = Boolean(process.stdin.isTTY);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole process group: passed on, the child would count it twice.
      if (signal === 'SIGINT' && onTerminal) return;
      child.kill(signal);
    });
  }
  child.on('error', (error) => stop(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
}

main();
