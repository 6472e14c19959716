// The folder of one LibreOffice: its profile, and the documents it works on. It can see no other of ours.
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Content } from '../../contract/files.ts';
import { diskFullError, isDiskFull } from '../../contract/machine-faults.ts';
import { instancePipe, removePipe } from './pipes.ts';
import { writeProfile } from './profile.ts';
import { buildId } from './program.ts';
import type { PropertyValues } from './urp-coding.ts';

/** A document to be converted; its name is seen in headers, fields and titles. */
export interface Conversion {
  content: Content | { text: string };
  name: string;
  load: PropertyValues;
  target: string;
  extension: string;
  store: PropertyValues;
}

const LAUNCH = fileURLToPath(new URL('./confined-launch.ts', import.meta.url));

export class OfficeFolder {
  readonly dir = mkdtempSync(join(tmpdir(), 'office-'));
  readonly profileUrl = pathToFileURL(join(this.dir, 'profile')).href;
  /** Windows are drawn nowhere, and nothing is kept for later. */
  readonly env = {
    SAL_USE_VCLPLUGIN: 'svp',
    HOME: this.dir,
    TMPDIR: join(this.dir, 'tmp'),
    XDG_CACHE_HOME: '/nonexistent',
  };
  private readonly work = join(this.dir, 'work');

  private readonly programs: string;

  constructor(programs: string) {
    this.programs = programs;
    writeProfile(join(this.dir, 'profile'), buildId(programs));
    mkdirSync(join(this.dir, 'tmp'));
  }

  /** What to start so that LibreOffice sees this folder alone. */
  command(args: readonly string[]): [program: string, args: string[]] {
    this.removeInstancePipe();
    const program = join(this.programs, 'soffice.bin');
    const quiet = '--disable-warning=ExperimentalWarning';
    const settings = ['--headless', '--invisible', '--nodefault', '--norestore', '--nologo', '--nolockcheck'];
    const profile = `-env:UserInstallation=${this.profileUrl}`;
    return [process.execPath, [quiet, LAUNCH, this.dir, program, ...settings, profile, ...args]];
  }

  /** Lays the document in; where it lies, and where the result is to be. */
  begin({ content, name, extension }: Conversion): { source: string; made: string } {
    const outDir = join(this.work, 'out');
    mkdirSync(outDir, { recursive: true });
    const source = join(this.work, name);
    if ('text' in content) writeFileSync(source, content.text);
    else if ('bytes' in content) writeFileSync(source, content.bytes);
    else linkOrCopy(content.path, source);
    return { source, made: join(outDir, `${name.replace(/\.[^.]*$/, '')}.${extension}`) };
  }

  /** Hands over the result, if there is one. */
  finish({ target }: Conversion, made: string): 'made' | 'unreadable' {
    if (!statSync(made, { throwIfNoEntry: false })?.size) return this.unreadable();
    try {
      renameSync(made, target);
    } catch {
      copyFileSync(made, target);
    }
    return 'made';
  }

  /** LibreOffice says little of why it failed; a full disk is nothing that the document did. */
  unreadable(): 'unreadable' {
    if (isDiskFull(this.dir)) throw diskFullError('LibreOffice');
    return 'unreadable';
  }

  /** It may make pipes but not remove them, and takes one that is there for another LibreOffice. */
  removeInstancePipe(): void {
    removePipe(instancePipe(this.profileUrl));
  }

  clear(): void {
    rmSync(this.work, { recursive: true, force: true });
  }

  remove(): void {
    this.removeInstancePipe();
    // One that was just killed may still be writing.
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

const LONGEST_NAME = 80;

/** The name a document has while it is worked on: its own, as far as a file can be called so. */
export function workName(base: string, kind: string): string {
  const plain = base.replace(/[/\\\u0000-\u001f\u007f]/g, '_').replace(/^\.+/, '');
  return `${[...plain].slice(0, LONGEST_NAME).join('').toWellFormed() || 'document'}.${kind}`;
}
