// Figures of the process and its build, under the names every Prometheus client gives them; and of those who wait for
// workers.
import { readdirSync } from 'node:fs';
import type { Runner } from '../../jobs/runner.ts';
import { WaitTimes } from '../../jobs/wait-times.ts';
import type { Gauge } from './metrics.ts';

const STARTED_AT = Math.round(Date.now() / 1000 - process.uptime());

export const processFigures = (version: string): Gauge[] => [
  {
    name: 'bindery_build_info',
    help: 'What runs: always 1.',
    type: 'gauge',
    labels: { version, node: process.versions.node, platform: `${process.platform}-${process.arch}` },
    read: () => 1,
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the API process was started, in seconds since 1970.',
    type: 'gauge',
    read: () => STARTED_AT,
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the API process.',
    type: 'counter',
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the API process.',
    type: 'gauge',
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'nodejs_heap_size_used_bytes',
    help: 'Of that, what values of the program take.',
    type: 'gauge',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: 'process_open_fds',
    help: 'Files and connections that the API process has open; -1 where the system does not tell.',
    type: 'gauge',
    read: openFiles,
  },
];

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return -1;
  }
}

export const poolFigures = (runner: Runner): Gauge[] => [
  {
    name: 'bindery_queue_wait_seconds',
    help: 'Time that jobs waited for a worker.',
    type: 'histogram',
    read: () => {
      const { counts, seconds } = runner.load().waits;
      return { bounds: WaitTimes.bounds, counts, sum: seconds };
    },
  },
  {
    name: 'bindery_worker_kills_total',
    help: 'Workers ended at work, by the reason their caller was told; left: he had gone.',
    type: 'counter',
    label: 'reason',
    read: () => runner.load().kills,
  },
];
