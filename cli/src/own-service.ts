// The code of the service. A clone and the image of Bindery have it, the package of this command alone does not.
import { fileURLToPath } from 'node:url';
import { UsageError } from './command.ts';

const SERVICE = '@bindery/service';

const absent = (instead: string): UsageError =>
  new UsageError(`this needs the service itself, which is not installed here; ${instead}`);

/** What `load` imports; `instead` tells what can be done without. */
export async function ofService<T>(load: () => Promise<T>, instead: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' && String(error).includes(SERVICE))
      throw absent(instead);
    throw error;
  }
}

/** The program that is the service. */
export function serviceFile(instead: string): string {
  try {
    return fileURLToPath(import.meta.resolve(`${SERVICE}/main`));
  } catch {
    throw absent(instead);
  }
}
