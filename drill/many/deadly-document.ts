// A document over which three nodes die is answered, and given to no fourth; over which one dies, it is done by another.
import { killAll, until, workersOf } from '../../test/processes.ts';
import { API_KEY, filePart, fixture, form } from '../../test/service.ts';
import type { Cluster, Node } from './cluster.ts';

/** As often as a job is tried. */
const MOST_DEATHS = 3;
const MOST_ROUNDS = 3;
const PATIENCE_MS = 120_000;

const asked = async ({ url }: Node): Promise<{ status: number; text: string }> => {
  const body = form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' });
  const headers = { 'x-api-key': API_KEY };
  const answer = await fetch(`${url}/api/v1/general/rotate-pdf`, { method: 'POST', body, headers });
  return { status: answer.status, text: Buffer.from(await answer.bytes()).toString('latin1') };
};

const isAtWork = async ({ url, isUp }: Node): Promise<boolean> =>
  isUp && /^bindery_workers_busy 1$/m.test(await (await fetch(`${url}/metrics`)).text());

/** Stopped workers stay at what they have begun. */
function stopWorkers({ pid }: Node): void {
  for (const worker of workersOf(pid)) process.kill(worker, 'SIGSTOP');
}

function letWorkersGo({ pid }: Node): void {
  for (const worker of workersOf(pid)) process.kill(worker, 'SIGCONT');
}

interface Answered {
  status: number;
  text: string;
  deaths: number;
  seconds: string;
}

/** Kills one node after the other over the same document. Fewer die where one that has just started was quicker. */
async function dieOverIt(cluster: Cluster, most: number): Promise<Answered> {
  const workers = cluster.workers();
  for (const node of workers) stopWorkers(node);
  const begun = performance.now();
  let isAnswered = false;
  const answering = asked((cluster.apis() as [Node])[0]).finally(() => {
    isAnswered = true;
  });
  const restarts: Promise<void>[] = [];
  const atIt = async (): Promise<Node | 'nobody' | undefined> => {
    if (isAnswered) return 'nobody';
    for (const node of workers) if (await isAtWork(node).catch(() => false)) return node;
    return undefined;
  };
  for (let deaths = 1; deaths <= most; deaths += 1) {
    const at = await until('a node is at it', atIt, PATIENCE_MS);
    if (at === 'nobody') break;
    const orphans = workersOf(at.pid);
    const isLast = deaths === most;
    restarts.push(at.harm().then(() => (isLast ? undefined : stopWorkers(at))));
    killAll(orphans);
    if (isLast) for (const node of workers) if (node.isUp) letWorkersGo(node);
  }
  const { status, text } = await answering;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  await Promise.all(restarts);
  for (const node of workers) letWorkersGo(node);
  return { status, text, deaths: restarts.length, seconds };
}

export async function deadlyDocument(cluster: Cluster): Promise<string> {
  const one = await dieOverIt(cluster, 1);
  if (one.status !== 200) throw new Error(`one died, answered ${one.status}: ${one.text.slice(0, 300)}`);
  let all = await dieOverIt(cluster, MOST_DEATHS);
  for (let tries = 1; all.deaths < MOST_DEATHS && tries < MOST_ROUNDS; tries += 1)
    all = await dieOverIt(cluster, MOST_DEATHS);
  if (all.status !== 500 || !all.text.includes(`${MOST_DEATHS} machines ended`))
    throw new Error(`${all.deaths} died, answered ${all.status}: ${all.text.slice(0, 300)}`);
  const { status } = await asked((cluster.apis() as [Node])[0]);
  if (status !== 200) throw new Error(`the next call was answered ${status}`);
  return `one died, answered 200 after ${one.seconds} s; ${all.deaths} died, answered 500 after ${all.seconds} s; the next call is served`;
}
