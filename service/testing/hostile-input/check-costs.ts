// What the checks of every field cost on hostile values, measured in a process of its own: one that never ends, or eats
// all memory, takes nobody along.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../src/contract/problems.ts';
import type { Field } from '../../src/operations/fields.ts';
import { OPERATIONS } from '../../src/operations/index.generated.ts';
import { planPipeline } from '../../src/operations/pipeline.ts';
import { type Part, planCall, readsText } from '../../src/operations/plan.ts';
import { exampleCall } from '../calls/example-calls.ts';
import { HOSTILE_NAMES, hostileStepValues, hostileTexts, patternsOf } from './hostile-values.ts';

/** What one value may hold the event loop up. */
export const LIMIT_MS = 100;
/** What V8 may have: the service as it stands, and what one value may add. */
const HEAP_MB = 100 + 100;
const GIVE_UP_MS = 10_000;

interface Cost {
  name: string;
  ms: number;
  failure?: string;
}

/** Costs above the limit. `only`: a part of the name of cases. */
export async function dearChecks(only = ''): Promise<{ cases: number; dear: Cost[]; most: Cost }> {
  const dear: Cost[] = [];
  let most: Cost = { name: '', ms: 0 };
  let from = 0;
  for (let lives = 0; lives < 8; lives += 1) {
    const ended = await life(from, only, (cost) => {
      if (cost.ms > most.ms) most = cost;
      if (cost.ms > LIMIT_MS || cost.failure !== undefined) dear.push(cost);
    });
    from = ended.next;
    if (ended.lost === undefined) return { cases: from, dear, most };
    dear.push(ended.lost);
  }
  return { cases: from, dear, most };
}

function life(
  from: number,
  only: string,
  told: (cost: Cost) => void,
): Promise<{ next: number; lost?: Cost }> {
  const child = fork(fileURLToPath(import.meta.url), [String(from), only], {
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let at = from;
  let name = '';
  let finished = false;
  const watch = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  child.on('message', (message: { begins: string } | Cost | 'finished') => {
    watch.refresh();
    if (message === 'finished') finished = true;
    else if ('begins' in message) name = message.begins;
    else {
      at += 1;
      told(message);
    }
  });
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearTimeout(watch);
      const failure = `the process ended: ${signal ?? code}`;
      resolve(
        finished ? { next: at } : { next: at + 1, lost: { name, ms: Number.POSITIVE_INFINITY, failure } },
      );
    });
  });
}

type Case = [name: string, work: () => unknown];

function* cases(): Generator<Case> {
  const seen = new Set<string>();
  for (const [path, op] of Object.entries(OPERATIONS)) {
    const { params } = exampleCall(path, op);
    const files: Part[] = Object.keys(op.inputs).map((field) => ({
      field,
      file: { name: 'a.pdf', size: 1, content: { chunks: [Buffer.from('a')] } },
    }));
    const others = (name: string): Part[] =>
      Object.entries(params).flatMap(([field, text]) => (field === name ? [] : [{ field, text }]));
    for (const [name, field] of Object.entries(op.params as Record<string, Field>)) {
      const call = (texts: readonly string[]) => () =>
        planCall(path, [...files, ...others(name), ...texts.map((text) => ({ field: name, text }))]);
      // Fields of one make are checked by the same code; what an operation checks besides is its own.
      const make = makeOf(field);
      if (seen.has(make) && !op.check) continue;
      for (const [what, text] of hostileTexts(field)) yield [`${path} ${name}: ${what}`, call([text])];
      if (seen.has(make)) continue;
      seen.add(make);
      for (const text of ['', '1', 'a', 'a,b']) {
        yield [`${path} ${name}: sent 10000 times, ${JSON.stringify(text)}`, call(Array(10_000).fill(text))];
      }
      yield [`${path} ${name}: 4 MB of commas`, call(Array(4).fill(','.repeat(1_000_000)))];
      if (op.inputs.fileInput) {
        for (const [what, json] of hostileStepValues())
          yield [`${path} ${name} of a step: ${what}`, stepOf(path, params, name, json)];
      }
      if (field.bracketed) {
        const names = Array.from({ length: 10_000 }, (_, i) => ({ field: `${name}[k${i}]`, text: '1' }));
        yield [`${path} ${name}[...]`, () => planCall(path, [...files, ...others(''), ...names])];
      }
    }
    yield [
      `${path}: names of fields`,
      () => {
        for (let i = 0; i < 2000; i += 1) readsText(op, HOSTILE_NAMES[i % HOSTILE_NAMES.length] ?? '');
      },
    ];
  }
}

/** Fields of these kinds differ in numbers and words only. */
const PLAIN_KINDS: readonly string[] = [
  'integer',
  'number',
  'flag',
  'choice',
  'colour',
  'size',
  'secret',
  'url',
];

const makeOf = (field: Field): string =>
  PLAIN_KINDS.includes(field.kind)
    ? field.kind
    : `${field.kind} ${field.expects} ${patternsOf(field.schema)}`;

function stepOf(op: string, params: Record<string, string>, name: string, json: string): () => unknown {
  const others = Object.entries(params).filter(([field]) => field !== name);
  const fields = [
    ...others.map((pair) => pair.map((text) => JSON.stringify(text)).join(':')),
    `"${name}":${json}`,
  ];
  const steps = `[{"op":"${op}","params":{${fields.join(',')}}}]`;
  const file = { name: 'a.pdf', size: 1, content: { chunks: [Buffer.from('a')] } };
  return () =>
    planPipeline([
      { field: 'fileInput', file },
      { field: 'steps', text: steps },
    ]);
}

/** A busy machine is slow at times; a dear check is dear always. */
function costOf([name, work]: Case): Cost {
  let ms = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && ms > LIMIT_MS; tries += 1) {
    const begun = process.threadCpuUsage();
    try {
      work();
    } catch (error) {
      if (!(error instanceof Problem) || error.reason === 'internal')
        return { name, ms: 0, failure: String(error).slice(0, 200) };
    }
    const { user, system } = process.threadCpuUsage(begun);
    ms = Math.min(ms, (user + system) / 1000);
    if (ms > 5 * LIMIT_MS) break;
  }
  return { name, ms };
}

if (import.meta.main) {
  const [from = '0', only = ''] = process.argv.slice(2);
  let at = 0;
  for (const each of cases()) {
    if (!each[0].includes(only)) continue;
    at += 1;
    if (at <= Number(from)) continue;
    process.send?.({ begins: each[0] });
    process.send?.(costOf(each));
    // What was said goes out before the next may hold everything up.
    if (at % 20 === 0) await new Promise((next) => setImmediate(next));
  }
  process.send?.('finished', () => process.exit(0));
}
