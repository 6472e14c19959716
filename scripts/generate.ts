// Writes the files that are derived from others and committed. `npm run generate` writes them,
// `npm run generate -- --check` fails where one is stale. A new derived file is one row of TARGETS.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sdkCatalogue } from './generate-catalogue.ts';
import { manualPage } from './generate-man.ts';
import { notice, thirdPartyLicences } from './generate-notices.ts';
import { openApiFile } from './generate-openapi.ts';
import { operationIndex, operationLoaders } from './generate-operations.ts';
import { pdfaRules } from './generate-pdfa-rules.ts';
import { pythonOperations } from './generate-python.ts';
import { operationsReference, problemsReference } from './generate-reference.ts';
import { dataSchema, reportSchema } from './generate-report-schema.ts';
import { sdkOperations } from './generate-sdk.ts';
import { sdkCanonicalJson, sdkCatalogueEntry, sdkNearestName, sdkReasons } from './generate-sdk-copies.ts';
import { settingsTable } from './generate-settings.ts';

export interface Target {
  /** From the root of the project. */
  path: string;
  make(root: string): Promise<string>;
}

/** In order: later ones may import what earlier ones wrote, so make() imports such modules itself, not at the top. */
export const TARGETS: readonly Target[] = [
  { path: 'service/src/operations/index.generated.ts', make: operationIndex },
  { path: 'service/src/operations/loaders.generated.ts', make: operationLoaders },
  { path: 'docs/reference/settings.md', make: settingsTable },
  { path: 'service/openapi.json', make: openApiFile },
  { path: 'docs/reference/operations.md', make: operationsReference },
  { path: 'docs/reference/problems.md', make: problemsReference },
  { path: 'docs/reference/redaction-report.schema.json', make: reportSchema },
  { path: 'docs/reference/document-data.schema.json', make: dataSchema },
  { path: 'sdk/src/operations.generated.ts', make: sdkOperations },
  { path: 'sdk/src/catalogue.generated.ts', make: sdkCatalogue },
  { path: 'sdk/src/catalogue-entry.generated.ts', make: sdkCatalogueEntry },
  { path: 'sdk/src/nearest-name.generated.ts', make: sdkNearestName },
  { path: 'sdk/src/canonical-json.generated.ts', make: sdkCanonicalJson },
  { path: 'sdk/src/reasons.generated.ts', make: sdkReasons },
  { path: 'cli/man/bindery.1', make: manualPage },
  { path: 'clients/python/src/bindery/operations.py', make: pythonOperations },
  { path: 'docs/reference/pdfa-rules.md', make: pdfaRules },
  { path: 'NOTICE', make: notice },
  { path: 'THIRD-PARTY-LICENCES.md', make: thirdPartyLicences },
];

/** The paths that were (or, when only checking, would be) rewritten. */
export async function generate(
  root: string,
  targets: readonly Target[],
  mode: 'write' | 'check',
): Promise<string[]> {
  const stale: string[] = [];
  for (const target of targets) {
    const path = join(root, target.path);
    const made = await target.make(root);
    const present = await readFile(path, 'utf8').catch(() => undefined);
    if (present === made) continue;
    stale.push(target.path);
    if (mode === 'check') continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, made);
  }
  return stale;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const check = process.argv.includes('--check');
  const stale = await generate(root, TARGETS, check ? 'check' : 'write');
  for (const path of stale) console.log(check ? `stale: ${path}` : `wrote ${path}`);
  if (check && stale.length > 0) {
    console.log('Refresh with: npm run generate');
    process.exitCode = 1;
  }
  if (stale.length === 0) console.log('generated files are fresh');
}
