// What is done in Redis beside BullMQ itself: whose turn it is, how much waits, which nodes live. Each is one script.
import type { Script, SharedServers } from '../../contract/shared-servers.ts';

/** Greatest priority that BullMQ knows. */
const MOST_TURNS = 2_097_151;
/** What a lane is made of goes so long after the last who used it; lanes in use are kept alive along the way. */
const LANE_MS = 6 * 3600 * 1000;
/** Those who were given a place and have not taken it count for so long. */
const ENTERING_MS = 3000;
/** A node that has not told of itself for so long is not counted on. */
const NODE_MS = 8000;

const LANE = `
local base = ns .. 'jobs:' .. (arg.lane or '') .. ':'
local turns = ns .. 'job-turns:' .. (arg.lane or '')
local turn = ns .. 'job-turn:' .. (arg.lane or '')
local entering = ns .. 'job-entering:' .. (arg.lane or '')
local function keep(names)
  for _, name in ipairs(names) do redis.call('PEXPIRE', base .. name, ${LANE_MS}) end
end
`;

/**
 * A place in a lane, as a priority: callers take turns. Each job of a key stands one turn behind the one before it, the
 * first at the turn that is being served, so a key that sends thousands delays another's first by one job. Where the lane
 * is full, each key may yet have its part of the places.
 */
const ENTER = `${LANE}
redis.call('ZREMRANGEBYSCORE', entering, '-inf', now - ${ENTERING_MS})
local waiting = redis.call('ZCARD', base .. 'prioritized') + redis.call('ZCARD', entering)
if waiting == 0 then redis.call('DEL', turns, turn) end
local served = tonumber(redis.call('GET', turn) or '0')
local last = math.max(served, tonumber(redis.call('ZSCORE', turns, arg.owner) or '0'))
if waiting >= arg.most then
  local owners = redis.call('ZCOUNT', turns, '(' .. served, '+inf')
  local own = last - served
  if waiting >= 2 * arg.most or own + 1 > arg.most / (owners + 1) then return 'full' end
end
local mine = math.min(last + 1, ${MOST_TURNS})
redis.call('ZADD', turns, mine, arg.owner)
redis.call('PEXPIRE', turns, ${LANE_MS})
redis.call('ZADD', entering, now, arg.id)
redis.call('PEXPIRE', entering, ${ENTERING_MS})
redis.call('ZADD', ns .. 'job-lanes', now, arg.lane)
redis.call('PEXPIRE', ns .. 'job-lanes', ${LANE_MS})
return mine
`;

/** After it was added: nothing stays for ever where every node dies. */
const ENTERED = `${LANE}
redis.call('ZREM', entering, arg.id)
redis.call('PEXPIRE', base .. arg.id, arg.ms)
keep({ 'prioritized', 'meta', 'id', 'events', 'pc', 'marker' })
`;

/** One that leaves the lane unserved gives its turn back. */
const LEFT = `${LANE}
local last = tonumber(redis.call('ZSCORE', turns, arg.owner) or '0')
if last > tonumber(redis.call('GET', turn) or '0') then redis.call('ZADD', turns, last - 1, arg.owner) end
`;

const TAKEN = `${LANE}
if arg.turn > tonumber(redis.call('GET', turn) or '0') then redis.call('SET', turn, arg.turn) end
redis.call('PEXPIRE', turn, ${LANE_MS})
keep({ 'wait', 'active', 'stalled', 'prioritized', 'meta', 'id', 'events', 'pc', 'marker' })
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

/** Lanes with what waits in them and since when, and the nodes that live with what they told. */
const LOOK = `
local lanes, nodes = {}, {}
for _, lane in ipairs(redis.call('ZRANGE', ns .. 'job-lanes', 0, -1)) do
  local base = ns .. 'jobs:' .. lane .. ':'
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
  enter: Script;
  entered: Script;
  left: Script;
  taken: Script;
  announce: Script;
  leave: Script;
  look: Script;
  missing: Script;
}

export const queueScripts = ({ script }: SharedServers): QueueScripts => ({
  enter: script(ENTER),
  entered: script(ENTERED),
  left: script(LEFT),
  taken: script(TAKEN),
  announce: script(ANNOUNCE),
  leave: script(LEAVE),
  look: script(LOOK),
  missing: script(MISSING),
});
