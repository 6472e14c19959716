#!/usr/bin/env node
'use strict';
// Runs the server: a published package is built, and this Node runs it; in a clone the pinned Node does, or this one
// where it is new enough to read TypeScript.
const fs = require('fs');
const path = require('path');

const OLDEST_FOR_BUILT = [20, 16];
const OLDEST_FOR_SOURCE = [22, 18];

/** The folder of packages that has this. */
function packagesFolder(from, wanted) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (fs.existsSync(path.join(packages, wanted))) return packages;
    if (folder === path.dirname(folder)) return undefined;
  }
}

const here = path.dirname(fs.realpathSync(__filename));
const SOURCE = path.join(here, '..', 'src', 'main.ts');
const BUILT = path.join(here, '..', 'dist', 'main.js');

function isNewEnough(oldest) {
  const parts = process.version.slice(1).split('.').map(Number);
  return parts[0] > oldest[0] || (parts[0] === oldest[0] && parts[1] >= oldest[1]);
}

function stop(text) {
  process.stderr.write(`bindery-mcp: ${text}\n`);
  process.exit(1);
}

function runBuilt() {
  if (!isNewEnough(OLDEST_FOR_BUILT))
    stop(`it needs Node ${OLDEST_FOR_BUILT.join('.')} or newer; this is ${process.version.slice(1)}.`);
  import(require('url').pathToFileURL(BUILT).href).catch((error) => stop(error.stack));
}

function handOver() {
  const { spawn } = require('child_process');
  const packages = packagesFolder(here, 'node/bin/node');
  const node = packages
    ? path.join(packages, 'node', 'bin', 'node')
    : isNewEnough(OLDEST_FOR_SOURCE)
      ? process.execPath
      : undefined;
  if (!node || !packagesFolder(here, '@bindery/sdk'))
    stop(`its packages are not installed. Run "npm run setup" in ${path.resolve(here, '..', '..')} first.`);
  const args = ['--disable-warning=ExperimentalWarning', SOURCE].concat(process.argv.slice(2));
  const child = spawn(node, args, {
    stdio: 'inherit',
    // Code stripped of types and compiled once is reused: a quicker start, and a smaller process for as long as it runs.
    env: Object.assign(
      packages ? { NODE_COMPILE_CACHE: path.join(packages, '.bindery', 'code') } : {},
      process.env,
    ),
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code === null ? 1 : code));
}

if (fs.existsSync(BUILT) && !fs.existsSync(SOURCE)) runBuilt();
else handOver();
