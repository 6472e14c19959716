// The tables of docs/scale.md, from the measured costs alone.
import type { Costs } from './costs.ts';
import { MIXES } from './costs.ts';
import { capacityFor, RATES, saturation } from './model.ts';

const BEGIN = '<!-- made by: npm run bench scale -- --write -->';
const END = '<!-- end -->';

const few = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(0) : value.toFixed(1);
const fine = (value: number): string =>
  value >= 100 ? few(value) : value >= 1 ? value.toFixed(1) : value.toFixed(2);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function costTable({ calls }: Costs): string {
  return table(
    [
      'operation',
      'document',
      'API ms',
      'worker ms',
      'Redis ms',
      'Redis round trips',
      'Redis commands',
      'kB in',
      'kB out',
      'kB bucket',
    ],
    calls.map((call) => [
      `\`${call.operation}\``,
      call.document,
      ...[call.apiMs, call.workerMs, call.redisMs].map(fine),
      few(call.redisRoundTrips),
      few(call.redisCommands),
      ...[call.bytesIn, call.bytesOut, call.bucketBytes].map((bytes) => few(bytes / 1000)),
    ]),
  );
}

function capacityTable(costs: Costs, mix: string): string {
  return table(
    [
      'calls/s',
      'worker processes',
      'worker nodes',
      'API nodes',
      'Redis commands/s',
      'Redis busy',
      'Redis servers',
      'Mbit/s',
      'bucket MB/s',
      'wait ms, 50 % / 99 %',
    ],
    RATES.map((rate) => {
      const need = capacityFor(costs, MIXES[mix] ?? {}, rate);
      return [
        ...[rate, need.workerProcesses, need.workerNodes, need.apiNodes].map((value) =>
          value.toLocaleString('en'),
        ),
        few(need.redisCommands),
        `${fine(100 * need.redisBusy)} %`,
        String(need.redisServers),
        few(need.networkMbit),
        few(need.bucketMb),
        `${few(need.waitMs.median)} / ${few(need.waitMs.most)}`,
      ];
    }),
  );
}

export function scaleTables(costs: Costs): string {
  const parts = [`### What a call costs\n\n${costTable(costs)}`];
  for (const mix of Object.keys(MIXES)) {
    const { redis, api, worker } = saturation(costs, MIXES[mix] ?? {});
    parts.push(
      `### ${mix}\n\n${capacityTable(costs, mix)}\n\n` +
        `One API node is full at ${few(api)} calls a second, one worker node at ${few(worker)}, one Redis at ${few(redis)}.`,
    );
  }
  const origin = `Measured ${costs.measured} on ${costs.machine}; path: ${costs.path}.`;
  return `${BEGIN}\n\n${origin}\n\n${parts.join('\n\n')}\n\n${END}`;
}

/** The page with its tables made anew. */
export function withTables(page: string, costs: Costs): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('the page has no place for its tables');
  return page.slice(0, begin) + scaleTables(costs) + page.slice(end + END.length);
}
