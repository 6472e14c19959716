'use strict';
// What `npm test` runs: everything, or what is named (files, folders, patterns, operations). As old as bindery.cjs.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { stop } = require('./npm-packages.cjs');

const OPERATIONS = 'service/src/operations';
const LAWS = `${OPERATIONS}/laws.test.ts`;
const EVERYTHING = ['service/src', 'sdk', 'mcp', 'cli', 'test', 'scripts'];
const REPORTERS = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./scripts/test-report.ts',
  '--test-reporter-destination=stdout',
];

/** The arguments of Node, and what the tests find in their environment. Options go to Node's test runner. */
function testRun(args) {
  const everything = EVERYTHING.filter((folder) => fs.existsSync(folder));
  if (args.length === 0)
    return {
      args: ['--disable-warning=ExperimentalWarning', 'scripts/test-run.ts'].concat(
        everything.map((folder) => `${folder}/**/*.test.ts`),
      ),
      env: {},
    };
  const options = args.filter((arg) => arg.startsWith('-'));
  const places = args.filter((arg) => !arg.startsWith('-'));
  const isGiven = (name) => options.some((given) => given.split('=')[0] === name);
  const unless = (option) => (isGiven(option.split('=')[0]) ? [] : [option]);
  const operations = new Set();
  const patterns = [];
  for (const place of places.length > 0 ? places : everything)
    patterns.push(...patternsFor(place, operations));
  // Tests start processes of their own: more files at once than cores would only make deadlines fail.
  const atOnce = Math.max(2, Math.min(os.cpus().length, 8));
  return {
    args: ['--test', '--disable-warning=ExperimentalWarning'].concat(
      isGiven('--test-reporter') ? [] : REPORTERS,
      unless(`--test-concurrency=${atOnce}`),
      unless('--test-timeout=600000'),
      options,
      Array.from(new Set(patterns)),
    ),
    env: operations.size > 0 ? { LAWS_OF: Array.from(operations).join(',') } : {},
  };
}

function patternsFor(place, operations) {
  if (/[*?[{]/.test(place)) return [place];
  if (fs.existsSync(place))
    return [fs.statSync(place).isDirectory() ? `${place.replace(/\/+$/, '')}/**/*.test.ts` : place];
  const all = operationPaths(OPERATIONS);
  const named = all.filter(
    (each) => each === place || each.startsWith(`${place}/`) || each.endsWith(`/${place}`),
  );
  if (named.length === 0) stop(unknown(place, all));
  const patterns = [LAWS];
  for (const each of named) {
    operations.add(each);
    patterns.push(...testsOf(each));
  }
  return patterns;
}

/** general/rotate-pdf.test.ts, and general/rotate-pdf.corpus.test.ts where there is one. */
function testsOf(operation) {
  const folder = path.posix.dirname(operation);
  const name = path.posix.basename(operation);
  return fs
    .readdirSync(`${OPERATIONS}/${folder}`)
    .filter((file) => file.startsWith(`${name}.`) && file.endsWith('.test.ts'))
    .map((file) => `${OPERATIONS}/${folder}/${file}`);
}

/** As generate-operations.ts finds them. */
function operationPaths(folder) {
  const found = [];
  const walk = (under) => {
    for (const entry of fs.readdirSync(path.join(folder, under), { withFileTypes: true })) {
      const at = path.posix.join(under, entry.name);
      if (entry.isDirectory()) walk(at);
      else if (under !== '' && /^(?!_)[^.]+\.ts$/.test(entry.name)) found.push(at.replace(/\.ts$/, ''));
    }
  };
  if (fs.existsSync(folder)) walk('');
  return found.sort();
}

function unknown(place, all) {
  const words = path.posix.basename(place).split('-');
  const alike = all
    .filter((each) => words.some((word) => word.length > 3 && each.includes(word)))
    .slice(0, 5);
  const hint = alike.length > 0 ? ` Operations alike: ${alike.join(', ')}.` : '';
  return `"${place}" is neither a file, a folder nor an operation here (options are written --name=value).${hint}`;
}

module.exports = { testRun };
