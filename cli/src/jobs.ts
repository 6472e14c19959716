// Asynchronous calls on the command line: what --background began is followed, fetched and cancelled here.
import { type Bindery, type JobDocument, plainLine } from '@bindery/sdk';
import { type Command, columns, type Group, type Option, UsageError, type Words } from './command.ts';
import { connect } from './connection.ts';
import { commonWords } from './operation-words.ts';
import { COMMON_OPTIONS } from './option-names.ts';
import { destinationOf, keep } from './outputs.ts';
import { Progress } from './progress.ts';
import { jsonText } from './shown.ts';

const SERVICE: Record<string, Option> = Object.fromEntries(
  ['url', 'key', 'json'].map((name) => [name, COMMON_OPTIONS[name] as Option]),
);
const QUIET = COMMON_OPTIONS.quiet as Option;

async function withService<T>(words: Words, work: (bindery: Bindery) => Promise<T>): Promise<T> {
  const common = commonWords({ url: words.text('url'), key: words.text('key'), timeout: '0' });
  const { bindery, close } = await connect(common);
  try {
    return await work(bindery);
  } finally {
    await close();
  }
}

const idOf = (words: Words): string => words.positionals[0] ?? '';

const line = (text: unknown): string => plainLine(String(text ?? ''));

const whatOf = ({ operation, steps }: JobDocument): string => operation ?? (steps ?? []).join(' > ');

function facts(job: JobDocument): string {
  const rows: [string, string][] = [
    ['status', job.status],
    ['call', line(whatOf(job))],
    ['done', `${Math.floor(job.progress.done * 100)} %  ${job.progress.message}`],
    ['accepted', line(job.createdAt)],
  ];
  if (job.finishedAt) rows.push(['ended', line(job.finishedAt)]);
  if (job.expiresAt) rows.push(['kept until', line(job.expiresAt)]);
  if (job.result) rows.push(['result', line(`${job.result.filename ?? ''} ${job.result.size} bytes`).trim()]);
  if (job.problem) rows.push(['problem', line(`${job.problem.reason}: ${job.problem.detail}`)]);
  return `${line(job.id)}\n${columns(rows)}`;
}

const tell = (words: Words, print: (text: string) => void, job: JobDocument): void =>
  print(words.flag('json') ? jsonText(job) : facts(job));

const list: Command = {
  summary: 'List your jobs, newest first',
  positionals: [],
  options: { ...SERVICE, limit: { value: 'count', description: 'How many at most', default: '50' } },
  examples: ['bindery jobs list --limit 10'],
  async run(words, print) {
    const limit = Number(words.text('limit'));
    if (!Number.isInteger(limit) || limit < 1 || limit > 200)
      throw new UsageError('--limit must be a whole number from 1 to 200');
    const { jobs } = await withService(words, (bindery) => bindery.jobs.list({ limit }));
    if (words.flag('json')) return print(jsonText(jobs));
    if (jobs.length === 0) return print('There are no jobs.\n');
    const rows = jobs.map((job): [string, string] => [
      line(job.id),
      `${job.status.padEnd(9)}  ${line(job.createdAt)}  ${line(whatOf(job))}`,
    ]);
    print(columns(rows));
  },
};

const show: Command = {
  summary: 'Show how a job stands',
  positionals: ['id'],
  options: SERVICE,
  examples: ['bindery jobs show <id>'],
  run: (words, print) =>
    withService(words, async (bindery) => tell(words, print, await bindery.jobs.get(idOf(words)))),
};

/** A bar from the events of the job, while `work` goes on. */
async function shown<T>(
  words: Words,
  label: string,
  work: (onProgress: (progress: { work?: { done: number; message: string } }) => void) => Promise<T>,
): Promise<T> {
  const progress = new Progress(words.flag('quiet'));
  progress.show(0, 0, label);
  try {
    return await work((told) => {
      if (told.work) progress.show(told.work.done, 1, `${told.work.message}  ${label}`);
    });
  } finally {
    progress.clear();
  }
}

const wait: Command = {
  summary: 'Wait until a job has ended',
  positionals: ['id'],
  options: { ...SERVICE, quiet: QUIET },
  examples: ['bindery jobs wait "$(bindery ocr scan.pdf --background)"'],
  run: (words, print) =>
    withService(words, async (bindery) => {
      const job = await shown(words, idOf(words), (onProgress) =>
        bindery.jobs.wait(idOf(words), { onProgress }),
      );
      tell(words, print, job);
      if (job.status !== 'succeeded') process.exitCode = 1;
    }),
};

const result: Command = {
  summary: 'Fetch what came of a job, waiting for it where it has not ended',
  positionals: ['id'],
  options: {
    ...SERVICE,
    quiet: QUIET,
    output: COMMON_OPTIONS.output as Option,
    force: COMMON_OPTIONS.force as Option,
  },
  examples: ['bindery jobs result <id> --output result.pdf'],
  run: (words, print) =>
    withService(words, async (bindery) => {
      const json = words.flag('json');
      const output = words.text('output');
      const destination = destinationOf({ output, force: words.flag('force'), json }, [], false);
      const found = await shown(words, idOf(words), (onProgress) =>
        bindery.jobs.result(idOf(words), { onProgress }),
      );
      const kept = await keep(found, destination);
      if (json) print(jsonText(kept));
      else if (kept.output !== '-' && !words.flag('quiet')) process.stderr.write(`${line(kept.output)}\n`);
    }),
};

const cancel: Command = {
  summary: 'Cancel a job that is not finished, remove one that is',
  positionals: ['id'],
  options: { url: SERVICE.url as Option, key: SERVICE.key as Option },
  examples: ['bindery jobs cancel <id>'],
  run: (words) => withService(words, (bindery) => bindery.jobs.cancel(idOf(words))),
};

export const JOBS: Group = {
  summary: 'Calls that go on in the service after --background',
  example: 'bindery jobs result <id> --output result.pdf',
  commands: { list, show, wait, result, cancel },
};
