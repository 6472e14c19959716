// A LibreOffice for a single document: where it cannot be kept up.
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runProgram } from '../process.ts';
import type { Conversion } from './office-process.ts';
import { writeProfile } from './profile.ts';

/** Asks to be started again when it has set up its profile. */
const RESTART = 81;

export async function convertOnce(
  folder: string,
  { source, load, target, store }: Conversion,
  timeoutMs: number,
): Promise<'made' | 'unreadable'> {
  const profile = mkdtempSync(join(tmpdir(), 'office-'));
  writeProfile(profile);
  const outDir = join(profile, 'out');
  mkdirSync(outDir);
  const extension = extname(target);
  const filter = [load.FilterName, load.FilterOptions].filter((part) => typeof part === 'string').join(':');
  const args = [
    '--headless',
    '--norestore',
    '--nolockcheck',
    `-env:UserInstallation=${pathToFileURL(profile).href}`,
    ...(filter === '' ? [] : [`--infilter=${filter}`]),
    '--convert-to',
    `${extension.slice(1)}:${String(store.FilterName)}`,
    '--outdir',
    outDir,
    source,
  ];
  const run = () =>
    runProgram(join(folder, 'soffice.bin'), args, {
      cwd: profile,
      timeoutMs,
      env: { SAL_USE_VCLPLUGIN: 'svp' },
    });
  try {
    const first = await run();
    if (first.code === RESTART) await run();
    const made = join(outDir, `${basename(source, extname(source))}${extension}`);
    if (!statSync(made, { throwIfNoEntry: false })) return 'unreadable';
    renameSync(made, target);
    return 'made';
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}
