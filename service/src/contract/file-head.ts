// The first bytes of a file of ours, enough to tell what it is.
import { closeSync, openSync, readSync } from 'node:fs';
import { SNIFF_BYTES } from './kinds.ts';

export function readHead(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const head = Buffer.alloc(SNIFF_BYTES);
    return head.subarray(0, readSync(descriptor, head, 0, SNIFF_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
