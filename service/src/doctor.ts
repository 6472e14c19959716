// What this machine has of what the service can use, for an operator who wonders.
import type { EngineStates } from './engines/engines.ts';
import { probeEngines } from './engines/load.ts';
import { SYSTEM_PACKAGES } from './engines/packages.ts';
import { isPresent, placesOf } from './engines/present.ts';

export interface MissingPackage {
  name: string;
  /** Packages of Debian and Ubuntu that bring it. */
  debian: readonly string[];
  /** Ends the sentence "without it ...". */
  without: string;
}

export interface Findings {
  engines: EngineStates;
  missing: MissingPackage[];
}

export async function examine(path: string): Promise<Findings> {
  const places = placesOf(path);
  return {
    engines: await probeEngines(),
    missing: SYSTEM_PACKAGES.filter((row) => row.for === 'service' && !isPresent(row.provides, places)).map(
      ({ name, debian, without }) => ({ name, debian, without }),
    ),
  };
}
