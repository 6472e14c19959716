// The steps of uploads in Redis. `uploads` holds the ids of all by their end, `uploads:<owner>` those of one owner,
// `upload:<id>` what is known of one, `upload:<id>:chunks` a bit for each chunk that has arrived,
// `upload:<id>:sending` the chunks just on their way to the bucket, `claim:<id>` the uploads of a claim.
import { CLAIM_GRACE_MS, PAUSE_MS } from '../state.ts';
import { IS_ALIVE } from './nodes.ts';
import { LASTING } from './redis.ts';

/** What is known of an upload goes so long after its end, should nobody sweep. */
const AFTER_MS = 3600 * 1000;
/** A chunk takes no longer from here to the bucket; whoever sends it may have died. */
const SENDING_MS = 60_000;
/** A node that completes an upload and dies leaves that to others after this time. */
const COMPLETING_MS = 60_000;

const READ = `${IS_ALIVE}${LASTING}
local function read(id)
  local fields = redis.call('HGETALL', ns .. 'upload:' .. id)
  if #fields == 0 then return nil end
  local upload = { id = id }
  for index = 1, #fields, 2 do upload[fields[index]] = fields[index + 1] end
  upload.size, upload.chunkSize = tonumber(upload.size), tonumber(upload.chunkSize)
  upload.chunkCount, upload.expiresAt = tonumber(upload.chunkCount), tonumber(upload.expiresAt)
  upload.touchedAt = tonumber(upload.touchedAt)
  return upload
end
local function live(id, owner)
  local upload = read(id)
  if upload and upload.owner == owner and upload.expiresAt > now then return upload end
  return nil
end
local function arrived(upload) return redis.call('BITCOUNT', ns .. 'upload:' .. upload.id .. ':chunks') end
-- Bytes that are still to come; the last chunk may be shorter than it is counted.
local function unsent(upload)
  if upload.completed == '1' then return 0 end
  return math.max(0, upload.size - upload.chunkSize * arrived(upload))
end
local function taken()
  local sum = 0
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', ns .. 'uploads', '(' .. now, '+inf')) do
    local upload = read(id)
    if upload then
      sum = sum + upload.size
      if upload.touchedAt <= now - ${PAUSE_MS} then sum = sum - unsent(upload) end
    end
  end
  return sum
end
local function described(upload)
  return { upload.filename, upload.contentType or false, tostring(upload.size), tostring(upload.chunkSize),
    tostring(upload.chunkCount), tostring(upload.expiresAt), upload.completed == '1' and 1 or 0,
    upload.object, upload.multipart or '', upload.owner }
end
local function forget(upload)
  redis.call('DEL', ns .. 'upload:' .. upload.id, ns .. 'upload:' .. upload.id .. ':chunks',
    ns .. 'upload:' .. upload.id .. ':sending')
  redis.call('ZREM', ns .. 'uploads', upload.id)
  redis.call('ZREM', ns .. 'uploads:' .. upload.owner, upload.id)
  if upload.claim then redis.call('SREM', ns .. 'claim:' .. upload.claim, upload.id) end
end
`;

export const RESERVE = `${READ}
if redis.call('ZCOUNT', ns .. 'uploads:' .. arg.owner, '(' .. now, '+inf') >= arg.inProgress then
  return 'upload_limit_reached'
end
if taken() + arg.size > arg.storageBytes then return 'insufficient_storage' end
local declared = 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ns .. 'uploads:' .. arg.owner, '(' .. now, '+inf')) do
  local upload = read(id)
  if upload then declared = declared + unsent(upload) end
end
if declared > 0 and declared + arg.size > arg.share then return 'insufficient_storage' end
local name = ns .. 'upload:' .. arg.id
redis.call('HSET', name, 'owner', arg.owner, 'filename', arg.filename, 'size', arg.size, 'chunkSize', arg.chunkSize,
  'chunkCount', arg.chunkCount, 'expiresAt', arg.expiresAt, 'touchedAt', now, 'object', arg.object)
if arg.contentType ~= cjson.null then redis.call('HSET', name, 'contentType', arg.contentType) end
local ttl = math.max(1, arg.expiresAt - now) + ${AFTER_MS}
redis.call('PEXPIRE', name, ttl)
redis.call('ZADD', ns .. 'uploads', arg.expiresAt, arg.id)
redis.call('ZADD', ns .. 'uploads:' .. arg.owner, arg.expiresAt, arg.id)
lasting(ns .. 'uploads', ttl)
lasting(ns .. 'uploads:' .. arg.owner, ttl)
return 'reserved'
`;

export const NOTE_MULTIPART = `
if redis.call('EXISTS', ns .. 'upload:' .. arg.id) == 1 then
  redis.call('HSET', ns .. 'upload:' .. arg.id, 'multipart', arg.multipart)
end
`;

export const GET = `${READ}
local upload = live(arg.id, arg.owner)
return upload and described(upload)
`;

/** Whether a chunk may come now. */
export const EXPECT = `${READ}
local upload = live(arg.id, arg.owner)
if not upload then return 'gone' end
if upload.completed ~= '1' then
  local coming = upload.touchedAt <= now - ${PAUSE_MS} and unsent(upload) or 0
  if coming > 0 and taken() + coming > arg.storageBytes then return 'no_room' end
  redis.call('HSET', ns .. 'upload:' .. arg.id, 'touchedAt', now)
end
return described(upload)
`;

/** A chunk is on its way to the bucket: nobody completes the upload meanwhile. */
export const BEGIN_SENDING = `${READ}
local upload = live(arg.id, arg.owner)
if not upload then return 'gone' end
if upload.completed == '1' then return 'completed' end
if tonumber(upload.completing or '0') > now then return 'completing' end
redis.call('ZADD', ns .. 'upload:' .. arg.id .. ':sending', now + ${SENDING_MS}, arg.token)
redis.call('PEXPIRE', ns .. 'upload:' .. arg.id .. ':sending', ${SENDING_MS})
return 'sending'
`;

export const END_SENDING = `${READ}
redis.call('ZREM', ns .. 'upload:' .. arg.id .. ':sending', arg.token)
local upload = live(arg.id, arg.owner)
if not upload then return 'gone' end
if arg.stored then
  redis.call('SETBIT', ns .. 'upload:' .. arg.id .. ':chunks', arg.index, 1)
  redis.call('HSET', ns .. 'upload:' .. arg.id, 'touchedAt', now)
  lasting(ns .. 'upload:' .. arg.id .. ':chunks', math.max(1, upload.expiresAt - now) + ${AFTER_MS})
end
return 'stored'
`;

/** The bits of the chunks that have arrived, in hexadecimal digits, and how many chunks there are. */
export const MISSING = `${READ}
local upload = live(arg.id, arg.owner)
if not upload then return nil end
if upload.completed == '1' then return { '', 0 } end
local bits = redis.call('GET', ns .. 'upload:' .. arg.id .. ':chunks') or ''
return { (string.gsub(bits, '.', function(c) return string.format('%02x', string.byte(c)) end)), upload.chunkCount }
`;

export const BEGIN_COMPLETING = `${READ}
local upload = live(arg.id, arg.owner)
if not upload then return 'gone' end
if upload.completed == '1' then return 'completed' end
if arrived(upload) < upload.chunkCount then return 'incomplete' end
local name = ns .. 'upload:' .. arg.id
if tonumber(upload.completing or '0') > now and upload.completer ~= arg.token then return 'waiting' end
redis.call('HSET', name, 'completing', now + ${COMPLETING_MS}, 'completer', arg.token)
redis.call('ZREMRANGEBYSCORE', name .. ':sending', '-inf', now)
if redis.call('ZCARD', name .. ':sending') > 0 then return 'waiting' end
return described(upload)
`;

export const END_COMPLETING = `${READ}
local upload = read(arg.id)
if not upload or upload.completer ~= arg.token then return 0 end
redis.call('HDEL', ns .. 'upload:' .. arg.id, 'completing', 'completer')
if arg.done then
  redis.call('HSET', ns .. 'upload:' .. arg.id, 'completed', '1')
  redis.call('DEL', ns .. 'upload:' .. arg.id .. ':chunks')
end
return 1
`;

export const CLAIM = `${READ}
local upload = live(arg.id, arg.owner)
if not upload or upload.completed ~= '1' then return nil end
if upload.claim and upload.claim ~= arg.claim and is_alive(upload.claimNode) then return nil end
if upload.claim then redis.call('SREM', ns .. 'claim:' .. upload.claim, arg.id) end
redis.call('HSET', ns .. 'upload:' .. arg.id, 'claim', arg.claim, 'claimNode', arg.node)
redis.call('SADD', ns .. 'claim:' .. arg.claim, arg.id)
for _, name in ipairs({ 'claim:' .. arg.claim, 'upload:' .. arg.id }) do lasting(ns .. name, ${CLAIM_GRACE_MS}) end
return described(upload)
`;

export const CONSUME = `${READ}
local gone = {}
for _, id in ipairs(redis.call('SMEMBERS', ns .. 'claim:' .. arg.claim)) do
  local upload = read(id)
  if upload and upload.claim == arg.claim then
    forget(upload)
    gone[#gone + 1] = upload.object
  end
end
redis.call('DEL', ns .. 'claim:' .. arg.claim)
return gone
`;

export const RELEASE = `${READ}
for _, id in ipairs(redis.call('SMEMBERS', ns .. 'claim:' .. arg.claim)) do
  local upload = read(id)
  if upload and upload.claim == arg.claim then
    redis.call('HDEL', ns .. 'upload:' .. id, 'claim', 'claimNode')
  end
end
redis.call('DEL', ns .. 'claim:' .. arg.claim)
`;

export const DROP = `${READ}
local upload = read(arg.id)
if not upload or (arg.owner ~= nil and upload.owner ~= arg.owner) then return nil end
forget(upload)
return { upload.object, upload.multipart or '', upload.completed == '1' and 1 or 0 }
`;

/** Forgets some of those that are over, unless a request of a living node still uses them. */
export const EXPIRE = `${READ}
local gone = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ns .. 'uploads', '-inf', arg.at, 'LIMIT', 0, 200)) do
  local upload = read(id)
  if not upload then
    redis.call('ZREM', ns .. 'uploads', id)
  elseif not upload.claim or not is_alive(upload.claimNode) or upload.expiresAt <= arg.at - ${CLAIM_GRACE_MS} then
    forget(upload)
    gone[#gone + 1] = { upload.object, upload.multipart or '', upload.completed == '1' and 1 or 0 }
  end
end
return gone
`;

/** Whether an upload is known still. */
export const KNOWN = `return redis.call('EXISTS', ns .. 'upload:' .. arg.id)`;
