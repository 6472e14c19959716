// `bindery keys`: the keys of the service whose data folder is on this machine.
import type { ApiKey, KeyPlace } from '@bindery/service/keys';
import { type Command, type Group, type Option, UsageError, type Words } from './command.ts';
import { ofService } from './own-service.ts';

/** Loaded by commands that work with keys, not by their help. */
const service = () =>
  ofService(
    () => import('@bindery/service/keys'),
    'call it in a clone of Bindery or its image, or use POST /api/v1/admin/keys with an admin key',
  );

const DATA_DIR: Option = {
  value: 'folder',
  description: "The service's data folder; absent: what the settings name, else ./data",
};
const JSON_FLAG: Option = { description: 'Print JSON' };

const placeOf = async (words: Words): Promise<KeyPlace> => (await service()).keyPlace(words.text('data-dir'));
const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const minutes = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What a key command refuses as a value is a mistake in how it was called. */
async function checked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { BadKeyOption } = await service();
    if (error instanceof BadKeyOption) throw new UsageError(error.message);
    throw error;
  }
}

const create: Command = {
  summary: 'Create a key and print its secret, once',
  positionals: [],
  options: {
    name: { value: 'text', description: 'What the key is for', required: true },
    plan: { value: 'plan', description: 'standard or unlimited', default: 'standard' },
    scopes: {
      value: 'list',
      description: 'analysis, convert, filter, form, general, misc, security, pipeline, or * for all',
      default: '*',
    },
    expires: {
      value: 'when',
      description: 'A time from now (12h, 30d, 1y), a date (2030-12-31) or never',
      default: 'never',
    },
    json: JSON_FLAG,
    'data-dir': DATA_DIR,
  },
  examples: ['bindery keys create --name ci --plan standard --scopes general,misc --expires 30d'],
  async run(words, print) {
    const { createKey, placeName } = await service();
    const place = await placeOf(words);
    const option = (name: string) => words.text(name) ?? '';
    const { key, secret } = await checked(
      createKey(place, {
        name: option('name'),
        plan: option('plan'),
        scopes: option('scopes'),
        expires: option('expires'),
      }),
    );
    if (words.flag('json')) return print(asJson({ ...key, secret }));
    const expiry = key.expiresAt ? `expires ${minutes(key.expiresAt)}` : 'never expires';
    print(
      `Created ${key.id} "${key.name}" in ${placeName(place)}: plan ${key.plan}, scopes ${key.scopes}, ${expiry}.\n`,
    );
    print(`The secret, shown only now; send it in the X-API-KEY header:\n\n${secret}\n`);
  },
};

const list: Command = {
  summary: 'List the keys',
  positionals: [],
  options: { json: JSON_FLAG, 'data-dir': DATA_DIR },
  examples: ['bindery keys list', 'bindery keys list --json'],
  async run(words, print) {
    const now = new Date();
    const { keyState, listKeys } = await service();
    const keys = await listKeys(await placeOf(words));
    if (words.flag('json')) return print(asJson(keys.map((key) => ({ ...key, state: keyState(key, now) }))));
    print(keys.length === 0 ? 'There are no keys.\n' : table(keys, (key) => keyState(key, now)));
  },
};

const HEADINGS = ['ID', 'NAME', 'PLAN', 'SCOPES', 'STATE', 'CREATED', 'LAST USED', 'EXPIRES'];

function table(keys: readonly ApiKey[], stateOf: (key: ApiKey) => string): string {
  const rows = keys.map((key) => [
    key.id,
    key.seeded ? `${key.name} (set by BINDERY_API_KEY)` : key.name,
    key.plan,
    key.scopes.join(','),
    stateOf(key),
    minutes(key.createdAt),
    key.lastUsedAt ? minutes(key.lastUsedAt) : 'never',
    key.expiresAt ? minutes(key.expiresAt) : 'never',
  ]);
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => `${line(row).trimEnd()}\n`).join('');
}

const revoke: Command = {
  summary: 'Refuse a key from now on',
  positionals: ['id'],
  options: { 'data-dir': DATA_DIR },
  examples: ['bindery keys revoke key_abcdefghijkl'],
  async run(words, print) {
    const { revokeKey } = await service();
    const key = await revokeKey(await placeOf(words), words.positionals[0] ?? '');
    print(`Revoked ${key.id} "${key.name}".\n`);
    if (key.seeded) print('The next start of the service brings it back while BINDERY_API_KEY is set.\n');
  },
};

const rotate: Command = {
  summary: 'Give a key a new secret; the old one works on for a while',
  positionals: ['id'],
  options: {
    grace: { value: 'time', description: 'How long the old secret still works: 24h, 7d, 0', default: '24h' },
    json: JSON_FLAG,
    'data-dir': DATA_DIR,
  },
  examples: ['bindery keys rotate key_abcdefghijkl --grace 7d'],
  async run(words, print) {
    const id = words.positionals[0] ?? '';
    const { rotateKey } = await service();
    const { key, secret, oldSecretUntil } = await checked(
      rotateKey(await placeOf(words), id, words.text('grace') ?? ''),
    );
    if (words.flag('json')) return print(asJson({ id: key.id, secret, oldSecretUntil }));
    print(`Rotated ${key.id} "${key.name}"; the old secret works until ${minutes(oldSecretUntil)}.\n`);
    print(`The new secret, shown only now; send it in the X-API-KEY header:\n\n${secret}\n`);
  },
};

export const KEYS: Group = {
  summary: 'Manage the API keys of a service, on its own machine',
  example: 'bindery keys create --name ci --scopes general,misc --expires 30d',
  commands: { create, list, revoke, rotate },
};
