// A proxy as deploy/ configures it, with the names and ports of this machine put in, and a caller who knows it by its
// outer name.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { missing } from '../../service/testing/oracles/programs.ts';
import { eventually, freePort, start } from '../../service/testing/servers/started.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');

interface Places {
  folder: string;
  name: string;
  port: number;
  plainPort: number;
  upstreams: readonly number[];
}

export interface ProxyProgram {
  name: string;
  whyNot(): string | false;
  /** Its configuration, of which nothing is changed but places. */
  configure(places: Places): string;
  command(path: string, places: Places): readonly [program: string, ...args: string[]];
}

const withUpstreams = (text: string, [first = 0, second = 0]: readonly number[]): string =>
  text.replace('api-1:8080', `127.0.0.1:${first}`).replace('api-2:8080', `127.0.0.1:${second}`);

export const PROXIES: Readonly<Record<string, ProxyProgram>> = {
  nginx: {
    name: 'nginx',
    whyNot: () => missing('nginx', 'openssl'),
    configure: ({ folder, port, plainPort, upstreams }) =>
      `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\n` +
      withUpstreams(readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8'), upstreams)
        .replace('listen 443 ', `listen 127.0.0.1:${port} `)
        .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
        .replaceAll('/etc/nginx/tls/', `${folder}/`)
        .replace('http {', `http {\n${temporaryFolders(folder)}`),
    command: (path, { folder }) => ['nginx', '-p', folder, '-e', join(folder, 'error.log'), '-c', path],
  },
  caddy: {
    name: 'caddy',
    whyNot: () => missing('caddy', 'openssl'),
    configure: ({ folder, name, port, plainPort, upstreams }) =>
      `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1\n}\n` +
      withUpstreams(readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8'), upstreams).replace(
        /^\{\$DOMAIN:localhost\} \{$/m,
        // A certificate of ours in place of one that is asked for outside.
        `${name} {\n\ttls ${folder}/tls.crt ${folder}/tls.key`,
      ),
    command: (path) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', path],
  },
};

const temporaryFolders = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};\n`)
    .concat(`access_log ${folder}/access.log;\n`)
    .join('');

export interface RunningProxy {
  port: number;
  /** The certificate that callers trust. */
  authority: string;
  /** The last lines of its log of errors, where it has one. */
  said(): string;
  stop(): Promise<void>;
}

export async function startProxy(
  proxy: ProxyProgram,
  folder: string,
  name: string,
  upstreams: readonly number[],
): Promise<RunningProxy> {
  const places = { folder, name, upstreams, port: await freePort(), plainPort: await freePort() };
  const authority = certificate(folder, name);
  mkdirSync(join(folder, 'home'), { recursive: true });
  const path = join(folder, 'proxy.conf');
  writeFileSync(path, proxy.configure(places));
  const [program, ...args] = proxy.command(path, places);
  const env = [
    'env',
    `HOME=${folder}/home`,
    `XDG_DATA_HOME=${folder}/home`,
    `XDG_CONFIG_HOME=${folder}/home`,
  ];
  const running = start('env', [...env.slice(1), program, ...args], folder);
  const caller = new Caller(places.port, name, authority, '');
  await eventually(
    proxy.name,
    [running],
    async () => (await caller.ask('GET', '/api/v1/info/ready')).status === 200,
  );
  return {
    port: places.port,
    authority,
    said: () => {
      const log = join(folder, 'error.log');
      return existsSync(log) ? `\n${readFileSync(log, 'utf8').slice(-600)}` : '';
    },
    async stop() {
      running.process.kill('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 500));
      await running.kill();
    },
  };
}

function certificate(folder: string, name: string): string {
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`],
    ...['-addext', `subjectAltName=DNS:${name}`],
    ...['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')],
  ]);
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  return readFileSync(join(folder, 'tls.crt'), 'utf8');
}

interface Asked {
  body?: FormData | string;
  headers?: Record<string, string>;
  /** Hears of each piece of the answer when it comes. */
  onData?(piece: Buffer): void;
}

interface ToolAnswer {
  result: { structuredContent: unknown };
  begun: number;
  /** When each event came. */
  at: number[];
}

export class Caller {
  readonly #port: number;
  readonly #name: string;
  readonly #authority: string;
  readonly #key: string;

  constructor(port: number, name: string, authority: string, key: string) {
    this.#port = port;
    this.#name = name;
    this.#authority = authority;
    this.#key = key;
  }

  async ask(
    method: string,
    path: string,
    { body, headers = {}, onData }: Asked = {},
  ): Promise<{ status: number; bytes: Buffer }> {
    // As fetch would write a form; its own connections cannot be told to trust a certificate.
    const written = body === undefined ? undefined : new Response(body);
    const sent = written ? Buffer.from(await written.arrayBuffer()) : undefined;
    const type = written?.headers.get('content-type');
    return new Promise((resolve, reject) => {
      const asking = request(
        {
          ...{
            method,
            path,
            host: '127.0.0.1',
            port: this.#port,
            servername: this.#name,
            ca: this.#authority,
          },
          headers: {
            host: this.#name,
            'x-api-key': this.#key,
            ...(type && { 'content-type': type }),
            ...(sent && { 'content-length': sent.length }),
            ...headers,
          },
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => {
            pieces.push(piece);
            onData?.(piece);
          });
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(pieces) }),
          );
        },
      );
      asking.on('error', reject);
      asking.end(sent);
    });
  }

  /** A tool of /mcp, with progress where a word for it is given. */
  async tool(name: string, args: object, progressToken?: string): Promise<ToolAnswer> {
    const begun = performance.now();
    const at: number[] = [];
    const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
    const { status, bytes } = await this.ask('POST', '/mcp', {
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: args, ...meta },
      }),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      onData: () => at.push(performance.now()),
    });
    const text = bytes.toString('utf8');
    const last = text.trimStart().startsWith('{') ? text : text.split(/^data: /m).at(-1);
    if (status !== 200) throw new Error(`${name} answered ${status}: ${text.slice(0, 300)}`);
    return { ...(JSON.parse(last ?? '') as Pick<ToolAnswer, 'result'>), begun, at };
  }
}
