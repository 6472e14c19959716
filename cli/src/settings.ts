// What `bindery login` keeps: the address and key of a service, for this user alone.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './command.ts';

export interface Settings {
  url?: string;
  key?: string;
}

export const settingsPath = (): string =>
  process.env.BINDERY_CONFIG ||
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'bindery', 'config.json');

export function readSettings(): Settings {
  const path = settingsPath();
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  try {
    const { url, key } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...(typeof url === 'string' && url ? { url } : {}),
      ...(typeof key === 'string' && key ? { key } : {}),
    };
  } catch {
    throw new UsageError(`${path} is not the JSON that bindery login writes; correct it, or log in again`);
  }
}

export function writeSettings(settings: Settings): string {
  const path = settingsPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  // The mode is that of a new file: one that was there keeps its own.
  chmodSync(path, 0o600);
  return path;
}
