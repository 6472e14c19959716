// Reads the settings, opens state and workers, serves. Everything else is behind these doors.
import { serve } from './serve.ts';
import { StartFailure } from './start-failure.ts';

async function main(): Promise<void> {
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
