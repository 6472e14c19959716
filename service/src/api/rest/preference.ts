// What a caller prefers (RFC 7240): to be answered at once while the work goes on, perhaps after some seconds.
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../contract/limits.ts';

export interface Preference {
  /** Seconds to wait for the answer itself. */
  waitSeconds: number | undefined;
}

/** Of a call that is always done later. */
export const NO_PREFERENCE: Preference = { waitSeconds: undefined };

/** Undefined where the caller waits for the answer, as ever. Preferences are never wrong: what cannot be read is ignored. */
export function asynchronousPreference({ headers }: IncomingMessage): Preference | undefined {
  const { prefer } = headers;
  // Node puts several such headers into one.
  if (prefer === undefined) return undefined;
  const preferences = preferencesIn(String(prefer));
  if (!preferences.has('respond-async')) return undefined;
  const wait = preferences.get('wait') ?? '';
  const waitSeconds = /^\d{1,9}$/.test(wait)
    ? Math.min(Number(wait), LIMITS.preferredWaitSeconds)
    : undefined;
  return { waitSeconds: waitSeconds === 0 ? undefined : waitSeconds };
}

/** Read in one go: names in small letters with their values; the first of a name counts. */
function preferencesIn(header: string): Map<string, string> {
  const found = new Map<string, string>();
  let quoted = false;
  let from = 0;
  const take = (end: number): void => {
    // Parameters after a semicolon say nothing of what we know.
    const [first = ''] = header.slice(from, end).split(';', 1);
    const equals = first.indexOf('=');
    const name = (equals < 0 ? first : first.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? '' : first.slice(equals + 1).trim();
    if (name !== '' && !found.has(name)) found.set(name, unquoted(value));
    from = end + 1;
  };
  for (let at = 0; at < header.length; at += 1) {
    const character = header[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === ',') take(at);
  }
  take(header.length);
  return found;
}

const unquoted = (value: string): string =>
  value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;

/** What of it was heeded, for Preference-Applied. */
export const applied = ({ waitSeconds }: Preference): string =>
  waitSeconds === undefined ? 'respond-async' : `respond-async, wait=${waitSeconds}`;
