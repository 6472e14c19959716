// `bindery doctor`: which engines are there, and what to install.
import { plainLine } from '@bindery/sdk';
import { type Command, columns, UsageError, type Words } from './command.ts';
import { ofService } from './own-service.ts';
import { jsonText } from './shown.ts';

interface EngineLine {
  available: boolean;
  version?: string;
  missing?: string;
}

export const DOCTOR: Command = {
  summary: 'Tell which engines are available, and what to install for the others',
  positionals: [],
  options: {
    url: { value: 'address', description: 'Ask a running service instead of looking at this machine' },
    json: { description: 'Print JSON' },
  },
  examples: ['bindery doctor', 'bindery doctor --url http://127.0.0.1:8080'],
  async run(words, print) {
    const findings = await found(words);
    if (words.flag('json')) return print(jsonText(findings));
    const rows = Object.entries(findings.engines).map(
      ([name, { available, version, missing }]): [string, string] => [
        `${available ? 'ok     ' : 'missing'} ${plainLine(name)}`,
        plainLine(String((available ? version : missing) ?? '')),
      ],
    );
    print(columns(rows));
    if (findings.missing.length === 0) return;
    print('\nNot installed:\n');
    print(
      columns(findings.missing.map(({ name, without }): [string, string] => [name, `without it ${without}`])),
    );
    const packages = [...new Set(findings.missing.flatMap(({ debian }) => debian))];
    print(`\nInstall with: apt-get install --no-install-recommends ${packages.join(' ')}\n`);
  },
};

async function found(words: Words): Promise<{
  engines: Record<string, EngineLine>;
  missing: readonly { name: string; debian: readonly string[]; without: string }[];
}> {
  const url = words.text('url');
  if (url === undefined) {
    const { examine } = await ofService(
      () => import('@bindery/service/doctor'),
      '--url asks a running service what it has',
    );
    return examine(process.env.PATH ?? '');
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageError(`"${url}" is no address of a service; one looks like http://127.0.0.1:8080`);
  const address = new URL(`${url.replace(/\/+$/, '')}/api/v1/info/health`);
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(address, { redirect: 'manual', signal }).catch((error: Error) => {
    throw new Error(
      `${address.origin} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  const health = (await smallJson(answer).catch(() => null)) as { engines?: unknown } | null;
  if (!isTable(health?.engines)) throw new Error(`${address.origin} is not a Bindery service`);
  const engines = Object.entries(health.engines).filter((entry): entry is [string, EngineLine] =>
    isTable(entry[1]),
  );
  return { engines: Object.fromEntries(engines), missing: [] };
}

const ANSWER_MS = 30_000;
const ANSWER_BYTES = 1024 ** 2;

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function smallJson({ body }: Response): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES) throw new Error('the answer is too long');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}
