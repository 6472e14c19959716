// docs/benchmarks.md: the last run of each subject, with what the machine was.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Comparison } from './compare.ts';
import { type Growth, growthOf } from './growth.ts';
import { perSecond, quantile } from './load.ts';
import type { Memory } from './memory.ts';
import { ms, ratiosOf, rivalName, times } from './report.ts';
import type { Scenario } from './scenario.ts';

export interface Result {
  scenario: Scenario;
  comparison: Comparison;
}

export interface MeasuredSubject {
  subject: string;
  results: readonly Result[];
  /** What was not measured, and why. */
  left: readonly string[];
  /** Processes that wanted a processor when it began, on average of a minute. */
  load: number;
}

/** The page with one subject measured anew, in this order; what others wrote there stays behind it. */
export function writePage(
  before: string,
  measured: MeasuredSubject,
  idle: Memory,
  order: readonly string[],
): string {
  const sections = sectionsOf(before);
  sections.set(measured.subject, section(measured));
  return `# Benchmarks

Written by \`npm run bench [subject...] -- --write\`: our service over HTTP, warm, against the programs a user would
otherwise start for each document, in turns on one machine. Each subject is of its own last run.

- **alone**: one call after the other, the best and the 10 % quantile of the calls.
- **times as fast**: the rival's time by ours, best calls and 10 % quantiles compared; above 1 we are faster. Machines
  are shared and noisy: these ratios, and those of processor time, are what counts.
- **processor**: time of all processors for a call alone, of all processes, ours (API, workers and what they start) and
  the rival's.
- **at once**: calls a second at so many connections (so many programs at once for the rival), the ratio of both, and
  our processor time for a call then.
- **memory**: the most of all our processes meanwhile, shared pages counted once.
- **growth**: the exponent of time over pages, above what the smallest document takes: 1 is linear, 2 quadratic.

"Chromium kept warm" stands for services around a browser such as Gotenberg: the same headless shell that we use,
driven by puppeteer, with a browser context for each call, the page read from a file and printed as soon as it is loaded,
without tags. It has neither HTTP nor uploads nor a queue of its own, and none of the waits that such services add.

${facts(idle)}

${[...new Set([...order, ...sections.keys()])]
  .flatMap((subject) => sections.get(subject) ?? [])
  .map((text) => text.trim())
  .join('\n\n')}
`;
}

function sectionsOf(page: string): Map<string, string> {
  const [, ...parts] = page.split(/^(?=## )/m);
  return new Map(parts.map((part) => [part.slice(3, part.indexOf('\n')).trim(), part]));
}

function section({ subject, results, left, load }: MeasuredSubject): string {
  const growth = growthOf(results).filter(({ pages }) => pages.length > 1);
  const day = new Date().toISOString().slice(0, 10);
  return [
    `## ${subject}`,
    `${day}, load of the machine before it ${load.toFixed(1)}.`,
    table(
      ['work', 'alone', 'rival', 'times as fast', 'processor', 'at once', 'memory'],
      results.map(resultRow),
    ),
    ...(growth.length === 0
      ? []
      : [table(['growth of', 'pages', 'ours', 'processor', 'rival'], growth.map(growthRow))]),
    ...(left.length === 0 ? [] : [`Not measured: ${left.join('; ')}.`]),
  ].join('\n\n');
}

function facts(idle: Memory): string {
  const [processor] = cpus();
  const system = /PRETTY_NAME="(.*)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown';
  const rivals = [
    ['qpdf', '--version'],
    ['pdftotext', '-v'],
    ['mutool', '-v'],
    ['gs', '--version'],
    ['ocrmypdf', '--version'],
    ['soffice', '--version'],
  ].map(([program = '', option = '']) => versionOf(program, option));
  return [
    `- Machine: ${availableParallelism()} processors (${processor?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${system}, Node.js ${process.version}.`,
    `- Rivals: ${rivals.join('; ')}.`,
    `- Idle: ${idle.processes} processes, ${idle.rssMb.toFixed(0)} MB resident, ${idle.pssMb.toFixed(0)} MB with shared pages counted once.`,
  ].join('\n');
}

function versionOf(program: string, option: string): string {
  try {
    const said = execFileSync('sh', ['-c', `${program} ${option} 2>&1`], { encoding: 'utf8' });
    const version = /\d+(?:\.\d+)+/.exec(said)?.[0] ?? 'of an unknown version';
    return `${program} ${version}`;
  } catch {
    return `${program} is not installed`;
  }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function resultRow({ scenario, comparison }: Result): string[] {
  const { ours, rival, memoryMb, missing, atOnce } = comparison;
  const ratios = ratiosOf(comparison);
  const alone = (side: typeof ours): string =>
    `${ms(quantile(side.alone, 0))}, ${ms(quantile(side.alone, 0.1))}`;
  const failures = ours.alone.failures + ours.loaded.failures;
  return [
    failures > 0 ? `${scenario.name} (${failures} calls failed)` : scenario.name,
    alone(ours),
    rival ? `${rivalName(scenario)}: ${alone(rival)}` : missing ? `${missing} is not installed` : '',
    ratios ? `${times(ratios.best)}, ${times(ratios.tenth)}` : '',
    `${ms(ours.aloneCpuMs)}${rival ? ` against ${ms(rival.aloneCpuMs)}` : ''}`,
    `${perSecond(ours.loaded).toFixed(1)}/s at ${atOnce}${ratios ? `, ${times(ratios.throughput)} times` : ''}, ${ms(ours.loadedCpuMs)}`,
    `${memoryMb.toFixed(0)} MB`,
  ];
}

const growthRow = ({ work, pages, ours, cpu, rival }: Growth): string[] => [
  work,
  pages.join(', '),
  exponent(ours),
  exponent(cpu),
  exponent(rival),
];

const exponent = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2));
