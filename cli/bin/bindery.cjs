#!/usr/bin/env node
'use strict';
// Runs the command. Where it is built (a published package, or a clone after `npm start` or `npm run setup`) the Node
// that runs this runs it, too. Else the pinned Node of the clone does, which reads TypeScript. Until then this may be
// any Node down to 12: CommonJS, no dependencies.
const fs = require('fs');
const os = require('os');
const path = require('path');

/** The oldest Node that runs what is built, and the oldest that reads the sources (and has node:sqlite). */
const OLDEST_FOR_BUILT = [20, 16];
const OLDEST_FOR_SOURCE = [24, 15];

// npm calls this file through a link: the real place is where the packages are.
const home = path.resolve(path.dirname(fs.realpathSync(__filename)), '..');
const BUILT = path.join(home, 'dist', 'main.js');
const SOURCES = [path.join(home, 'src'), path.join(home, '..', 'sdk', 'src')];

function isNewEnough(oldest) {
  const parts = process.version.slice(1).split('.').map(Number);
  return parts[0] > oldest[0] || (parts[0] === oldest[0] && parts[1] >= oldest[1]);
}

function stop(text) {
  process.stderr.write(`bindery: ${text}\n`);
  process.exit(1);
}

/** Whether nothing was changed in the clone since it was built. */
function isFresh() {
  if (!fs.existsSync(BUILT)) return false;
  const built = fs.statSync(BUILT).mtimeMs;
  return SOURCES.every((folder) =>
    fs
      .readdirSync(folder)
      .every((name) => name.endsWith('.test.ts') || fs.statSync(path.join(folder, name)).mtimeMs <= built),
  );
}

/** Commands that are the service's own code, which only the pinned Node runs. */
function wantsService(args) {
  return ['serve', 'keys', 'doctor'].includes(args[0]) || args.includes('--local');
}

/** The folder of packages that has this. */
function packagesFolder(wanted) {
  for (let folder = home; ; folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (fs.existsSync(path.join(packages, wanted))) return packages;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function handOver() {
  const { spawn } = require('child_process');
  const packages = packagesFolder('node/bin/node');
  const node = packages
    ? path.join(packages, 'node', 'bin', 'node')
    : isNewEnough(OLDEST_FOR_SOURCE)
      ? process.execPath
      : undefined;
  if (!node || !packagesFolder('@bindery/sdk'))
    stop(`its packages are not installed. Run "npm run setup" in ${path.resolve(home, '..')} first.`);
  const args = ['--disable-warning=ExperimentalWarning', path.join(home, 'src', 'main.ts')];
  // Code stripped of types and compiled once is reused: the command answers in half the time.
  const cache = packages ? { NODE_COMPILE_CACHE: path.join(packages, '.bindery', 'code') } : {};
  const child = spawn(node, args.concat(process.argv.slice(2)), {
    stdio: 'inherit',
    env: Object.assign(cache, process.env),
  });
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

function runBuilt() {
  import(require('url').pathToFileURL(BUILT).href).catch((error) => stop(error.stack));
}

if (fs.existsSync(BUILT) && !fs.existsSync(SOURCES[0])) {
  if (!isNewEnough(OLDEST_FOR_BUILT))
    stop(`it needs Node ${OLDEST_FOR_BUILT.join('.')} or newer; this is ${process.version.slice(1)}.`);
  runBuilt();
} else if (isNewEnough(OLDEST_FOR_BUILT) && !wantsService(process.argv.slice(2)) && isFresh()) runBuilt();
else handOver();
