// Whether a rival is there.
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export function isInstalled(program: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  return places.some(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
