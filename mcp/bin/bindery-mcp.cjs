#!/usr/bin/env node
'use strict';
// Runs the server with the pinned Node, or with this one where it is new enough to read TypeScript.
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');

const OLDEST_NODE = [22, 18];

/** The folder of packages that has this. */
function packagesFolder(from, wanted) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (fs.existsSync(path.join(packages, wanted))) return packages;
    if (folder === path.dirname(folder)) return undefined;
  }
}

const here = path.dirname(fs.realpathSync(__filename));
const version = process.versions.node.split('.').map(Number);
const isNewEnough =
  version[0] > OLDEST_NODE[0] || (version[0] === OLDEST_NODE[0] && version[1] >= OLDEST_NODE[1]);
const packages = packagesFolder(here, 'node/bin/node');
const node = packages
  ? path.join(packages, 'node', 'bin', 'node')
  : isNewEnough
    ? process.execPath
    : undefined;
if (!node || !packagesFolder(here, '@bindery/sdk')) {
  const clone = path.resolve(here, '..', '..');
  process.stderr.write(
    `bindery-mcp: its packages are not installed. Run "npm run setup" in ${clone} first.\n`,
  );
  process.exit(1);
}
const main = path.join(here, '..', 'src', 'main.ts');
const child = spawn(node, ['--disable-warning=ExperimentalWarning', main].concat(process.argv.slice(2)), {
  stdio: 'inherit',
  // Code stripped of types and compiled once is reused: a quicker start, and a smaller process for as long as it runs.
  env: Object.assign(
    packages ? { NODE_COMPILE_CACHE: path.join(packages, '.bindery', 'code') } : {},
    process.env,
  ),
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code === null ? 1 : code));
