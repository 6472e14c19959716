// Tools that bring files in and give them out.
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { MIB } from '../../contract/limits.ts';
import { safeName } from '../../contract/names.ts';
import { Problem } from '../../contract/problems.ts';
import type { KeptFile } from '../../state/state.ts';
import { type Run, tool } from './checked-tool.ts';
import { fetched } from './file-references.ts';
import { expiry, fileCaps, fileFacts, fileNotFound, keepBytes, readyFile, refusal } from './kept-files.ts';
import { linkTo, structured } from './tool-results.ts';

const PIECE_BYTES = MIB;

const base64 = z
  .string()
  .max(Math.ceil(PIECE_BYTES / 3) * 4 + 4)
  .regex(/^[A-Za-z0-9+/\s]*={0,2}\s*$/, 'base64');
const UPLOAD = z.object({
  filename: z.string().min(1).max(1024),
  size: z.int().min(0).optional(),
  media_type: z.string().max(255).optional(),
  url: z.string().max(2048).optional(),
  content_base64: base64.optional(),
});
const CHUNK = z.object({
  file_id: z.string(),
  index: z.int().min(0).max(100_000),
  content_base64: base64,
  last: z.boolean().optional(),
});
const DOWNLOAD = z.object({
  file_id: z.string(),
  as: z.enum(['url', 'text', 'base64']).default('url'),
  offset: z.int().min(0).default(0),
  length: z.int().min(1).max(PIECE_BYTES).default(PIECE_BYTES),
});

const upload = tool(UPLOAD, async (context, args) => {
  const { parts, key, base } = context;
  const { uploadBytes } = parts.config.limits;
  if (args.size !== undefined && args.size > uploadBytes) {
    throw new Problem('payload_too_large', `size is above the ${uploadBytes} bytes that a file may have.`);
  }
  const filename = safeName(args.filename);
  const mediaType = args.media_type ?? 'application/octet-stream';
  if (args.url !== undefined || args.content_base64 !== undefined) {
    const bytes =
      args.url === undefined
        ? Buffer.from(args.content_base64 ?? '', 'base64')
        : (await fetched(context, args.url)).bytes;
    const kept = await keepBytes(context, filename, mediaType, { bytes });
    return structured({
      file_id: kept.id,
      status: 'ready',
      filename: kept.filename,
      size: kept.size,
      expires_at: kept.expiresAt.toISOString(),
    });
  }
  const place = await parts.state.files.reserve(
    { owner: key.id, filename, mediaType, expiresAt: expiry() },
    fileCaps(parts),
  );
  if (typeof place === 'string') throw refusal(place);
  const uploadUrl = parts.addresses.make(base, 'put', place.id, place.expiresAt);
  return structured({
    file_id: place.id,
    status: 'awaiting_bytes',
    filename,
    upload_url: uploadUrl,
    method: 'PUT',
    curl: `curl -T '${filename.replaceAll("'", "'\\''")}' '${uploadUrl}'`,
    max_bytes: uploadBytes,
    expires_at: place.expiresAt.toISOString(),
  });
});

const uploadChunk = tool(
  CHUNK,
  async ({ parts, key }, { file_id: id, index, content_base64: content, last = false }) => {
    const file = await parts.state.files.find(id, key.id);
    if (file === undefined) throw fileNotFound();
    // Sent again because its answer was lost: it is there already.
    if (index === file.writes - 1) return structured(chunkFacts(file));
    if (index !== file.writes || file.ready) {
      const next = file.ready
        ? 'the file is complete'
        : `chunk ${file.writes} comes next: they are sent in order`;
      throw new Problem('invalid_parameter', `index is ${index}, but ${next}.`);
    }
    const limits = { maxBytes: parts.config.limits.uploadBytes, last };
    const written = await parts.state.files.write(
      id,
      file.size,
      oneOf(Buffer.from(content, 'base64')),
      limits,
    );
    if (written === 'gone') throw fileNotFound();
    if (written === 'taken')
      throw new Problem('invalid_parameter', 'index: two chunks came at once; send them in order.');
    if (written === 'too_large')
      throw new Problem('payload_too_large', `A file may have ${limits.maxBytes} bytes.`);
    return structured(chunkFacts(written));
  },
);

const chunkFacts = ({ id, size, writes, ready }: KeptFile): Record<string, unknown> => ({
  file_id: id,
  status: ready ? 'ready' : 'awaiting_bytes',
  size,
  ...(ready ? {} : { next_index: writes }),
});

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const download = tool(DOWNLOAD, async (context, { file_id: id, as, offset, length }) => {
  const kept = await readyFile(context, id);
  const file = fileFacts(context, kept);
  if (as === 'url') return structured({ file }, [linkTo(kept, file)]);
  const bytes = await pieceOf(context.parts.state.files.pathOf(id), offset, length);
  const next = offset + bytes.length;
  const more = next < kept.size ? { next_offset: next } : {};
  const content =
    as === 'text' ? { text: new TextDecoder().decode(bytes) } : { content_base64: bytes.toString('base64') };
  return structured({ file, ...content, offset, ...more });
});

async function pieceOf(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export const FILE_TOOLS: Readonly<Record<string, Run>> = {
  pdf_upload: upload,
  pdf_upload_chunk: uploadChunk,
  pdf_download: download,
};
