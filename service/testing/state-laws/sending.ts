// How the laws of uploads make, fill and read one.
import assert from 'node:assert/strict';
import type { StoredBytes, Upload, UploadPlan } from '../../src/state/state.ts';
import type { World } from './world.ts';

export const HOUR = 3600 * 1000;
export const CAPS = { inProgress: 5, storageBytes: 1_000_000 };
export const CHUNK = 1000;
export const OWNER = 'key_owner';

/** Bytes that tell their place. */
export const content = (size: number, salt = 0): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, n) => (n * 31 + salt) % 251));
export const partOf = (bytes: Buffer, index: number): Buffer =>
  bytes.subarray(index * CHUNK, (index + 1) * CHUNK);
export async function* inPieces(bytes: Uint8Array, pieceBytes = 300): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    await new Promise(setImmediate);
    yield bytes.subarray(at, at + pieceBytes);
  }
}

export const planFor = (world: World, size: number, more: Partial<UploadPlan> = {}): UploadPlan => ({
  owner: OWNER,
  filename: 'Büro report.pdf',
  contentType: null,
  size,
  chunkSize: CHUNK,
  chunkCount: Math.ceil(size / CHUNK),
  expiresAt: new Date(world.now().getTime() + HOUR),
  ...more,
});

export async function begun(world: World, size: number, more: Partial<UploadPlan> = {}): Promise<Upload> {
  const upload = await world.state.uploads.begin(planFor(world, size, more), CAPS);
  assert.ok(typeof upload === 'object', String(upload));
  return upload;
}

export async function completed(world: World, bytes: Buffer): Promise<Upload> {
  const upload = await begun(world, bytes.length);
  for (let index = 0; index < upload.chunkCount; index += 1)
    await put(world, upload, index, partOf(bytes, index));
  assert.equal(await world.state.uploads.complete(upload.id, OWNER), 'completed');
  return upload;
}

export const put = (world: World, upload: Upload, index: number, bytes: Buffer) =>
  world.state.uploads.putChunk(upload.id, OWNER, index, bytes.length, inPieces(bytes), CAPS.storageBytes);

export async function claimedBytes(world: World, upload: Upload, claimId = 'c1'): Promise<Buffer> {
  const claim = await world.state.uploads.claim(upload.id, OWNER, claimId);
  assert.ok(claim);
  return allOf(claim.bytes);
}

export const allOf = (bytes: StoredBytes | undefined): Promise<Buffer> => {
  assert.ok(bytes);
  return bytes.read(0, bytes.size);
};
