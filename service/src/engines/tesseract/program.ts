// Where Tesseract is, and what languages it has here.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineState } from '../engine-state.ts';
import { isInstalled } from '../installed.ts';

export const PROGRAM = 'tesseract';
export const MISSING =
  'Tesseract, for text recognition (Debian and Ubuntu: apt-get install tesseract-ocr tesseract-ocr-eng)';

/** The program is told where its data is, so that what is listed and what is used are the same. */
const DATA_FOLDERS = [
  '/usr/local/share/tessdata',
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
];
const EXTENSION = '.traineddata';
/** Data that is no language: orientation, and equations. */
const NO_LANGUAGES = new Set(['osd', 'equ']);
/** Names come to stand on a command line. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

export interface LanguageData {
  folder: string;
  languages: readonly string[];
  /** Whether it can be told how a page lies. */
  canOrient: boolean;
}

export function findData(folders: readonly string[] = DATA_FOLDERS): LanguageData | undefined {
  for (const folder of folders) {
    const names = namesIn(folder);
    if (names.length === 0) continue;
    const scripts = namesIn(join(folder, 'script')).map((name) => `script/${name}`);
    const languages = [...names.filter((name) => !NO_LANGUAGES.has(name)), ...scripts].sort();
    return { folder, languages, canOrient: names.includes('osd') };
  }
  return undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(EXTENSION))
      .map((file) => file.slice(0, -EXTENSION.length))
      .filter((name) => SAFE.test(name));
  } catch {
    return [];
  }
}

export async function probe(): Promise<EngineState> {
  const data = findData();
  if (!isInstalled(PROGRAM) || !data || data.languages.length === 0)
    return { available: false, missing: MISSING };
  const note = 'It cannot tell how pages lie (apt-get install tesseract-ocr-osd).';
  return { available: true, languages: data.languages, ...(data.canOrient ? {} : { note }) };
}
