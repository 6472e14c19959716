// Documents we have written, in the formats of other office programs.
import { readFileSync, statSync } from 'node:fs';
import { readHead } from '../contract/file-head.ts';
import type { Content, InputFile } from '../contract/files.ts';

/** A file of ours as an engine takes it. */
export function ownFile(name: string, content: Content & { path: string }): InputFile {
  const { path } = content;
  return {
    name,
    base: name.replace(/\.[^.]*$/, ''),
    size: statSync(path).size,
    content,
    head: () => readHead(path),
    bytes: () => readFileSync(path),
  };
}
