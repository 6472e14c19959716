// Commands that are no operation. Each is loaded when it is called: help must answer at once.
import type { Command, Group } from './command.ts';

export const OWN_SUMMARIES: Readonly<Record<string, string>> = {
  pipeline: 'Several operations in one request, from a YAML or JSON file',
  batch: 'One operation or pipeline for each of many files, as one job',
  jobs: 'Calls in the background: list, show, wait, result, cancel',
  login: 'Keep the address and key of a service',
  serve: 'Run the service here, where it is installed',
  keys: 'API keys of a service, on its own machine',
  doctor: 'Which engines are available, and what to install',
  'verify-report': 'Check a redaction report and the file it speaks of',
  completion: 'Completion scripts for shells',
};

const GROUPS: Readonly<Record<string, () => Promise<Group>>> = {
  keys: async () => (await import('./keys.ts')).KEYS,
  jobs: async () => (await import('./jobs.ts')).JOBS,
  completion: async () => (await import('./completion-scripts.ts')).COMPLETION,
};
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  login: async () => (await import('./login.ts')).LOGIN,
  serve: async () => (await import('./serve.ts')).SERVE,
  doctor: async () => (await import('./doctor.ts')).DOCTOR,
  'verify-report': async () => (await import('./verify-report.ts')).VERIFY_REPORT,
};

const entryOf = <T>(table: Readonly<Record<string, () => Promise<T>>>, word: string) =>
  Object.hasOwn(table, word) ? table[word]?.() : undefined;

export const commandNamed = async (word: string): Promise<Command | undefined> => entryOf(COMMANDS, word);

export const groupNamed = async (word: string): Promise<Group | undefined> => entryOf(GROUPS, word);
