// A LibreOffice that stays up between documents: started with a folder of its own, driven through its pipe, ended by
// force. Ours alone: its pipe has a name nobody else knows, and is gone once we are connected.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type RunningProgram, startProgram } from '../process.ts';
import { Desktop } from './desktop.ts';
import { type Conversion, OfficeFolder } from './office-folder.ts';
import { pipePath, removePipe } from './pipes.ts';

const START_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 20;
/** With a fresh profile it may set things up, end, and want to be started again. */
const STARTS = 3;

export class OfficeProcess {
  private readonly program: RunningProgram;
  private readonly desktop: Desktop;
  private readonly folder: OfficeFolder;
  private readonly endWithUs = () => this.kill();
  isAlive = true;
  /** Documents it was given. */
  served = 0;

  private constructor(program: RunningProgram, desktop: Desktop, folder: OfficeFolder) {
    this.program = program;
    this.desktop = desktop;
    this.folder = folder;
    process.on('exit', this.endWithUs);
    void program.ended.then(() => this.kill());
    this.hold(false);
  }

  static async start(programs: string): Promise<OfficeProcess> {
    const folder = new OfficeFolder(programs);
    try {
      for (let attempt = 1; ; attempt += 1) {
        const started = await startOnce(folder);
        if (started) return new OfficeProcess(started.program, started.desktop, folder);
        if (attempt === STARTS) throw new Error('LibreOffice ended before it could be spoken to');
      }
    } catch (error) {
      folder.remove();
      throw error;
    }
  }

  async convert(conversion: Conversion): Promise<'made' | 'unreadable'> {
    this.served += 1;
    this.hold(true);
    try {
      const { source, made } = this.folder.begin(conversion);
      const document = await this.desktop.load(pathToFileURL(source).href, conversion.load);
      if (!document) return this.folder.unreadable();
      await document.store(pathToFileURL(made).href, conversion.store);
      await document.close();
      return this.folder.finish(conversion, made);
    } catch (error) {
      this.folder.unreadable();
      throw error;
    } finally {
      this.folder.clear();
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
    process.off('exit', this.endWithUs);
    this.desktop.close();
    this.program.kill();
    this.folder.remove();
  }
}

/** Undefined where it has ended by itself. */
async function startOnce(
  folder: OfficeFolder,
): Promise<{ program: RunningProgram; desktop: Desktop } | undefined> {
  const name = `bindery${randomBytes(12).toString('hex')}`;
  const accept = `--accept=pipe,name=${name};urp;StarOffice.ComponentContext`;
  const program = startProgram(...folder.command([accept]), { cwd: folder.dir, env: folder.env });
  let hasEnded = false;
  void program.ended.then(() => {
    hasEnded = true;
  });
  const giveUpAt = Date.now() + START_LIMIT_MS;
  try {
    while (!hasEnded) {
      const pipe = pipePath(name);
      // The pipe is in its place a moment before LibreOffice listens, and longer where the processors are busy.
      const desktop = pipe ? await Desktop.connect(pipe).catch(() => undefined) : undefined;
      if (desktop) {
        // Nobody else is to come, and a killed LibreOffice would leave its pipe behind.
        removePipe(name);
        folder.removeInstancePipe();
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
