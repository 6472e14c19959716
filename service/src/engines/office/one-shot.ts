// A LibreOffice for a single document: where it cannot be kept up.
import { dirname } from 'node:path';
import { runProgram } from '../process.ts';
import { type Conversion, OfficeFolder } from './office-folder.ts';

/** Asks to be started again when it has set up its profile. */
const RESTART = 81;

export async function convertOnce(
  programs: string,
  conversion: Conversion,
  timeoutMs: number,
): Promise<'made' | 'unreadable'> {
  const { load, store, extension } = conversion;
  const folder = new OfficeFolder(programs);
  try {
    const { source, made } = folder.begin(conversion);
    const filter = [load.FilterName, load.FilterOptions].filter((part) => typeof part === 'string').join(':');
    const [program, args] = folder.command([
      ...(filter === '' ? [] : [`--infilter=${filter}`]),
      '--convert-to',
      `${extension}:${String(store.FilterName)}`,
      '--outdir',
      dirname(made),
      source,
    ]);
    const run = () => runProgram(program, args, { cwd: folder.dir, timeoutMs, env: folder.env });
    if ((await run()).code === RESTART) await run();
    return folder.finish(conversion, made);
  } finally {
    folder.remove();
  }
}
