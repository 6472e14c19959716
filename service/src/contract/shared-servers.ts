// The servers that several nodes share, as far as the work between them needs to know.

export type Reply = string | number | null | Reply[];

/** A step in Redis: one Lua script, called with one argument. */
export type Script = (argument: Readonly<Record<string, unknown>>) => Promise<Reply>;

/** Bytes on their way from one node to another, kept where both find them. */
export interface PassingBytes {
  /** The name they are kept under; they go by themselves after this time. */
  put(content: { bytes: Uint8Array } | { path: string; size: number }, livesMs: number): Promise<string>;
  /** As a new file. */
  bringTo(name: string, path: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** What this node has asked of the servers, counted from its start. */
export class SharedTraffic {
  redisCommands = 0;
  bytesToBucket = 0;
  bytesFromBucket = 0;
}

export interface SharedServers {
  redisUrl: string;
  /** Names of all keys in Redis begin with it. */
  namespace: string;
  /** The name of this node, new with each start; `<namespace>node:<name>` is there while it lives. */
  node: string;
  /** Throws Problem `unavailable` where Redis does not answer in time. */
  script(lua: string): Script;
  passing: PassingBytes;
  traffic: SharedTraffic;
}
