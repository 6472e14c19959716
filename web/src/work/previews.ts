// The document as it is where a later step begins: the steps before are run once for it, when somebody asks, and what they
// make is kept until they change.
import { signal } from '@preact/signals';
import { t } from '../strings.ts';
import { type InputFile, inputFile } from './files.ts';
import { entryOf, mainFile } from './operations.ts';
import { passwordsOf, perform } from './run.ts';
import { files, type Step, steps } from './work.ts';

export interface Preview {
  /** Of what it was made. */
  readonly madeOf: string;
  readonly state: 'running' | 'ready' | 'failed';
  readonly input?: InputFile;
  readonly fault?: string;
}

/** By the id of the step whose input it is. */
export const previews = signal<ReadonlyMap<string, Preview>>(new Map());

/** A chain takes one file where its first step does. */
function sourcesOf(chain: readonly Step[]): readonly InputFile[] {
  const entry = chain[0] && entryOf(chain[0].op);
  const main = entry && mainFile(entry);
  if (entry && !main) return [];
  const first = files.value.find(({ state }) => state.value === 'ready') ?? files.value[0];
  return main?.many ? files.value : first ? [first] : [];
}

const idOf = ({ name, size, lastModified }: File): string => `${name} ${size} ${lastModified}`;

/** What the steps before the one at `at` would be run on and with. */
export function madeOf(at: number): string {
  const chain = steps.value.slice(0, at);
  return JSON.stringify([
    sourcesOf(chain).map(({ id, password }) => [id, password.value]),
    chain.map(({ op, values, files: own }) => [op, values, Object.values(own).flat().map(idOf)]),
  ]);
}

const keep = (stepId: string, preview: Preview): void => {
  previews.value = new Map([...previews.value, [stepId, preview]]);
};

export async function makePreview(stepId: string): Promise<void> {
  const at = steps.value.findIndex(({ id }) => id === stepId);
  if (at <= 0) return;
  const chain = steps.value.slice(0, at);
  const sources = sourcesOf(chain);
  const made = { madeOf: madeOf(at) };
  keep(stepId, { ...made, state: 'running' });
  try {
    const inputs = sources.map(({ file }) => file);
    const result = await perform(inputs, chain, passwordsOf(sources), {});
    const file = new File([await result.blob()], result.filename, { type: result.mediaType });
    const input = inputFile(file);
    if (!input.isPdf) throw new Error(t('previewNoPdf'));
    keep(stepId, { ...made, state: 'ready', input });
  } catch (error) {
    keep(stepId, { ...made, state: 'failed', fault: (error as Error).message });
  }
}
