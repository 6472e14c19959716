// Which browser this machine has, and how it is started.
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesAt } from '../../contract/file-bytes.ts';
import type { EngineState } from '../engine-state.ts';
import { runProgram } from '../process.ts';

interface Candidate {
  path: string;
  /** The headless shell is the browser without its windows: a third of the memory, and several times as fast. */
  isShell: boolean;
}

/** The programs themselves: what lies in /usr/bin may be a script that only tells how to get one. */
const CANDIDATES: readonly Candidate[] = [
  { path: '/usr/lib/chromium/chromium-headless-shell', isShell: true },
  { path: '/usr/lib/chromium/chromium', isShell: false },
  { path: '/usr/lib64/chromium-browser/headless_shell', isShell: true },
  { path: '/usr/lib64/chromium-browser/chromium-browser', isShell: false },
  { path: '/opt/google/chrome/chrome', isShell: false },
];

export const MISSING =
  'Chromium, to print web pages (Debian: apt-get install chromium-headless-shell; Ubuntu: Google Chrome)';
const UNBOXED = 'the sandbox of the browser is off: it cannot be used as root, or without user namespaces';
const PROBE_LIMIT_MS = 20_000;

const FLAGS = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--hide-scrollbars',
  '--mute-audio',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--disable-extensions',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  '--font-render-hinting=none',
  '--export-tagged-pdf',
  // One page is printed at a time: frames of other origins need no processes of their own.
  '--disable-site-isolation-trials',
  // Images below the fold are printed, too.
  '--blink-settings=lazyLoadEnabled=false',
  // No name is ever resolved and no connection made: each request is answered by us. Should one slip through, there is
  // no name server to ask and nothing behind the proxy.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-features=AutofillServerCommunication,DialMediaRouteProvider,DnsOverHttps,IsolateOrigins,MediaRouter,NetworkPrediction,OptimizationHints,Prerender2,SegmentationPlatform,Translate,WebRtcHideLocalIpsWithMdns,site-per-process',
] as const;

function isProgram(path: string): boolean {
  try {
    return bytesAt({ path }, 0, 4).toString('latin1') === '\x7fELF';
  } catch {
    return false;
  }
}

const found = (): Candidate | undefined => CANDIDATES.find(({ path }) => isProgram(path));

/** Its own sandbox needs a namespace for each page, and another root in it; a machine or a container may forbid either. */
let boxed: Promise<boolean> | undefined;

function canBox(): Promise<boolean> {
  boxed ??= triesToBox();
  return boxed;
}

async function triesToBox(): Promise<boolean> {
  if (process.getuid?.() === 0) return false;
  try {
    const boxes = ['--user', '--map-root-user', '--root=/', '--pid', '--net', '--fork', 'true'];
    const { code } = await runProgram('unshare', boxes, { cwd: '/', timeoutMs: PROBE_LIMIT_MS });
    return code === 0;
  } catch {
    return false;
  }
}

export async function probe(): Promise<EngineState> {
  const program = found();
  if (!program) return { available: false, missing: MISSING };
  try {
    const { code, stdout } = await runProgram(program.path, ['--version'], {
      cwd: '/',
      timeoutMs: PROBE_LIMIT_MS,
    });
    const version = /\d+(?:\.\d+)+/.exec(stdout.toString('latin1'))?.[0];
    if (code !== 0 || version === undefined) return { available: false, missing: MISSING };
    return { available: true, version, ...((await canBox()) ? {} : { note: UNBOXED }) };
  } catch {
    return { available: false, missing: MISSING };
  }
}

export interface LaunchCommand {
  path: string;
  args: readonly string[];
  /** The folder for what its processes share. */
  scratch: string;
}

/** Undefined where there is no browser. */
export async function launchCommand(): Promise<LaunchCommand | undefined> {
  const program = found();
  if (!program) return undefined;
  const box = (await canBox()) ? [] : ['--no-sandbox'];
  const ownMemory = sharesMemory();
  const memory = ownMemory ? [] : ['--disable-dev-shm-usage'];
  const profile = program.isShell ? [] : [`--user-data-dir=${openProfile()}`];
  return {
    path: program.path,
    args: [...FLAGS, ...box, ...memory, ...profile],
    scratch: ownMemory ? '/tmp' : tmpdir(),
  };
}

/** Some isolation leaves a worker no folder of shared memory: its processes then share files of its own folder. */
function sharesMemory(): boolean {
  const path = `/dev/shm/bindery-${process.pid}`;
  try {
    closeSync(openSync(path, 'wx'));
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

const PROFILES = '/tmp';
const PROFILE_NAME = /^bindery-browser-(\d+)-/;

/** The full browser keeps a profile on disk, though nothing of a job gets into it; those of dead processes go. */
function openProfile(): string {
  for (const name of readdirSync(PROFILES)) {
    const pid = PROFILE_NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(PROFILES, name), { recursive: true, force: true });
  }
  const dir = mkdtempSync(join(PROFILES, `bindery-browser-${process.pid}-`));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
