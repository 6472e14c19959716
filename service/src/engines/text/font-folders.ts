// Where fonts lie. Small, because every worker that starts asks whether there are any.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineState } from '../engine-state.ts';

const SYSTEM_FOLDERS = ['/usr/local/share/fonts', '/usr/share/fonts'];
const MAX_FILES = 5000;

export const NO_FONTS =
  'No fonts are installed: install fonts-liberation2, fonts-dejavu-core and fonts-noto-core.';

/** Folders in the order of preference. */
export interface FontFolders {
  /** The operator's own; null: none. */
  own: string | null;
  system: readonly string[];
}

let current: FontFolders = { own: null, system: SYSTEM_FOLDERS };

export const fontFolders = (): FontFolders => current;

/** Sets the operator's folder of fonts (BINDERY_FONT_DIR), before the first text. */
export function useFontFolder(own: string | null): void {
  current = { own, system: SYSTEM_FOLDERS };
}

/** Paths of font files below a folder, in a fixed order. */
export function fontFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ttf|otf|ttc|otc)$/i.test(name))
      .sort()
      .slice(0, MAX_FILES)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

export function probe(): EngineState {
  const { own, system } = current;
  const folders = own === null ? system : [own, ...system];
  if (folders.some((folder) => fontFiles(folder).length > 0)) return { available: true };
  return { available: false, missing: NO_FONTS };
}
