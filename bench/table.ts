// docs/benchmarks.md: the last run, with what the machine was.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { Comparison } from './compare.ts';
import { type Growth, growthOf } from './growth.ts';
import { perSecond, quantile } from './load.ts';
import type { Memory } from './memory.ts';
import { ms, ratiosOf, rivalName, times } from './report.ts';
import type { Scenario } from './scenario.ts';

export interface Result {
  subject: string;
  scenario: Scenario;
  comparison: Comparison;
}

export function writeTable(results: readonly Result[], idle: Memory): string {
  const subjects = [...new Set(results.map(({ subject }) => subject))];
  return `# Benchmarks

The last run of \`npm run bench -- --write\`, which wrote this page: our service over HTTP, warm, against the programs a
user would otherwise start for each document, in turns on one machine.

- **alone**: one call after the other, the best and the 10 % quantile of the calls.
- **times as fast**: the rival's time by ours, best calls and 10 % quantiles compared; above 1 we are faster. Machines
  are shared and noisy: these ratios, and those of processor time, are what counts.
- **processor**: time of all processors for a call, of all processes, ours (API, workers and what they start) and the
  rival's.
- **at 8**: calls a second at as many connections as the column says, and the ratio of both.
- **memory**: all our processes under that load, shared pages counted once.

${facts(idle)}

${subjects.map((subject) => subjectTable(subject, results)).join('\n\n')}

## Growth

The exponent of time over pages, above what the smallest document takes: 1 is linear, 2 quadratic.

${growthTable(results)}
`;
}

function facts(idle: Memory): string {
  const [processor] = cpus();
  const version = (program: string, args: string[]): string => {
    try {
      return (
        execFileSync('sh', ['-c', `${program} ${args.join(' ')} 2>&1`], { encoding: 'utf8' }).split(
          '\n',
        )[0] ?? ''
      );
    } catch {
      return `${program}: not there`;
    }
  };
  const system = /PRETTY_NAME="(.*)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown';
  return [
    `- Machine: ${availableParallelism()} processors (${processor?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${system}, Node.js ${process.version}; load while it ran ${loadavg()[2]?.toFixed(1)}.`,
    `- Rivals: ${[version('qpdf', ['--version']), version('pdftotext', ['-v']), version('mutool', ['-v']), `Ghostscript ${version('gs', ['--version'])}`].join('; ')}.`,
    `- Idle: ${idle.processes} processes, ${idle.rssMb.toFixed(0)} MB resident, ${idle.pssMb.toFixed(0)} MB with shared pages counted once.`,
    `- Day: ${new Date().toISOString().slice(0, 10)}.`,
  ].join('\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function subjectTable(subject: string, results: readonly Result[]): string {
  const head = ['work', 'alone', 'rival', 'times as fast', 'processor', 'at once', 'memory'];
  const rows = results.filter((result) => result.subject === subject).map(resultRow);
  return [`## ${subject}`, '', row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function resultRow({ scenario, comparison }: Result): string[] {
  const { ours, rival, memoryMb } = comparison;
  const ratios = ratiosOf(comparison);
  const alone = (side: typeof ours): string =>
    `${ms(quantile(side.alone, 0))}, ${ms(quantile(side.alone, 0.1))}`;
  return [
    scenario.name,
    alone(ours),
    rival ? `${rivalName(scenario)} ${alone(rival)}` : '',
    ratios ? `${times(ratios.best)}, ${times(ratios.tenth)}` : '',
    `${ms(ours.aloneCpuMs)}${rival ? ` against ${ms(rival.aloneCpuMs)}` : ''}`,
    `${perSecond(ours.loaded).toFixed(1)}/s at ${scenario.connections}${ratios ? `, ${times(ratios.throughput)} times` : ''}`,
    `${memoryMb.toFixed(0)} MB`,
  ];
}

function growthTable(results: readonly Result[]): string {
  const head = ['work', 'pages', 'ours', 'processor', 'rival'];
  const rows = growthOf(results).map(({ work, pages, ours, cpu, rival }: Growth) => [
    work,
    pages.join(', '),
    exponent(ours),
    exponent(cpu),
    exponent(rival),
  ]);
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

const exponent = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2));
