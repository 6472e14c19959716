// Documents we have written, in the formats of other office programs.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import type { Content, InputFile } from '../contract/files.ts';
import { SNIFF_BYTES } from '../contract/kinds.ts';

/** A file of ours as an engine takes it. */
export function ownFile(name: string, content: Content & { path: string }): InputFile {
  const { path } = content;
  return {
    name,
    base: name.replace(/\.[^.]*$/, ''),
    size: statSync(path).size,
    content,
    head() {
      const descriptor = openSync(path, 'r');
      try {
        const head = Buffer.alloc(SNIFF_BYTES);
        return head.subarray(0, readSync(descriptor, head, 0, SNIFF_BYTES, 0));
      } finally {
        closeSync(descriptor);
      }
    },
    bytes: () => readFileSync(path),
  };
}
