// Reads the settings, opens state and workers, serves. Everything else is behind these doors.
import { serve } from './serve.ts';
import { StartFailure } from './start-failure.ts';

/** A reader of our lines that goes away (`| head`, a broken log collector) is no reason to stop serving. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

async function main(): Promise<void> {
  outliveReaders();
  try {
    await serve();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    // A setting or a machine that does not allow the start: one clear line, exit code 1.
    process.stderr.write(`bindery: ${error.message}\n`);
    process.exit(1);
  }
}

if (import.meta.main) await main();
