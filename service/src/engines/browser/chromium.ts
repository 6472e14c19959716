// A running Chromium: started on first use, kept for the next job of this process, replaced when it has served its
// time. One page at a time; each has storage of its own that is gone with it.

import { MIB } from '../../contract/limits.ts';
import { type RunningProgram, startProgram } from '../process.ts';
import { BrowserEnded, Connection, type Params } from './connection.ts';
import { launchCommand } from './program.ts';

const START_LIMIT_MS = 60_000;
/** After so many pages, or grown so far, another takes its place. */
const PAGES_EACH = 300;
const MOST_BYTES = 500 * MIB;
const PAGES_BETWEEN_LOOKS = 10;

export interface Tab {
  contextId: string;
  sessionId: string;
  /** Of the main frame. */
  frameId: string;
  send(method: string, params?: Params): Promise<Params>;
}

export class Chromium {
  readonly connection: Connection;
  /** Without the name of the mode, which some sites turn away, and with ours. */
  readonly userAgent: string;
  private readonly program: RunningProgram;
  private spare: Promise<Tab> | undefined;
  private pages = 0;
  isAlive = true;

  private constructor(program: RunningProgram, connection: Connection, userAgent: string) {
    this.program = program;
    this.connection = connection;
    this.userAgent = `${userAgent.replace('HeadlessChrome', 'Chrome')} Bindery`;
    void program.ended.then(() => {
      this.isAlive = false;
    });
  }

  /** Undefined where this machine has none. */
  static async start(): Promise<Chromium | undefined> {
    const command = await launchCommand();
    if (!command) return undefined;
    // Nothing is to be written at home: fonts have their cache elsewhere, pages none at all.
    const program = startProgram(command.path, command.args, {
      cwd: '/',
      env: {
        HOME: '/nonexistent',
        TMPDIR: command.scratch,
        XDG_CACHE_HOME: '/nonexistent',
        DBUS_SESSION_BUS_ADDRESS: '',
      },
    });
    const connection = new Connection(program.input, program.output);
    void program.ended.then((words) => connection.close(new BrowserEnded(`the browser has ended: ${words}`)));
    const impatience = setTimeout(() => program.kill(), START_LIMIT_MS);
    try {
      const { userAgent } = await connection.send('Browser.getVersion');
      // For every page, frame and worker at once, before any of them can ask for anything.
      await connection.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
      return new Chromium(program, connection, String(userAgent));
    } catch (error) {
      program.kill();
      throw error;
    } finally {
      clearTimeout(impatience);
    }
  }

  /** A page with nothing on it, and with storage of its own. */
  takeTab(): Promise<Tab> {
    const tab = this.spare ?? this.openTab();
    this.spare = undefined;
    this.pages += 1;
    return tab;
  }

  /** The next job finds its page open. */
  prepareTab(): void {
    this.spare ??= this.openTab();
    this.spare.catch(() => this.kill());
  }

  /** When this is done nothing of the page is left, and nothing more is heard of it. */
  async closeTab({ contextId }: Tab): Promise<void> {
    await this.connection.send('Target.disposeBrowserContext', { browserContextId: contextId });
  }

  get hasServed(): boolean {
    if (this.pages >= PAGES_EACH) return true;
    return this.pages % PAGES_BETWEEN_LOOKS === 0 && this.program.ownBytes() > MOST_BYTES;
  }

  hold(isHeld: boolean): void {
    this.program.hold(isHeld);
  }

  kill(): void {
    this.isAlive = false;
    this.program.kill();
  }

  private async openTab(): Promise<Tab> {
    const { connection } = this;
    const { browserContextId } = await connection.send('Target.createBrowserContext', {
      disposeOnDetach: true,
    });
    const { targetId } = await connection.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    const attached = await connection.send('Target.attachToTarget', { targetId, flatten: true });
    const sessionId = String(attached.sessionId);
    const send = (method: string, params: Params = {}) => connection.send(method, params, sessionId);
    await Promise.all([
      send('Page.enable'),
      send('Inspector.enable'),
      send('Emulation.setUserAgentOverride', { userAgent: this.userAgent, acceptLanguage: 'en' }),
      connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
    ]);
    return { contextId: String(browserContextId), sessionId, frameId: String(targetId), send };
  }
}
