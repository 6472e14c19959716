// Steps on asynchronous jobs that many nodes share, each one script. What is known of a job is a hash; beside it stand:
// jobs:<owner> all of an owner's by sequence; jobs-waiting:<owner> those to be run; jobs-later those given back, by when
// they may run; jobs-owners whoever has some waiting, in the order of their turns; jobs-leases the running ones, by the
// end of their leases; jobs-ends all, by when they expire; job-words:<id> what was told of one's progress, by version.
import { JOB_PATIENCE_MS, LEAST_JOB_BYTES, MOST_WORDS, WORDS_KEPT_MS } from '../jobs.ts';
import { LASTING } from './redis.ts';

/** What is known of a job goes so long after its end, where nobody swept it. */
const AFTER_MS = 24 * 3600 * 1000;
/** So many are looked at in one step. */
const AT_ONCE = 100;

const JOBS = `${LASTING}
local function read(id)
  local fields = redis.call('HGETALL', ns .. 'job:' .. id)
  if #fields == 0 then return nil end
  local job = { id = id }
  for index = 1, #fields, 2 do job[fields[index]] = fields[index + 1] end
  return job
end
local function live(id, owner)
  local job = read(id)
  if job and job.owner == owner and tonumber(job.ends) > now then return job end
  return nil
end
local function held()
  local job = read(arg.id)
  if job and job.lease == arg.lease then return job end
  return nil
end
local function count(owner, bytes)
  redis.call('INCRBY', ns .. 'jobs-bytes', bytes)
  redis.call('INCRBY', ns .. 'jobs-bytes:' .. owner, bytes)
end
-- Fewest at work first; of equals, whoever was served longest ago.
local function rank(owner)
  if redis.call('ZCARD', ns .. 'jobs-waiting:' .. owner) == 0 then
    redis.call('ZREM', ns .. 'jobs-owners', owner)
    return
  end
  local at_work = tonumber(redis.call('HGET', ns .. 'jobs-at-work', owner) or '0')
  local turn = tonumber(redis.call('HGET', ns .. 'jobs-turns', owner) or '0')
  redis.call('ZADD', ns .. 'jobs-owners', at_work * 1099511627776 + turn, owner)
end
local function set(job, status, ...)
  redis.call('HINCRBY', ns .. 'jobs-counts', job.status, -1)
  redis.call('HINCRBY', ns .. 'jobs-counts', status, 1)
  redis.call('HINCRBY', ns .. 'job:' .. job.id, 'version', 1)
  redis.call('HSET', ns .. 'job:' .. job.id, 'status', status, ...)
  if job.status == 'running' then
    redis.call('HINCRBY', ns .. 'jobs-at-work', job.owner, -1)
    redis.call('ZREM', ns .. 'jobs-leases', job.id)
    redis.call('HDEL', ns .. 'job:' .. job.id, 'lease')
  end
  rank(job.owner)
end
local function unqueue(job)
  redis.call('ZREM', ns .. 'jobs-waiting:' .. job.owner, job.id)
  redis.call('ZREM', ns .. 'jobs-later', job.id)
  rank(job.owner)
end
local function queue(job)
  redis.call('DEL', ns .. 'job-words:' .. job.id)
  redis.call('ZADD', ns .. 'jobs-waiting:' .. job.owner, job.sequence, job.id)
  rank(job.owner)
end
local function last(job, ends)
  local ms = math.max(1, ends - now) + ${AFTER_MS}
  redis.call('HSET', ns .. 'job:' .. job.id, 'ends', ends)
  redis.call('PEXPIRE', ns .. 'job:' .. job.id, ms)
  redis.call('ZADD', ns .. 'jobs-ends', ends, job.id)
  for _, name in ipairs({ 'jobs:' .. job.owner, 'jobs-waiting:' .. job.owner, 'jobs-bytes:' .. job.owner, 'jobs-later',
    'jobs-owners', 'jobs-leases', 'jobs-ends', 'jobs-bytes', 'jobs-counts', 'jobs-at-work', 'jobs-turns',
    'jobs-sequence', 'jobs-turn' }) do
    lasting(ns .. name, ms)
  end
end
local function forget(job)
  set(job, job.status)
  redis.call('HINCRBY', ns .. 'jobs-counts', job.status, -1)
  unqueue(job)
  count(job.owner, -tonumber(job.counted))
  redis.call('ZREM', ns .. 'jobs:' .. job.owner, job.id)
  redis.call('ZREM', ns .. 'jobs-ends', job.id)
  redis.call('DEL', ns .. 'job:' .. job.id, ns .. 'job-words:' .. job.id)
end
local function shown(job)
  local fields = redis.call('HGETALL', ns .. 'job:' .. job.id)
  fields[#fields + 1] = 'id'
  fields[#fields + 1] = job.id
  return fields
end
`;

const FULL = `
local function full()
  local own = tonumber(redis.call('GET', ns .. 'jobs-bytes:' .. arg.owner) or '0')
  local all = tonumber(redis.call('GET', ns .. 'jobs-bytes') or '0')
  -- A single job may always be as large as the room.
  return redis.call('ZCARD', ns .. 'jobs:' .. arg.owner) >= arg.jobs or all + arg.counted > arg.storageBytes
    or (own > 0 and own + arg.counted > arg.share)
end
`;

/** What accepting would say without a doubt; nil where it would be accepted. */
export const REFUSAL = `${JOBS}${FULL}
local known = live(arg.id, arg.owner)
if known then return shown(known) end
return full() and 'insufficient_storage' or nil
`;

export const ACCEPT = `${JOBS}${FULL}
local known = live(arg.id, arg.owner)
if known then return shown(known) end
if full() then return 'insufficient_storage' end
local sequence = redis.call('INCR', ns .. 'jobs-sequence')
local job = { id = arg.id, owner = arg.owner, sequence = sequence, status = 'queued' }
redis.call('HSET', ns .. 'job:' .. arg.id, 'owner', arg.owner, 'sequence', sequence, 'status', 'queued', 'version', 1,
  'about', arg.about, 'attempts', 0, 'createdAt', now, 'counted', arg.counted, 'parts', arg.parts)
redis.call('HINCRBY', ns .. 'jobs-counts', 'queued', 1)
redis.call('ZADD', ns .. 'jobs:' .. arg.owner, sequence, arg.id)
count(arg.owner, arg.counted)
queue(job)
last(job, now + ${JOB_PATIENCE_MS})
return shown(job)
`;

export const CLAIM = `${JOBS}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ns .. 'jobs-leases', '-inf', now, 'LIMIT', 0, ${AT_ONCE})) do
  local job = read(id)
  redis.call('ZREM', ns .. 'jobs-leases', id)
  if job then
    set(job, 'queued')
    redis.call('HDEL', ns .. 'job:' .. id, 'progress')
    queue(job)
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ns .. 'jobs-later', '-inf', now, 'LIMIT', 0, ${AT_ONCE})) do
  local job = read(id)
  redis.call('ZREM', ns .. 'jobs-later', id)
  if job then queue(job) end
end
for _ = 1, ${AT_ONCE} do
  local owner = redis.call('ZRANGE', ns .. 'jobs-owners', 0, 0)[1]
  if not owner then return nil end
  local id = redis.call('ZRANGE', ns .. 'jobs-waiting:' .. owner, 0, 0)[1]
  local job = id and live(id, owner)
  if id then redis.call('ZREM', ns .. 'jobs-waiting:' .. owner, id) end
  if job then
    redis.call('HINCRBY', ns .. 'jobs-at-work', owner, 1)
    redis.call('HSET', ns .. 'jobs-turns', owner, redis.call('INCR', ns .. 'jobs-turn'))
    set(job, 'running', 'lease', arg.lease, 'startedAt', now)
    redis.call('HINCRBY', ns .. 'job:' .. id, 'attempts', 1)
    redis.call('ZADD', ns .. 'jobs-leases', now + arg.ms, id)
    return shown(job)
  end
  rank(owner)
end
return nil
`;

export const RENEW = `${JOBS}
local job = held()
if not job then return 0 end
redis.call('ZADD', ns .. 'jobs-leases', now + arg.ms, job.id)
return 1
`;

export const NOTE = `${JOBS}
local job = held()
if not job then return 0 end
local words = ns .. 'job-words:' .. job.id
for _, word in ipairs(arg.words) do
  local version = redis.call('HINCRBY', ns .. 'job:' .. job.id, 'version', 1)
  -- Two words may be the same; with their versions they are not.
  redis.call('ZADD', words, version, version .. ' ' .. word)
  redis.call('HSET', ns .. 'job:' .. job.id, 'progress', word)
end
redis.call('ZREMRANGEBYRANK', words, 0, ${-MOST_WORDS - 1})
redis.call('PEXPIRE', words, ${JOB_PATIENCE_MS})
return 1
`;

/** Words of progress, each after its version. */
export const WORDS_AFTER = `${JOBS}
if not live(arg.id, arg.owner) then return {} end
return redis.call('ZRANGEBYSCORE', ns .. 'job-words:' .. arg.id, '(' .. arg.version, '+inf')
`;

/** Returns the parts that are no longer needed; nil: the lease is lost. */
export const FINISH = `${JOBS}
local job = held()
if not job then return nil end
set(job, arg.status, 'outcome', arg.outcome, 'response', arg.response, 'size', arg.size, 'finishedAt', now)
if arg.body then redis.call('HSET', ns .. 'job:' .. job.id, 'body', arg.body) end
if arg.object then redis.call('HSET', ns .. 'job:' .. job.id, 'object', arg.object) end
local counted = ${LEAST_JOB_BYTES} + arg.size
count(job.owner, counted - tonumber(job.counted))
redis.call('HSET', ns .. 'job:' .. job.id, 'counted', counted, 'parts', '[]')
last(job, arg.expiresAt)
redis.call('PEXPIRE', ns .. 'job-words:' .. job.id, ${WORDS_KEPT_MS})
return job.parts
`;

export const GIVE_BACK = `${JOBS}
local job = held()
if not job then return end
set(job, 'queued')
redis.call('HDEL', ns .. 'job:' .. job.id, 'progress')
redis.call('HINCRBY', ns .. 'job:' .. job.id, 'attempts', -1)
redis.call('DEL', ns .. 'job-words:' .. job.id)
redis.call('ZADD', ns .. 'jobs-later', arg.notBefore, job.id)
`;

export const GET = `${JOBS}
local job = live(arg.id, arg.owner)
return job and shown(job)
`;

export const LIST = `${JOBS}
local found = {}
local bound = arg.before and ('(' .. arg.before) or '+inf'
for _, id in ipairs(redis.call('ZREVRANGEBYSCORE', ns .. 'jobs:' .. arg.owner, bound, '-inf', 'LIMIT', 0, arg.most)) do
  local job = live(id, arg.owner)
  if job then found[#found + 1] = shown(job) end
end
return found
`;

/** Returns the verdict, and the parts and the object that are no longer needed. */
export const END = `${JOBS}
local job = live(arg.id, arg.owner)
if not job then return { 'gone', '[]' } end
if job.finishedAt then
  forget(job)
  return { 'removed', job.parts, job.object }
end
unqueue(job)
set(job, 'cancelled', 'finishedAt', now, 'parts', '[]')
count(job.owner, ${LEAST_JOB_BYTES} - tonumber(job.counted))
redis.call('HSET', ns .. 'job:' .. job.id, 'counted', ${LEAST_JOB_BYTES})
last(job, arg.expiresAt)
redis.call('PEXPIRE', ns .. 'job-words:' .. job.id, ${WORDS_KEPT_MS})
return { 'cancelled', job.parts }
`;

export const COUNTS = `return redis.call('HGETALL', ns .. 'jobs-counts')`;

/** Forgets jobs whose time is over; returns their parts and objects. */
export const EXPIRE = `${JOBS}
local gone = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ns .. 'jobs-ends', '-inf', arg.at, 'LIMIT', 0, ${AT_ONCE})) do
  local job = read(id)
  redis.call('ZREM', ns .. 'jobs-ends', id)
  if job then
    forget(job)
    gone[#gone + 1] = { job.parts, job.object }
  end
end
return gone
`;

/** Of objects, those that a job needs. One node at a time, and not often. */
export const NEEDED = `${JOBS}
local needed = {}
for _, object in ipairs(arg.objects) do
  local job = read(object.id)
  if job and (job.object == object.name or string.find(job.parts, object.name, 1, true)) then
    needed[#needed + 1] = object.name
  end
end
return needed
`;

export const TAKE_TURN_TO_SWEEP = `return redis.call('SET', ns .. 'jobs-swept', '1', 'NX', 'PX', arg.ms) and 1 or 0`;
