// `bindery doctor`: which engines are there, and what to install.
import { examine } from '@bindery/service/doctor';
import { type Command, columns, UsageError, type Words } from './command.ts';

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
    if (words.flag('json')) return print(`${JSON.stringify(findings, null, 2)}\n`);
    const rows = Object.entries(findings.engines).map(
      ([name, { available, version, missing }]): [string, string] => [
        `${available ? 'ok     ' : 'missing'} ${name}`,
        available ? (version ?? '') : (missing ?? ''),
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
  if (url === undefined) return examine(process.env.PATH ?? '');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageError(`"${url}" is no address of a service; one looks like http://127.0.0.1:8080`);
  const address = new URL(`${url.replace(/\/+$/, '')}/api/v1/info/health`);
  const answer = await fetch(address).catch((error: Error) => {
    throw new Error(
      `${address.origin} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  const health = (await answer.json().catch(() => null)) as { engines?: Record<string, EngineLine> } | null;
  if (typeof health?.engines !== 'object') throw new Error(`${address.origin} is not a Bindery service`);
  return { engines: health.engines, missing: [] };
}
