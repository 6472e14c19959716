// Files of agents: what is known of them in Redis, their bytes in the bucket, an object for each send. Room is counted
// along: `files-bytes` for all, `files-bytes:<owner>` for one, with what is just arriving.
import { open, rm } from 'node:fs/promises';
import type { Log } from '../../contract/log.ts';
import { newName } from '../new-name.ts';
import { type FileCaps, type Files, type KeptFile, type NewFile, ownerShare } from '../state.ts';
import { transientName } from './names.ts';
import { ObjectBytes, type Piece } from './object-bytes.ts';
import type { ObjectContent, Objects } from './objects.ts';
import { finite, LASTING, type Reply, type SharedRedis } from './redis.ts';

type Refusal = 'upload_limit_reached' | 'insufficient_storage';

/** What is known of a file goes so long after its end. */
const AFTER_MS = 3600 * 1000;
/** A send that died with its node gives its place back after this time. */
const WRITING_MS = 10 * 60 * 1000;

const READ = `${LASTING}
local function count(owner, bytes)
  redis.call('INCRBY', ns .. 'files-bytes', bytes)
  redis.call('INCRBY', ns .. 'files-bytes:' .. owner, bytes)
end
local function forget(id)
  local file = redis.call('HMGET', ns .. 'file:' .. id, 'owner', 'counted')
  redis.call('ZREM', ns .. 'files', id)
  if file[1] then
    redis.call('ZREM', ns .. 'files:' .. file[1], id)
    count(file[1], -tonumber(file[2]))
  end
  redis.call('DEL', ns .. 'file:' .. id)
end
-- Those that are over count for nothing, swept or not.
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ns .. 'files', '-inf', now, 'LIMIT', 0, 100)) do forget(id) end
local function read(id)
  local fields = redis.call('HGETALL', ns .. 'file:' .. id)
  if #fields == 0 then return nil end
  local file = {}
  for index = 1, #fields, 2 do file[fields[index]] = fields[index + 1] end
  if tonumber(file.expiresAt) <= now then return nil end
  return file
end
local function described(file)
  return { file.owner, file.filename, file.mediaType, file.expiresAt, file.size, file.writes, file.ready,
    file.declared or false, file.pieces }
end
-- A single file may always be as large as the room.
local function over(owner, own, more)
  local all = tonumber(redis.call('GET', ns .. 'files-bytes') or '0')
  local others = tonumber(redis.call('GET', ns .. 'files-bytes:' .. owner) or '0') - own
  return all + more > arg.storageBytes or (others > 0 and others + own + more > arg.share)
end
`;

const ADD = `${READ}
if redis.call('ZCOUNT', ns .. 'files:' .. arg.owner, '(' .. now, '+inf') >= arg.files then
  return 'upload_limit_reached'
end
if over(arg.owner, 0, arg.size) then return 'insufficient_storage' end
local name = ns .. 'file:' .. arg.id
redis.call('HSET', name, 'owner', arg.owner, 'filename', arg.filename, 'mediaType', arg.mediaType,
  'expiresAt', arg.expiresAt, 'size', arg.size, 'counted', arg.size, 'writes', 0, 'ready', arg.ready, 'pieces', arg.pieces)
if arg.declared then redis.call('HSET', name, 'declared', arg.declared) end
count(arg.owner, arg.size)
redis.call('ZADD', ns .. 'files', arg.expiresAt, arg.id)
redis.call('ZADD', ns .. 'files:' .. arg.owner, arg.expiresAt, arg.id)
local ttl = math.max(1, arg.expiresAt - now) + ${AFTER_MS}
redis.call('PEXPIRE', name, ttl)
for _, other in ipairs({ 'files', 'files:' .. arg.owner, 'files-bytes', 'files-bytes:' .. arg.owner }) do
  lasting(ns .. other, ttl)
end
return 'added'
`;

const FIND = `${READ}
local file = read(arg.id)
return file and described(file)
`;

/** One send at a time: sends of the same place would not know what follows what. */
const BEGIN_WRITE = `${READ}
local file = read(arg.id)
if not file then return 'gone' end
if file.ready == '1' or tonumber(file.size) ~= arg.from then return 'taken' end
if file.writer and tonumber(file.writingUntil) > now then return 'busy' end
redis.call('HSET', ns .. 'file:' .. arg.id, 'writer', arg.writer, 'writingUntil', now + ${WRITING_MS})
return described(file)
`;

const TAKE_ROOM = `${READ}
local file = read(arg.id)
if not file or file.writer ~= arg.writer then return 'gone' end
if over(file.owner, tonumber(file.counted), arg.bytes) then return 'insufficient_storage' end
count(file.owner, arg.bytes)
redis.call('HINCRBY', ns .. 'file:' .. arg.id, 'counted', arg.bytes)
redis.call('HSET', ns .. 'file:' .. arg.id, 'writingUntil', now + ${WRITING_MS})
return 'taken'
`;

/** What was taken and does not stay is given back. */
const END_WRITE = `${READ}
local file = read(arg.id)
if not file or file.writer ~= arg.writer then return nil end
local name = ns .. 'file:' .. arg.id
redis.call('HDEL', name, 'writer', 'writingUntil')
if arg.piece then
  local pieces = cjson.decode(file.pieces)
  if arg.bytes > 0 then pieces[#pieces + 1] = { name = arg.piece, size = arg.bytes } end
  local text = #pieces == 0 and '[]' or cjson.encode(pieces)
  redis.call('HSET', name, 'pieces', text, 'size', tonumber(file.size) + arg.bytes, 'ready', arg.last and '1' or '0')
  redis.call('HINCRBY', name, 'writes', 1)
end
local size = tonumber(redis.call('HGET', name, 'size'))
count(file.owner, size - tonumber(file.counted))
redis.call('HSET', name, 'counted', size)
return described(read(arg.id))
`;

const DROP = `${READ}
local file = read(arg.id)
if not file or (arg.owner and file.owner ~= arg.owner) then return nil end
forget(arg.id)
return file.pieces
`;

interface Known {
  file: KeptFile;
  pieces: Piece[];
}

export function createFiles(
  redis: SharedRedis,
  objects: Objects,
  /** A path for bytes on their way. */
  spoolPath: () => string,
  log: Log,
): Files {
  const add = redis.script(ADD);
  const find = redis.script(FIND);
  const beginWrite = redis.script(BEGIN_WRITE);
  const takeRoom = redis.script(TAKE_ROOM);
  const endWrite = redis.script(END_WRITE);
  const drop = redis.script(DROP);

  const remove = (name: string): Promise<void> =>
    objects
      .remove(name)
      .catch((error) => log.warn('bytes of a file were not removed', { error: String(error) }));

  async function added(
    file: NewFile,
    content: ObjectContent | undefined,
    caps: FileCaps,
  ): Promise<KeptFile | Refusal> {
    const id = newName();
    const size = content === undefined ? 0 : 'bytes' in content ? content.bytes.length : content.size;
    const name = transientName('file', id, file.expiresAt);
    const pieces = size === 0 ? [] : [{ name, size }];
    const verdict = await add({
      id,
      owner: file.owner,
      filename: file.filename,
      mediaType: file.mediaType,
      expiresAt: file.expiresAt.getTime(),
      ...(file.declaredSize !== undefined && { declared: file.declaredSize }),
      size,
      ready: content ? '1' : '0',
      pieces: JSON.stringify(pieces),
      files: finite(caps.files),
      ...room(caps.storageBytes),
    });
    if (verdict !== 'added') return verdict as Refusal;
    try {
      if (content && size > 0) await objects.put(name, content);
    } catch (error) {
      await drop({ id, ...room(0) }).catch(() => {});
      throw error;
    }
    return { ...file, id, size, writes: 0, ready: content !== undefined };
  }

  async function found(id: string): Promise<Known | undefined> {
    const reply = await find({ id, ...room(0) });
    return reply === null ? undefined : knownOf(id, reply);
  }

  return {
    async bytesOf({ id }) {
      const known = await found(id);
      if (!known) throw new Error('The file is no more.');
      return new ObjectBytes(objects, known.pieces);
    },
    reserve: (file, caps) => added(file, undefined, caps),
    keep: (file, content, caps) => added(file, content, caps),
    async write(id, from, data, { maxBytes, storageBytes, last }) {
      const writer = newName();
      const begun = await beginWrite({ id, from, writer, ...room(storageBytes) });
      if (begun === 'gone' || begun === 'taken') return begun;
      if (begun === 'busy') return 'taken';
      const { file } = knownOf(id, begun);
      const path = spoolPath();
      const piece = transientName('file', `${id}-${writer}`, file.expiresAt);
      let bytes = 0;
      const end = (more: Record<string, unknown> = {}) =>
        endWrite({ id, writer, bytes, ...room(0), ...more });
      try {
        const spool = await open(path, 'wx', 0o600);
        try {
          for await (const part of data) {
            bytes += part.length;
            const verdict =
              from + bytes > maxBytes
                ? 'too_large'
                : await takeRoom({ id, writer, bytes: part.length, ...room(storageBytes) });
            if (verdict !== 'taken') {
              await end();
              return verdict as 'too_large' | 'insufficient_storage' | 'gone';
            }
            await spool.writeFile(part);
          }
        } finally {
          await spool.close();
        }
        if (last && from + bytes !== (file.declaredSize ?? from + bytes)) {
          await end();
          return 'wrong_size';
        }
        if (bytes > 0) await objects.put(piece, { path, size: bytes });
        const ended = await end({ piece, last });
        if (ended !== null) return knownOf(id, ended).file;
        // Dropped or expired on the way.
        await remove(piece);
        return 'gone';
      } catch (error) {
        await end().catch(() => {});
        throw error;
      } finally {
        await rm(path, { force: true });
      }
    },
    async find(id, owner) {
      const known = await found(id);
      return known && (owner === undefined || known.file.owner === owner) ? known.file : undefined;
    },
    async drop(id, owner) {
      const pieces = await drop({ id, owner, ...room(0) });
      if (pieces === null) return;
      for (const { name } of JSON.parse(String(pieces)) as Piece[]) await remove(name);
    },
  };
}

const room = (storageBytes: number) => ({
  storageBytes: finite(storageBytes),
  share: finite(ownerShare(storageBytes)),
});

function knownOf(id: string, reply: Reply): Known {
  const [owner, filename, mediaType, expiresAt, size, writes, ready, declared, pieces] = reply as Reply[];
  return {
    file: {
      id,
      owner: String(owner),
      filename: String(filename),
      mediaType: String(mediaType),
      size: Number(size),
      writes: Number(writes),
      ready: ready === '1',
      expiresAt: new Date(Number(expiresAt)),
      ...(declared === null ? {} : { declaredSize: Number(declared) }),
    },
    pieces: JSON.parse(String(pieces)),
  };
}
