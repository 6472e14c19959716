// Tools that bring files in and give them out.
import { z } from 'zod';
import { MIB } from '../../contract/limits.ts';
import { safeName } from '../../contract/names.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { KeptFile } from '../../state/state.ts';
import type { CallContext } from './caller.ts';
import { type Run, text, tool, whole } from './checked-tool.ts';
import { fetchesOf } from './file-references.ts';
import {
  expiry,
  fileCaps,
  fileFacts,
  fileNotFound,
  type KeptContent,
  keepBytes,
  readyFile,
  refusal,
  wrongSize,
} from './kept-files.ts';
import { linkTo, structuredResult, trueType, wholeCharacters } from './tool-results.ts';

const PIECE_BYTES = MIB;
/** A piece is held as bytes, as text, and twice in the answer. */
const HELD_TIMES = 6;

const TOO_LONG = `must be at most ${PIECE_BYTES} bytes, as base64`;

/** With line ends as programs write them, or without. */
const base64 = z
  .string('must be text')
  .max(2 * PIECE_BYTES, { error: TOO_LONG, abort: true })
  .refine((given) => /^[A-Za-z0-9+/]*={0,2}$/.test(given.replace(/\s+/g, '')), 'must be base64')
  .transform((given) => Buffer.from(given, 'base64'))
  .refine(({ length }) => length <= PIECE_BYTES, TOO_LONG);
/** It comes back in a header. */
const mediaType = text(0, 255).regex(
  /^$|^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[ -~]*)?$/,
  'must be a media type such as application/pdf',
);
const UPLOAD = z.object({
  filename: text(1, 1024),
  size: whole(0, Number.MAX_SAFE_INTEGER).optional(),
  media_type: mediaType.optional(),
  url: text(1, 2048).optional(),
  content_base64: base64.optional(),
});
const CHUNK = z.object({
  file_id: text(),
  index: whole(0, 100_000),
  content_base64: base64,
  last: z.boolean('must be true or false').optional(),
});
const DOWNLOAD = z.object({
  file_id: text(),
  as: z.enum(['url', 'text', 'base64'], 'must be url, text or base64').default('url'),
  offset: whole(0, Number.MAX_SAFE_INTEGER).default(0),
  length: whole(1, PIECE_BYTES).default(PIECE_BYTES),
});

const upload = tool(UPLOAD, async (context, args) => {
  const { parts, key, base } = context;
  const { uploadBytes } = parts.config.limits;
  if (args.size !== undefined && args.size > uploadBytes) {
    throw new Problem('payload_too_large', `size is above the ${uploadBytes} bytes that a file may have.`);
  }
  const filename = safeName(args.filename);
  const mediaType = args.media_type || trueType('application/octet-stream', filename);
  if (args.url !== undefined || args.content_base64 !== undefined) {
    const keep = (content: KeptContent): Promise<KeptFile> => {
      const size = 'bytes' in content ? content.bytes.length : content.size;
      if (args.size !== undefined && args.size !== size) throw wrongSize(args.size, `${size} bytes came`);
      return keepBytes(context, filename, mediaType, content);
    };
    const kept =
      args.url === undefined
        ? await keep({ bytes: args.content_base64 ?? Buffer.alloc(0) })
        : await keepFetched(context, args.url, keep);
    return structuredResult({
      file_id: kept.id,
      status: 'ready',
      filename: kept.filename,
      size: kept.size,
      expires_at: kept.expiresAt.toISOString(),
    });
  }
  const place = await parts.state.files.reserve(
    {
      owner: key.id,
      filename,
      mediaType,
      expiresAt: expiry(),
      ...(args.size === undefined ? {} : { declaredSize: args.size }),
    },
    fileCaps(parts),
  );
  if (typeof place === 'string') throw refusal(place);
  const uploadUrl = parts.addresses.make(base, 'put', place.id, place.expiresAt);
  return structuredResult({
    file_id: place.id,
    status: 'awaiting_bytes',
    filename,
    upload_url: uploadUrl,
    method: 'PUT',
    curl: `curl -g -T ${quoted(filename.replace(/^-/, './-'))} ${quoted(uploadUrl)}`,
    max_bytes: uploadBytes,
    expires_at: place.expiresAt.toISOString(),
  });
});

/** One word to a shell, whatever is in it. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const uploadChunk = tool(
  CHUNK,
  async ({ parts, key }, { file_id: id, index, content_base64: content, last = false }) => {
    const file = await parts.state.files.find(id, key.id);
    if (file === undefined) throw fileNotFound();
    // Sent again because its answer was lost: it is there already.
    if (index === file.writes - 1) return structuredResult(chunkFacts(file));
    if (index !== file.writes || file.ready) {
      const next = file.ready
        ? 'the file is complete'
        : `chunk ${file.writes} comes next: they are sent in order`;
      throw invalidParameter(`index is ${index}, but ${next}.`);
    }
    const { uploadBytes: maxBytes, uploadStorageBytes: storageBytes } = parts.config.limits;
    const limits = { maxBytes, storageBytes, last };
    const written = await parts.state.files.write(id, file.size, oneOf(content), limits);
    if (written === 'gone') throw fileNotFound();
    if (written === 'taken') throw invalidParameter('index: two chunks came at once; send them in order.');
    if (written === 'wrong_size')
      throw wrongSize(
        file.declaredSize,
        `${file.size + content.length} would have come with this last chunk`,
      );
    if (written === 'insufficient_storage') throw refusal(written);
    if (written === 'too_large')
      throw new Problem('payload_too_large', `A file may have ${limits.maxBytes} bytes.`);
    return structuredResult(chunkFacts(written));
  },
);

async function keepFetched(
  context: CallContext,
  url: string,
  keep: (content: KeptContent) => Promise<KeptFile>,
): Promise<KeptFile> {
  const workspace = context.parts.workspaces.create();
  try {
    const { content, size } = await fetchesOf(context, workspace).fetch({ url, field: 'url' });
    if ('file' in content) return await keep({ path: workspace.path(content.file), size });
    return await keep({ bytes: Buffer.concat(content.chunks) });
  } finally {
    await workspace.remove();
  }
}

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
  if (as === 'url') return structuredResult({ file }, [linkTo(kept, file)]);
  context.share.hold(HELD_TIMES * Math.min(length, kept.size));
  const stored = await context.parts.state.files.bytesOf(kept);
  const read = await stored.read(offset, length);
  const bytes = as === 'text' && offset + read.length < kept.size ? wholeCharacters(read) : read;
  const next = offset + bytes.length;
  const more = next < kept.size ? { next_offset: next } : {};
  const content =
    as === 'text'
      ? { text: new TextDecoder().decode(bytes) }
      : { content_base64: Buffer.from(bytes).toString('base64') };
  return structuredResult({ file, ...content, offset, ...more });
});

export const FILE_TOOLS: Readonly<Record<string, Run>> = {
  pdf_upload: upload,
  pdf_upload_chunk: uploadChunk,
  pdf_download: download,
};
