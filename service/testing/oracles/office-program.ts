// What office tests share: a door in a folder of its own, and other programs' word on results.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Content, InputFile } from '../../src/contract/files.ts';
import { createLog } from '../../src/contract/log.ts';
import { createOffice, type Office } from '../../src/engines/office/office.ts';
import { officeFolder } from '../../src/engines/office/program.ts';

/** Reason to skip, or false. */
export const withoutOffice: string | false = officeFolder() === undefined && 'not installed: LibreOffice';

/** A door whose files are gone when the tests of a file are done. */
export function officeForTests(options: { timeoutMs?: number } = {}): Office {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-office-'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  let count = 0;
  const newFile = (extension: string): string => {
    count += 1;
    return join(dir, `out-${count}.${extension}`);
  };
  return createOffice({ newFile, log: createLog('silent') }, options);
}

export const given = (name: string, bytes: Uint8Array): InputFile =>
  new InputFile(name, { bytes }, name.replace(/\.[^.]*$/, ''));

export const bytesOf = (content: Content): Uint8Array =>
  'bytes' in content ? content.bytes : readFileSync(content.path);

const pathOf = (content: Content): string => {
  if ('path' in content) return content.path;
  throw new Error('not a file');
};

function ask(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 27 });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

export const textOf = (pdf: Content): string => ask('pdftotext', '-layout', pathOf(pdf), '-');
export const pagesOf = (pdf: Content): number =>
  Number(/Pages:\s+(\d+)/.exec(ask('pdfinfo', pathOf(pdf)))?.[1]);
/** Images of such a size that a PDF holds. */
export const imagesOf = (pdf: Content, { width, height }: { width: number; height: number }): number =>
  ask('pdfimages', '-list', pathOf(pdf))
    .split('\n')
    .filter((line) => new RegExp(`^ *\\d+ +\\d+ +\\w+ +${width} +${height} `).test(line)).length;
