// A LibreOffice for a single document: where it cannot be kept up, and for documents that the kept one ends with. It
// loads, stores and closes them in one go, so that nothing is done that only a window needs. That matters: packages
// without windows (Debian's -nogui) lack the form that the window of a comment is made from
// (modules/swriter/ui/annotation.ui), and LibreOffice dies of it as soon as a text with comments is open. With that
// file, which is in libreoffice-writer, the kept one converts such texts, too.
import { dirname } from 'node:path';
import { runProgram } from '../process.ts';
import { type Conversion, OfficeFolder } from './office-folder.ts';
import type { Property } from './urp-coding.ts';

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
      [extension, store.FilterName, filterData(store.FilterData)].filter(Boolean).join(':'),
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

/** What the filter is told, as the command line takes it since LibreOffice 7.4. */
function filterData(data: Property | undefined): string {
  if (typeof data !== 'object' || !('properties' in data)) return '';
  const entries = Object.entries(data.properties).map(([name, value]) => [
    name,
    { type: typeof value === 'number' ? 'long' : typeof value, value: String(value) },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
