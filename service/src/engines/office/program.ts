// Where LibreOffice is on this machine.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EngineState } from '../engine-state.ts';

const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const NAMES = ['soffice', 'libreoffice'];
/** Each part is a package of its own in most distributions. */
const PARTS = ['libswlo.so', 'libsclo.so', 'libsdlo.so'];

export const MISSING =
  'LibreOffice with Writer, Calc, Impress and Draw, for office documents (Debian and Ubuntu: apt-get install ' +
  'libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-draw-nogui)';

/** The folder of its programs and libraries, where all of its parts are there. */
export function officeFolder(): string | undefined {
  for (const folder of FOLDERS) {
    for (const name of NAMES) {
      const path = join(folder, name);
      // The program in the path is a link, or a script of the same name beside the real ones.
      const programs = existsSync(path) ? dirname(realpathSync(path)) : '';
      if (['soffice.bin', ...PARTS].every((file) => existsSync(join(programs, file)))) return programs;
    }
  }
  return undefined;
}

export async function probe(): Promise<EngineState> {
  const folder = officeFolder();
  if (!folder) return { available: false, missing: MISSING };
  const version = settingIn(join(folder, 'bootstraprc'), /^ProductKey=\D*([\d.]+)/m);
  return { available: true, ...(version === undefined ? {} : { version }) };
}

/** How this very LibreOffice calls itself. */
export const buildId = (folder: string): string | undefined =>
  settingIn(join(folder, 'versionrc'), /^buildid=(.+)$/m);

function settingIn(file: string, setting: RegExp): string | undefined {
  try {
    return setting.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
