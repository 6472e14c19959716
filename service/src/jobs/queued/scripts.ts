// What is done in Redis beside BullMQ itself: whose turn it is, how much waits, which nodes live. Each is one script.
import type { Script, SharedServers } from '../../contract/shared-servers.ts';

/** Greatest priority that BullMQ knows: of a job that has no turn yet. */
export const MOST_TURNS = 2_097_151;
/** What a lane is made of goes so long after the last look at it; each node looks at all lanes all the time. */
export const LANE_MS = 6 * 3600 * 1000;
/** A node that has not told of itself for so long is not counted on. */
const NODE_MS = 8000;

/** BullMQ orders by priority, and by the order of arrival within one: a score is the one above the other. */
const TURN = 2 ** 32;

/** Whose turn it is: the turn before the first that waits. Nobody waits: turns begin anew. */
const LANE = `
local base = ns .. 'jobs:' .. lane .. ':'
local waiting = base .. 'prioritized'
local turns = ns .. 'job-turns:' .. lane
local function served()
  local first = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')[2]
  return first and math.floor(first / ${TURN}) - 1 or 0
end
`;

/**
 * Gives a job that BullMQ has just added its place in the lane: callers take turns. Each job of a key stands one turn
 * behind the one before it, the first at the turn that is being served, so a key that sends thousands delays another's
 * first by one job. Where the lane is full, each key may yet have its part of the places; who finds none is taken out
 * again. One node is then told: there are never more bells than jobs.
 */
export const PLACE = `
local ns, lane, id, owner = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local most, lives = tonumber(ARGV[5]), tonumber(ARGV[6])
${LANE}
local function keep(name) redis.call('PEXPIRE', name, ${LANE_MS}) end
for _, name in ipairs({ 'prioritized', 'meta', 'id', 'events', 'pc', 'marker' }) do keep(base .. name) end
redis.call('PEXPIRE', base .. id, lives)
redis.call('ZADD', ns .. 'job-lanes', 0, lane)
keep(ns .. 'job-lanes')
local score = redis.call('ZSCORE', waiting, id)
-- A node has it already.
if not score then return 'placed' end
redis.call('ZREM', waiting, id)
local others = redis.call('ZCARD', waiting)
if others == 0 then redis.call('DEL', turns) end
local turn = served()
local last = math.max(turn, tonumber(redis.call('ZSCORE', turns, owner) or '0'))
if others >= most then
  local owners = redis.call('ZCOUNT', turns, '(' .. turn, '+inf')
  if others >= 2 * most or last - turn + 1 > most / (owners + 1) then
    redis.call('DEL', base .. id)
    return 'full'
  end
end
local mine = math.min(last + 1, ${MOST_TURNS})
redis.call('ZADD', waiting, mine * ${TURN} + score % ${TURN}, id)
redis.call('HSET', base .. id, 'priority', mine)
redis.call('ZADD', turns, mine, owner)
keep(turns)
local bell = ns .. 'job-bell:' .. lane
redis.call('RPUSH', bell, '')
redis.call('LTRIM', bell, -others - 1, -1)
keep(bell)
return 'placed'
`;

/** One that leaves the lane unserved gives its turn back. */
const LEFT = `
local lane = arg.lane
${LANE}
local last = tonumber(redis.call('ZSCORE', turns, arg.owner) or '0')
if last > served() then redis.call('ZADD', turns, last - 1, arg.owner) end
`;

const ANNOUNCE = `
redis.call('SET', ns .. 'job-node:' .. arg.node, arg.facts, 'PX', ${NODE_MS})
redis.call('ZADD', ns .. 'job-nodes', now, arg.node)
redis.call('PEXPIRE', ns .. 'job-nodes', ${NODE_MS})
`;

const LEAVE = `
redis.call('DEL', ns .. 'job-node:' .. arg.node)
redis.call('ZREM', ns .. 'job-nodes', arg.node)
`;

/**
 * Lanes with what waits in them and since when, and the nodes that live with what they told. Keys of BullMQ have no end
 * of their own: nothing stays for ever where every node dies.
 */
const LOOK = `
local lanes, nodes = {}, {}
for _, lane in ipairs(redis.call('ZRANGE', ns .. 'job-lanes', 0, -1)) do
  local base = ns .. 'jobs:' .. lane .. ':'
  for _, name in ipairs({ 'wait', 'active', 'stalled', 'prioritized', 'meta', 'id', 'events', 'pc', 'marker' }) do
    redis.call('PEXPIRE', base .. name, ${LANE_MS})
  end
  local waiting = redis.call('ZCARD', base .. 'prioritized') + redis.call('LLEN', base .. 'wait')
  local first = redis.call('LINDEX', base .. 'wait', -1) or redis.call('ZRANGE', base .. 'prioritized', 0, 0)[1]
  local since = first and tonumber(redis.call('HGET', base .. first, 'timestamp') or now) or now
  lanes[#lanes + 1] = { lane, waiting, math.max(0, now - since) }
end
for _, node in ipairs(redis.call('ZRANGE', ns .. 'job-nodes', 0, -1)) do
  local facts = redis.call('GET', ns .. 'job-node:' .. node)
  if facts then nodes[#nodes + 1] = facts else redis.call('ZREM', ns .. 'job-nodes', node) end
end
return { lanes, nodes }
`;

/** Which of some jobs are no more. */
const MISSING = `
local missing = {}
for index, name in ipairs(arg.jobs) do
  if redis.call('EXISTS', ns .. 'jobs:' .. name) == 0 then missing[#missing + 1] = index - 1 end
end
return missing
`;

export interface QueueScripts {
  left: Script;
  announce: Script;
  leave: Script;
  look: Script;
  missing: Script;
}

export const queueScripts = ({ script }: SharedServers): QueueScripts => ({
  left: script(LEFT),
  announce: script(ANNOUNCE),
  leave: script(LEAVE),
  look: script(LOOK),
  missing: script(MISSING),
});
