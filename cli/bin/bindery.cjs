#!/usr/bin/env node
'use strict';
// Finds the pinned Node and runs the command with it. It runs under whatever Node is called `node` here,
// which may be as old as 12: CommonJS, ES2018, no dependencies.
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const MAIN = path.resolve(__dirname, '..', 'src', 'main.ts');
/** The oldest Node that runs this code: TypeScript without a build step, and node:sqlite. */
const OLDEST_NODE = [24, 15];

/** The folder of packages that has this. */
function packagesFolder(from, wanted) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (fs.existsSync(path.join(packages, wanted))) return packages;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function isNewEnough(version) {
  const parts = version.slice(1).split('.').map(Number);
  return parts[0] > OLDEST_NODE[0] || (parts[0] === OLDEST_NODE[0] && parts[1] >= OLDEST_NODE[1]);
}

function stop(text) {
  process.stderr.write(`bindery: ${text}\n`);
  process.exit(1);
}

// npm calls this file through a link: the real place is where the packages are.
const here = path.dirname(fs.realpathSync(__filename));
const packages = packagesFolder(here, 'node/bin/node');
const node = packages
  ? path.join(packages, 'node', 'bin', 'node')
  : isNewEnough(process.version)
    ? process.execPath
    : undefined;
if (!node || !packagesFolder(here, '@bindery/sdk'))
  stop(`its packages are not installed. Run "npm run setup" in ${path.resolve(here, '..', '..')} first.`);

const args = ['--disable-warning=ExperimentalWarning', MAIN].concat(process.argv.slice(2));
// Code stripped of types and compiled once is reused: the command answers in half the time.
const cache = packages ? { NODE_COMPILE_CACHE: path.join(packages, '.bindery', 'code') } : {};
const child = spawn(node, args, { stdio: 'inherit', env: Object.assign(cache, process.env) });
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
