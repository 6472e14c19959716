// A LibreOffice that stays up between documents: started with a profile of its own, driven through its pipe, ended
// by force. Ours alone: its profile and its pipe have names nobody else knows.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type RunningProgram, startProgram } from '../process.ts';
import { Desktop } from './desktop.ts';
import { writeProfile } from './profile.ts';
import type { PropertyValues } from './urp-coding.ts';

const START_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 20;
/** With a fresh profile it sets things up, ends, and wants to be started again. */
const STARTS = 3;
const PIPE_FOLDERS = ['/tmp', '/var/tmp'];
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];

export interface Conversion {
  source: string;
  load: PropertyValues;
  target: string;
  store: PropertyValues;
}

export class OfficeProcess {
  private readonly program: RunningProgram;
  private readonly desktop: Desktop;
  private readonly profile: string;
  private readonly removeProfile = () => this.kill();
  isAlive = true;
  /** Documents it was given. */
  served = 0;

  private constructor(program: RunningProgram, desktop: Desktop, profile: string) {
    this.program = program;
    this.desktop = desktop;
    this.profile = profile;
    process.on('exit', this.removeProfile);
    void program.ended.then(() => this.kill());
    this.hold(false);
  }

  static async start(folder: string): Promise<OfficeProcess> {
    const profile = mkdtempSync(join(tmpdir(), 'office-'));
    writeProfile(profile);
    mkdirSync(join(profile, 'tmp'));
    try {
      for (let attempt = 1; ; attempt += 1) {
        const started = await startOnce(folder, profile);
        if (started) return new OfficeProcess(started.program, started.desktop, profile);
        if (attempt === STARTS) throw new Error('LibreOffice ended before it could be spoken to');
      }
    } catch (error) {
      rmSync(profile, { recursive: true, force: true });
      throw error;
    }
  }

  async convert({ source, load, target, store }: Conversion): Promise<'made' | 'unreadable'> {
    this.served += 1;
    this.hold(true);
    try {
      const document = await this.desktop.load(pathToFileURL(source).href, load);
      if (!document) return 'unreadable';
      await document.store(pathToFileURL(target).href, store);
      await document.close();
      return 'made';
    } finally {
      this.hold(false);
    }
  }

  /** Whether this process waits for it. */
  private hold(isHeld: boolean): void {
    this.program.hold(isHeld);
    this.desktop.hold(isHeld);
  }

  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    process.off('exit', this.removeProfile);
    this.desktop.close();
    this.program.kill();
    rmSync(this.profile, { recursive: true, force: true });
  }
}

/** Undefined where it has ended by itself. */
async function startOnce(
  folder: string,
  profile: string,
): Promise<{ program: RunningProgram; desktop: Desktop } | undefined> {
  const profileUrl = pathToFileURL(profile).href;
  const name = `bindery${randomBytes(12).toString('hex')}`;
  const program = startProgram(...command(folder, profileUrl, name), {
    cwd: profile,
    // Its windows are drawn nowhere.
    env: { SAL_USE_VCLPLUGIN: 'svp', TMPDIR: join(profile, 'tmp'), XDG_CACHE_HOME: '/nonexistent' },
  });
  let hasEnded = false;
  void program.ended.then(() => {
    hasEnded = true;
  });
  const giveUpAt = Date.now() + START_LIMIT_MS;
  try {
    while (!hasEnded) {
      const pipe = pipePath(name);
      if (pipe) {
        const desktop = await Desktop.connect(pipe);
        // Connected once, nobody else is to come; a killed LibreOffice would leave its pipes behind.
        for (const each of [pipe, pipePath(instanceName(profileUrl))])
          if (each) rmSync(each, { force: true });
        return { program, desktop };
      }
      if (Date.now() > giveUpAt) throw new Error('LibreOffice did not come up');
      await pause(LOOK_EVERY_MS);
    }
    return undefined;
  } catch (error) {
    program.kill();
    throw error;
  }
}

function command(folder: string, profileUrl: string, pipeName: string): [string, string[]] {
  const args = [
    '--headless',
    '--invisible',
    '--nodefault',
    '--norestore',
    '--nologo',
    '--nolockcheck',
    `--accept=pipe,name=${pipeName};urp;StarOffice.ComponentContext`,
    `-env:UserInstallation=${profileUrl}`,
  ];
  const program = join(folder, 'soffice.bin');
  // It would not notice that whoever started it is gone; the kernel does.
  const setpriv = SETPRIV.find((path) => existsSync(path));
  return setpriv ? [setpriv, ['--pdeathsig', 'KILL', program, ...args]] : [program, args];
}

/** Where LibreOffice puts a pipe of that name: not a matter of settings. */
function pipePath(name: string): string | undefined {
  return PIPE_FOLDERS.map((folder) => `${folder}/OSL_PIPE_${process.getuid?.() ?? 0}_${name}`).find((path) =>
    existsSync(path),
  );
}

/** The pipe by which a second LibreOffice with the same profile would find the first. */
function instanceName(profileUrl: string): string {
  const digest = createHash('md5').update(Buffer.from(profileUrl, 'utf16le')).digest();
  return `SingleOfficeIPC_${[...digest].map((byte) => byte.toString(16)).join('')}`;
}
