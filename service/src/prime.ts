// Imports all that the service and its workers may import, so that the code cache holds it. Opens no document.
import { readdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { importEngines, probeEngines } from './engines/load.ts';
import { markPrimed } from './jobs/code-cache.ts';
import { LOADERS } from './operations/loaders.generated.ts';
import './jobs/worker.ts';
import './main.ts';

/** Of these, some is imported only when it is first wanted. */
const LIBRARIES = ['pdf', 'layout', 'writers', 'markup', 'mail', 'ebook', 'api'];

async function importLibrary(folder: string): Promise<void> {
  const dir = join(import.meta.dirname, folder);
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.ts') && !path.endsWith('.test.ts')) await import(join(dir, path));
  }
}

for (const load of Object.values(LOADERS)) await load();
await importEngines();
await probeEngines();
for (const folder of LIBRARIES) await importLibrary(folder);
flushCompileCache();
markPrimed();
process.exit(0);
