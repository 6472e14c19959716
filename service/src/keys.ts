// The verbs behind `bindery keys`, on a data folder. They may run beside the service, which obeys at once.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { createLog } from './contract/log.ts';
import { prepareDataFolder } from './data-folder.ts';
import { databaseFile, openDatabase } from './state/embedded/database.ts';
import { createKeys } from './state/embedded/keys.ts';
import { ADMIN, isKeyName, isPlanName, isScope, PLAN_NAMES, SCOPES } from './state/plans.ts';
import type { ApiKey, Keys } from './state/state.ts';

export type { ApiKey } from './state/state.ts';

/** A value that is not valid: what was wrong, and what would be right. */
export class BadKeyOption extends Error {}
/** Something valid that cannot be done. */
export class KeyRefusal extends Error {}

export interface NewKeyOptions {
  name: string;
  plan: string;
  /** Comma separated. */
  scopes: string;
  /** How long from now, a date, or `never`. */
  expires: string;
}

const DAY_MS = 24 * 3600 * 1000;
const UNIT_MS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  y: 365 * DAY_MS,
};
const LONGEST_LIFE_MS = 100 * 365 * DAY_MS;
const LONGEST_GRACE_MS = 365 * DAY_MS;

/** Where keys are kept: in a data folder, or in the state that many machines share. */
export type KeyPlace = { dataDir: string } | NonNullable<Config['shared']>;

/** The folder given, or what the service's settings name. */
export function keyPlace(given: string | undefined): KeyPlace {
  if (given !== undefined) return { dataDir: resolve(given) };
  const { dataDir, shared } = readConfig();
  return shared ?? { dataDir };
}

export const placeName = (place: KeyPlace): string =>
  'dataDir' in place ? place.dataDir : `the shared state (bucket ${place.bucket.bucket})`;

export async function createKey(
  place: KeyPlace,
  options: NewKeyOptions,
): Promise<{ key: ApiKey; secret: string }> {
  const key = {
    name: keyName(options.name),
    plan: planName(options.plan),
    scopes: scopeList(options.scopes),
    expiresAt: expiryDate(options.expires, new Date()),
  };
  if ('dataDir' in place) prepareDataFolder(place.dataDir);
  return withKeys(place, (keys) => keys.create(key));
}

export async function listKeys(place: KeyPlace): Promise<ApiKey[]> {
  return withExistingKeys(place, (keys) => keys.list());
}

export async function revokeKey(place: KeyPlace, id: string): Promise<ApiKey> {
  return withExistingKeys(place, async (keys) => {
    const key = await knownKey(keys, id);
    if (!(await keys.revoke(id))) throw new KeyRefusal(`The key ${id} is already revoked.`);
    return key;
  });
}

export interface Rotation {
  key: ApiKey;
  secret: string;
  oldSecretUntil: Date;
}

export async function rotateKey(place: KeyPlace, id: string, grace: string): Promise<Rotation> {
  const graceMs = duration(grace);
  if (graceMs === undefined || graceMs > LONGEST_GRACE_MS) {
    throw new BadKeyOption(`--grace is "${grace}" but must be a time up to 1y such as 24h or 7d, or 0.`);
  }
  return withExistingKeys(place, async (keys) => {
    const key = await knownKey(keys, id);
    const oldSecretUntil = new Date(Date.now() + graceMs);
    const secret = await keys.rotate(id, graceMs);
    if (secret === undefined) throw new KeyRefusal(whyNotRotated(key));
    return { key, secret, oldSecretUntil };
  });
}

function whyNotRotated(key: ApiKey): string {
  if (key.seeded) return `The secret of ${key.id} is set by BINDERY_API_KEY: change it there.`;
  return `The key ${key.id} is ${keyState(key, new Date())}: create a new one.`;
}

export function keyState(key: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active';
}

async function knownKey(keys: Keys, id: string): Promise<ApiKey> {
  const key = (await keys.list()).find((one) => one.id === id);
  if (!key) throw new KeyRefusal(`There is no key ${id}; "bindery keys list" shows all.`);
  return key;
}

async function withKeys<T>(place: KeyPlace, work: (keys: Keys) => Promise<T>): Promise<T> {
  const log = createLog('silent');
  if (!('dataDir' in place)) {
    // Loaded in this mode alone.
    const { withSharedKeys } = await import('./state/shared/shared-state.ts');
    return withSharedKeys({ ...place, log }, work);
  }
  const db = openDatabase(place.dataDir);
  try {
    return await work(createKeys(db, () => new Date(), log));
  } finally {
    db.close();
  }
}

/** Where there is nothing to see, nothing is made either: the folder is most likely a wrong one. */
async function withExistingKeys<T>(place: KeyPlace, work: (keys: Keys) => Promise<T>): Promise<T> {
  if ('dataDir' in place && !existsSync(databaseFile(place.dataDir))) {
    throw new KeyRefusal(
      `There are no keys in ${place.dataDir}; name the service's data folder with --data-dir.`,
    );
  }
  return withKeys(place, work);
}

function keyName(given: string): string {
  const name = given.trim().normalize('NFC');
  if (isKeyName(name)) return name;
  throw new BadKeyOption('--name must be 1 to 100 characters without control characters.');
}

function planName(given: string): string {
  if (isPlanName(given)) return given;
  throw new BadKeyOption(`--plan is "${given}" but must be one of ${PLAN_NAMES.join(', ')}.`);
}

function scopeList(given: string): string[] {
  const words = [...new Set(given.split(',').map((word) => word.trim()))].filter((word) => word !== '');
  const wrong = words.find((word) => !isScope(word));
  if (words.length > 0 && wrong === undefined)
    return words.includes('*') ? words.filter((word) => word === '*' || word === ADMIN) : words;
  throw new BadKeyOption(
    `--scopes holds "${wrong ?? ''}" but must be a comma list of ${SCOPES.slice(1).join(', ')}, or *.`,
  );
}

function expiryDate(given: string, now: Date): Date | null {
  if (given === 'never') return null;
  const date = expiryTime(given, now);
  if (date > now.getTime() && date - now.getTime() <= LONGEST_LIFE_MS) return new Date(date);
  throw new BadKeyOption(
    `--expires is "${given}" but must be a time from now such as 12h, 30d or 1y, a date to come such as 2030-12-31, or never.`,
  );
}

function expiryTime(given: string, now: Date): number {
  if (/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?$/.test(given)) return Date.parse(given);
  return now.getTime() + (duration(given) ?? Number.NaN);
}

/** `30d`, `12h`, `0`; undefined: not a duration. */
function duration(given: string): number | undefined {
  if (given === '0') return 0;
  const [, count, unit] = /^(\d{1,9})([smhdwy])$/.exec(given) ?? [];
  return unit === undefined ? undefined : Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}
