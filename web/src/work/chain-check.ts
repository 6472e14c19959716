// What can be told of a chain before it is sent: kinds of files from step to step, as the service checks them, and what is
// still to be filled in.
import { t } from '../strings.ts';
import { extensionOf } from './files.ts';
import { type CatalogueEntry, entryOf, extraFiles, mainFile, titleOfField } from './operations.ts';
import { files, type Step, steps } from './work.ts';

/** What a step makes, as the ending of its files; undefined where only the run will tell. */
function resultEnding(entry: CatalogueEntry, step: Step): string | undefined {
  if (entry.result.shape === 'json') return 'json';
  if (entry.result.shape === 'archive') return undefined;
  if (entry.result.mediaTypes.length === 1 && entry.result.mediaTypes[0] === 'application/pdf') return 'pdf';
  const chosen = step.values.outputFormat;
  return typeof chosen === 'string' ? chosen.toLowerCase() : undefined;
}

/** A fault for each step that cannot work where it stands. */
export function chainFaults(): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  let ending: string | undefined;
  for (const [at, step] of steps.value.entries()) {
    const entry = entryOf(step.op);
    if (!entry) continue;
    const fault = faultAt(entry, at, ending);
    if (fault !== undefined) faults.set(step.id, fault);
    ending = resultEnding(entry, step);
  }
  return faults;
}

function faultAt(entry: CatalogueEntry, at: number, before: string | undefined): string | undefined {
  const main = mainFile(entry);
  if (!main) return at === 0 ? undefined : t('noMainFile');
  const takes = (ending: string): boolean =>
    main.extensions.includes(ending) || main.extensions.includes('bin');
  if (at > 0) {
    if (before === undefined || takes(before)) return undefined;
    return before === 'json' ? t('nothingAfter') : t('cannotFollow', main.accepts, before.toUpperCase());
  }
  // A name without an ending may still be what is wanted: the service looks inside.
  const strange = files.value.find(({ file }) => {
    const ending = extensionOf(file.name);
    return ending !== '' && !takes(ending);
  });
  return strange && t('takesOnly', main.accepts, strange.file.name);
}

/** Names of required fields of a step that are still empty. */
export function missingIn(step: Step): string[] {
  const entry = entryOf(step.op);
  if (!entry) return [];
  const params = entry.params.filter(({ name, required }) => required && !isGiven(step.values[name]));
  const chosen = extraFiles(entry).filter(({ name, required }) => required && !step.files[name]?.length);
  return [...params, ...chosen].map(({ name }) => name);
}

export const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !(typeof value === 'number' && Number.isNaN(value));

/** Why the chain, or the first steps of it, cannot be run yet. */
export function whyNotReady(isKeyValid: boolean, chain: readonly Step[] = steps.value): string | undefined {
  const [first] = chain;
  if (!first) return files.value.length === 0 ? t('needFiles') : t('needSteps');
  const entry = entryOf(first.op);
  // The catalogue is on its way.
  if (!entry) return '';
  if (mainFile(entry) && files.value.length === 0) return t('needFiles');
  const missing = chain.flatMap(missingIn);
  if (missing.length > 0) return t('needFields', missing.map(titleOfField).join(', '));
  return isKeyValid ? undefined : t('needKey');
}
