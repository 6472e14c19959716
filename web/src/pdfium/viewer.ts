// The page's side of the PDFium worker: started by the first PDF, asked for what is in view, newest wish first.
import { signal } from '@preact/signals';
import type { InputFile } from '../work/files.ts';
import type { Answer, Opened, Request } from './messages.ts';

type Ask = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;

interface Waiting {
  ask: Ask;
  settle(answer: Answer | undefined): void;
}

/** The viewer could not be loaded, or died too often: pages are not shown. */
export const isViewerLost = signal(false);

const MOST_DEATHS = 3;
/** WebAssembly gives no memory back: a worker that has taken more than this makes room for a fresh one. */
const MOST_BYTES = 256_000_000;
let worker: Worker | undefined;
let deaths = 0;
let lastId = 0;
let current: (Waiting & { id: number }) | undefined;
const wishes: Waiting[] = [];
const opened = new Set<string>();

function start(): Worker {
  const started = new Worker(WORKER_PATH, { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    if (data.id !== current?.id) return;
    const { settle } = current;
    current = undefined;
    if (data.memoryBytes > MOST_BYTES) {
      started.terminate();
      worker = undefined;
    }
    settle(data);
    next();
  });
  started.addEventListener('error', (event) => {
    event.preventDefault();
    started.terminate();
    worker = undefined;
    deaths += 1;
    // Whatever it was at may have killed it: that is not asked for again. All others are, of another.
    const failed = current;
    current = undefined;
    failed?.settle(undefined);
    if (deaths >= MOST_DEATHS) giveUp();
    next();
  });
  return started;
}

function giveUp(): void {
  isViewerLost.value = true;
  for (const { settle } of wishes.splice(0)) settle(undefined);
}

function next(): void {
  if (current || isViewerLost.value) return;
  // Opening comes first, then what was wished for last: that is what is in view now.
  const at = wishes.findIndex(({ ask }) => ask.do !== 'draw');
  const wish = at >= 0 ? wishes.splice(at, 1)[0] : wishes.pop();
  if (!wish) return;
  worker ??= start();
  const id = ++lastId;
  current = { ...wish, id };
  worker.postMessage({ ...wish.ask, id });
}

function ask(wish: Ask): { answer: Promise<Answer | undefined>; forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  let isForgotten = false;
  const settle = (answer: Answer | undefined): void => {
    // Pixels that nobody waits for any longer are given back at once.
    if (isForgotten && answer && 'image' in answer) answer.image?.close();
    resolve(answer);
  };
  const waiting: Waiting = { ask: wish, settle };
  if (isViewerLost.value) resolve(undefined);
  else {
    wishes.push(waiting);
    next();
  }
  const forget = (): void => {
    const at = wishes.indexOf(waiting);
    if (at >= 0) wishes.splice(at, 1);
    isForgotten = true;
    resolve(undefined);
  };
  return { answer: promise, forget };
}

/** Told with each wish, so that any worker can fulfil it. */
const subjectOf = ({ id, file, password }: InputFile) => ({ key: id, file, password: password.value });

/** Finds out the pages of a file, once for each password. */
export async function openPages(input: InputFile): Promise<void> {
  if (!input.isPdf) {
    input.state.value = 'unseen';
    return;
  }
  opened.add(input.id);
  const wish = ask({ do: 'open', ...subjectOf(input) });
  const answer = await wish.answer;
  const told: Opened = answer && 'opened' in answer ? answer.opened : { state: 'unseen' };
  input.pages.value = told.state === 'ready' ? told.pages : [];
  input.state.value = told.state;
}

/** Looked at for the first time: its pages are found out. */
export function see(input: InputFile): void {
  if (!opened.has(input.id) && input.state.value === 'opening') void openPages(input);
}

/** A page as an image so many pixels wide; `forget` where it went out of view before its turn. */
export function drawPage(
  input: InputFile,
  page: number,
  width: number,
): { image: Promise<ImageBitmap | undefined>; forget: () => void } {
  const { answer, forget } = ask({ do: 'draw', ...subjectOf(input), page, width });
  return { image: answer.then((told) => (told && 'image' in told ? told.image : undefined)), forget };
}
