// What nodes tell the one that holds a caller's connection: what begins, pages done, outcomes. A list in
// Redis for each node.
import { setTimeout as pause } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { Redis } from 'ioredis';
import type { Log } from '../../contract/log.ts';
import type { ProblemData } from '../../contract/problems.ts';
import { BLOCK_SECONDS, type QueueRedis } from './queue-redis.ts';
import type { TravellingOutcome } from './travelling-job.ts';

export type Letter =
  | { jobId: string; begun: true }
  | { jobId: string; step: number }
  | { jobId: string; done: number; of: number }
  | LastLetter;

export type LastLetter =
  | ({ jobId: string } & TravellingOutcome)
  | { jobId: string; problem: ProblemData; cause: string | undefined };

/** Letters that nobody fetched go after this time. */
const LETTERS_MS = 60_000;
const MOST_AT_ONCE = 64;
const AFTER_FAILURE_MS = 100;
/** While Redis is away, a letter is tried again for so long. */
const SEND_TRIES = 60;
const SEND_AGAIN_MS = 500;

/** Reads the letters of this node until it is closed. */
export class Mailbox {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #read: (letter: Letter) => void;
  readonly #log: Log;
  #isOver = false;

  constructor(redis: Redis, key: string, read: (letter: Letter) => void, log: Log) {
    this.#redis = redis;
    this.#key = key;
    this.#read = read;
    this.#log = log;
    void this.#fetch();
  }

  close(): void {
    this.#isOver = true;
  }

  async #fetch(): Promise<void> {
    while (!this.#isOver) {
      try {
        const found = await this.#redis.callBuffer(
          ...([
            'BLMPOP',
            String(BLOCK_SECONDS),
            '1',
            this.#key,
            'LEFT',
            'COUNT',
            String(MOST_AT_ONCE),
          ] as const),
        );
        for (const letter of (found as [Buffer, Buffer[]] | null)?.[1] ?? []) this.#open(letter);
      } catch (error) {
        if (this.#isOver) return;
        // A question that was not answered may have lost its connection without a word.
        if (error instanceof Error && /timed out/.test(error.message)) this.#redis.disconnect(true);
        await pause(AFTER_FAILURE_MS);
      }
    }
  }

  #open(letter: Buffer): void {
    try {
      this.#read(deserialize(letter) as Letter);
    } catch (error) {
      this.#log.error('a message of another node was not understood', { error });
    }
  }
}

/** False where Redis was away for too long. `isLast`: nothing more comes of this job. */
export async function sendLetter(
  redis: QueueRedis,
  node: string,
  letter: Letter,
  isLast: boolean,
): Promise<boolean> {
  const bytes = serialize(letter);
  const key = redis.mailboxKey(node);
  for (let tries = 1; tries <= SEND_TRIES; tries += 1) {
    try {
      const answers = await redis.commands.pipeline().rpush(key, bytes).pexpire(key, LETTERS_MS).exec();
      const failed = answers?.find(([error]) => error)?.[0];
      if (failed) throw failed;
      return true;
    } catch {
      // A step that is told late is told in vain.
      if (!isLast) return false;
      await pause(SEND_AGAIN_MS);
    }
  }
  return false;
}
