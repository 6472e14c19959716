// `npm run same`: does the service answer as it did before? Every operation is called on the documents of the
// collection with two builds of the service, a revision's and the working tree's, and the answers are compared.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OPERATIONS } from '../../service/src/operations/index.generated.ts';
import { EXAMPLE_ALLOW_HOSTS } from '../../service/testing/calls/example-calls.ts';
import type { Answer, Likeness, Run } from './answers.ts';
import { callsOf, type SameCall } from './calls.ts';
import { compareAnswers } from './compare.ts';
import { findDocuments } from './documents.ts';
import { ask, commitOf, defaultRevision, hasOtherDependencies, type Sides, startSides } from './sides.ts';

const USAGE = `npm run same -- [options]
  --revision <git revision>   what to compare with; by default where this branch left main
  --operations a,b            operations, by path (general/rotate-pdf), group (general) or name (rotate-pdf)
  --documents <pattern>       a regular expression over the names of documents
  --sample <n>                at most so many documents for each operation
  --minutes <n>               the time for all; each operation gets an equal share, what one leaves the next may use (12)
  --keep <folder>             keeps both results of each difference there`;

const options = readOptions();
const commit = commitOf(options.revision) ?? stop(`There is no revision "${options.revision}" here.`);
const operations = chosenOperations(options.operations);
const documents = findDocuments().filter(({ name }) => options.documents.test(name));
if (documents.length === 0) stop('No document has such a name.');

const lanes = Math.max(1, Math.floor(availableParallelism() / 2));
console.log(
  `${commit.slice(0, 10)} against the working tree: ${operations.length} operations, ${documents.length} files`,
);
if (hasOtherDependencies(commit))
  console.log('package-lock.json differs; both sides run with the packages of the working tree');
const counts = { 'byte-equal': 0, 'judged-equal': 0, different: 0, unsteady: 0 };
let refused = 0;
let leftOut = 0;
const met = new Set<string>();
const sides = await startSides(commit, lanes, [...EXAMPLE_ALLOW_HOSTS]);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void sides.close().then(() => process.exit(130)));
try {
  const end = performance.now() + options.minutes * 60_000;
  for (const [index, path] of operations.entries()) {
    const share = (end - performance.now()) / (operations.length - index);
    await compareOperation(sides, path, performance.now() + share);
  }
} finally {
  await sides.close();
}
const compared = Object.values(counts).reduce((sum, count) => sum + count);
console.log(
  `\n${compared} calls compared on ${met.size} documents, ${refused} of them refused alike: ${counts['byte-equal']} byte-equal, ${counts['judged-equal']} equal but for the time and identifiers, ${counts.different} different, ${counts.unsteady} different where the revision differs from itself too.`,
);
if (leftOut > 0) console.log(`${leftOut} calls were left out: --minutes and --sample widen the choice.`);
if (counts.different > 0) process.exitCode = 1;

async function compareOperation(sides: Sides, path: string, until: number): Promise<void> {
  const op = OPERATIONS[path] ?? stop(`No operation ${path}.`);
  const all = callsOf(path, op, documents);
  const calls = all.slice(0, options.sample);
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    // The first is always made: an operation that was not tried at all was not compared.
    while (next < calls.length && (next === 0 || performance.now() < until)) {
      const call = calls[next++];
      if (call) await compareCall(sides, call);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  leftOut += all.length - next;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${path}: ${next} of ${all.length} calls, ${seconds} s`);
}

async function compareCall(sides: Sides, call: SameCall): Promise<void> {
  const from = Date.now();
  const [base, here] = await Promise.all([ask(sides.base, call), ask(sides.here, call)]);
  const run = { from, to: Date.now(), passwords: call.passwords, sent: call.files.map(({ read }) => read()) };
  const likeness = await compareAnswers(base, here, run);
  met.add(call.document);
  if (base.status >= 400 && base.status === here.status) refused += 1;
  if (likeness.state !== 'different') counts[likeness.state] += 1;
  else if (await isUnsteady(sides, call, base, here, run)) {
    counts.unsteady += 1;
    report('unsteady ', call, likeness, base, here);
  } else {
    counts.different += 1;
    report('DIFFERENT', call, likeness, base, here);
  }
}

/**
 * A browser may draw a page otherwise the next time. A difference is no fault of the working tree where the revision
 * differs from itself as well, or answers like the working tree when it is asked again.
 */
async function isUnsteady(
  sides: Sides,
  call: SameCall,
  base: Answer,
  here: Answer,
  run: Run,
): Promise<boolean> {
  for (let turn = 0; turn < 3; turn += 1) {
    const again = await ask(sides.base, call);
    const since = { ...run, to: Date.now() };
    if ((await compareAnswers(again, here, since)).state !== 'different') return true;
    if ((await compareAnswers(again, base, since)).state === 'different') return true;
  }
  return false;
}

function report(
  word: string,
  { operation, document, params }: SameCall,
  { kind, what }: Extract<Likeness, { state: 'different' }>,
  base: Answer,
  here: Answer,
): void {
  console.log(`${word} ${operation} | ${document} | ${kind} | ${what} | ${JSON.stringify(params)}`);
  if (options.keep === undefined) return;
  mkdirSync(options.keep, { recursive: true });
  const name = `${operation} ${document}`.replace(/[^\w.-]+/g, '_');
  writeFileSync(join(options.keep, `${name}.base`), base.bytes);
  writeFileSync(join(options.keep, `${name}.here`), here.bytes);
}

function chosenOperations(wanted: readonly string[]): string[] {
  const paths = Object.keys(OPERATIONS);
  if (wanted.length === 0) return paths;
  const chosen = wanted.map((name) => {
    const found = paths.filter(
      (path) => path === name || path.startsWith(`${name}/`) || path.endsWith(`/${name}`),
    );
    return found.length > 0 ? found : stop(`No operation or group "${name}".`);
  });
  return [...new Set(chosen.flat())];
}

function readOptions() {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: { revision: text, operations: text, documents: text, sample: text, minutes: text, keep: text },
    });
    return {
      revision: values.revision ?? defaultRevision(),
      operations: (values.operations ?? '').split(',').filter(Boolean),
      documents: new RegExp(values.documents ?? ''),
      sample: positive('sample', values.sample ?? '100000'),
      minutes: positive('minutes', values.minutes ?? '12'),
      keep: values.keep,
    };
  } catch (error) {
    stop((error as Error).message);
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  return value > 0 ? value : stop(`--${name} must be a number above 0.`);
}

function stop(message: string): never {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}
