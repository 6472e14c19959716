// Calls to the service and starts of programs, and bounded load of either, measured the same way.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { basename } from 'node:path';

export interface Measured {
  calls: number;
  /** Of each call, from the shortest. */
  times: number[];
  seconds: number;
  failures: number;
}

/** As many at once, as many in all, or as many as begin in the time there is. */
export async function measure(
  total: number,
  atOnce: number,
  once: () => Promise<boolean>,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<Measured> {
  const times: number[] = [];
  let failures = 0;
  let left = total;
  const started = performance.now();
  const lane = async () => {
    while (left > 0 && performance.now() - started < mostMs) {
      left -= 1;
      const began = performance.now();
      if (!(await once())) failures += 1;
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const seconds = (performance.now() - started) / 1000;
  return { calls: times.length, times: times.sort((a, b) => a - b), seconds, failures };
}

export const together = (rounds: readonly Measured[]): Measured => ({
  calls: rounds.reduce((sum, { calls }) => sum + calls, 0),
  times: rounds.flatMap(({ times }) => times).sort((a, b) => a - b),
  seconds: rounds.reduce((sum, { seconds }) => sum + seconds, 0),
  failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
});

/** The time that a share of the calls stayed below. */
export const quantile = ({ times }: Measured, share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

export const perSecond = ({ calls, seconds }: Measured): number => calls / seconds;

const BOUNDARY = 'bindery-bench-boundary';

/** A multipart body made once: the measured work is the service's, not the client's. */
export function formBody(files: Record<string, string[]>, params: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  for (const [field, text] of Object.entries(params)) {
    parts.push(
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${text}\r\n`),
    );
  }
  for (const [field, paths] of Object.entries(files)) {
    for (const path of paths) {
      const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${basename(path)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
      parts.push(Buffer.from(head), readFileSync(path), Buffer.from('\r\n'));
    }
  }
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export class Client {
  private readonly url: string;
  private readonly key: string;
  private readonly agent: Agent;

  constructor(url: string, key: string, connections: number) {
    this.url = url;
    this.key = key;
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  post(op: string, body: Buffer): Promise<boolean> {
    return new Promise((resolve) => {
      const sent = request(
        `${this.url}/api/v1/${op}`,
        {
          method: 'POST',
          agent: this.agent,
          headers: {
            'x-api-key': this.key,
            'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
            'content-length': body.length,
          },
        },
        (response) => {
          response.resume();
          response.on('end', () => resolve((response.statusCode ?? 500) < 300));
        },
      );
      sent.on('error', () => resolve(false));
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Starts a program and waits for its end. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } });
    child.on('error', () => resolve(false));
    // qpdf ends with 3 where it warned: the document was made.
    child.on('exit', (code) => resolve(code === 0 || code === 3));
  });
}
