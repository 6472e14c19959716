// What every implementation of the state promises, told once. Each runs these against real storage of its own.
import { afterEach, beforeEach, describe } from 'node:test';
import type { State } from '../../src/state/state.ts';
import { chunkLaws } from './chunks.ts';
import { fileLaws } from './files.ts';
import { jobLaws } from './jobs.ts';
import { keyLaws } from './keys.ts';
import { rateLaws } from './rates.ts';
import { replayLaws } from './replays.ts';
import { uploadLaws } from './uploads.ts';
import { usageLaws } from './usage.ts';
import { webhookLaws } from './webhooks.ts';
import type { World } from './world.ts';

/** A place where state lives on when its process does not. */
export interface Home {
  open(now: () => Date): Promise<State>;
  remove(): Promise<void>;
  takesLargeFiles: boolean;
}

export function stateLaws(name: string, makeHome: () => Promise<Home>): void {
  describe(`state laws: ${name}`, () => {
    let home: Home;
    let time: number;
    const world = {} as World;
    const now = () => new Date(time);

    beforeEach(async () => {
      home = await makeHome();
      time = Date.UTC(2030, 0, 1);
      Object.assign(world, {
        state: await home.open(now),
        takesLargeFiles: home.takesLargeFiles,
        now,
        pass: (ms: number) => {
          time += ms;
        },
        restart: async () => {
          await world.state.close();
          world.state = await home.open(now);
        },
      });
    });
    afterEach(async () => {
      await world.state.close();
      await home.remove();
    });

    describe('keys', () => keyLaws(world));
    describe('usage', () => usageLaws(world));
    describe('rates', () => rateLaws(world));
    describe('uploads', () => uploadLaws(world));
    describe('chunks', () => chunkLaws(world));
    describe('replays', () => replayLaws(world));
    describe('files', () => fileLaws(world));
    describe('jobs', () => jobLaws(world));
    describe('webhooks', () => webhookLaws(world));
  });
}
