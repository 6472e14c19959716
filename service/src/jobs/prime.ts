// Imports all that a worker may import, so that the code cache holds it. Opens no document.
import { flushCompileCache } from 'node:module';
import { probeEngines } from '../engines/load.ts';
import { LOADERS } from '../operations/loaders.generated.ts';
import './execute.ts';

for (const load of Object.values(LOADERS)) await load();
await probeEngines();
flushCompileCache();
process.exit(0);
