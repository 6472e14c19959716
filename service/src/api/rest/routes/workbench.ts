// The workbench: the page at /, the explorer at /docs, and their files, as scripts/build-web.ts left them. They are sent
// from disk, so a quiet service holds nothing of them but the list.
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnownTag } from '../entity-tags.ts';
import { SentFile } from '../sent-file.ts';

/** A file of the page; `gzip` is the same, compressed ahead. */
interface PageFile {
  file: string;
  type: string;
  etag: string;
  size: number;
  gzip?: { file: string; size: number };
}

export interface Workbench {
  folder: string;
  /** By the path they are served at. */
  files: Readonly<Record<string, PageFile>>;
}

/** What the page may do: run its own code and the PDFium beside it, talk to this service, and nothing else. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "img-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

/** Undefined where it was never built. */
export function openWorkbench(folder: string): Workbench | undefined {
  try {
    const files = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).files as Workbench['files'];
    return { folder, files };
  } catch {
    return undefined;
  }
}

/** Browsers ask for it by name; other callers of / want what they always got. */
export const wantsPage = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '');

export function addWorkbench(app: FastifyInstance, { folder, files }: Workbench): void {
  for (const [path, file] of Object.entries(files)) {
    // The root is shared with callers of the API: see addDescription.
    if (path === '/') continue;
    app.get(path, (request, reply) => sendPageFile(request, reply, folder, file));
  }
}

export async function sendPageFile(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  file: PageFile,
): Promise<FastifyReply> {
  request.call.operation = 'workbench';
  // The names of all but the pages themselves and the icon change with their content.
  const isPage = /^(?:text\/html|image\/x-icon)/.test(file.type);
  reply
    .headers(PAGE_HEADERS)
    .header('cache-control', isPage ? 'no-cache' : 'public, max-age=31536000, immutable')
    .header('vary', [reply.getHeader('vary'), 'Accept', 'Accept-Encoding'].flat().filter(Boolean).join(', '))
    .header('etag', file.etag);
  if (isKnownTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  const packed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) ? file.gzip : undefined;
  const { file: name, size } = packed ?? file;
  request.call.bytesOut = size;
  if (packed) reply.header('content-encoding', 'gzip');
  reply.header('content-type', file.type).header('content-length', size);
  return reply.send(new SentFile(await open(join(folder, name)), size));
}
