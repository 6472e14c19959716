// Bounded load on the service and on programs, measured the same way: as many at once, as many in all.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { basename } from 'node:path';

export interface Measured {
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  failures: number;
}

export async function measure(
  total: number,
  atOnce: number,
  once: () => Promise<boolean>,
): Promise<Measured> {
  const times: number[] = [];
  let failures = 0;
  let left = total;
  const started = performance.now();
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const began = performance.now();
      if (!(await once())) failures += 1;
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: total / seconds, medianMs: at(0.5), p99Ms: at(0.99), failures };
}

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
