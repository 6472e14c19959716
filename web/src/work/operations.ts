// The catalogue as the page needs it: titles, search, which fields are common, what follows what.
import type { CatalogueEntry, CatalogueFile, CatalogueParam } from '@bindery/sdk/catalogue';
import { signal } from '@preact/signals';
import { GERMAN_TITLES, OFTEN_USED, SYNONYMS } from '../operation-words.ts';
import { language } from '../strings.ts';

export type { CatalogueEntry, CatalogueFile, CatalogueParam };

export const MAIN_FILE = 'fileInput';
export const PATHS: readonly string[] = Object.keys(SUMMARIES);

/** Fields and files of every operation come after the page itself; until then there are names and summaries. */
const catalogue = signal<Readonly<Record<string, CatalogueEntry>> | undefined>(undefined);
let loading: Promise<void> | undefined;

/** What fields and choices are called. */
const words = signal<typeof import('../field-words.ts') | undefined>(undefined);

export function loadCatalogue(): Promise<void> {
  loading ??= Promise.all([import('@bindery/sdk/catalogue'), import('../field-words.ts')]).then(
    ([{ CATALOGUE }, loaded]) => {
      words.value = loaded;
      catalogue.value = CATALOGUE;
      index = undefined;
    },
  );
  return loading;
}

export const entryOf = (path: string): CatalogueEntry | undefined =>
  catalogue.value && Object.hasOwn(catalogue.value, path) ? catalogue.value[path] : undefined;

export const titleOf = (path: string): string =>
  (language.value === 'de' ? GERMAN_TITLES[path] : undefined) ?? SUMMARIES[path] ?? path;

export const groupOf = (path: string): string => path.split('/')[0] ?? path;

/** Files a step works on; operations such as convert/url/pdf have none. */
export const mainFile = (entry: CatalogueEntry): CatalogueFile | undefined =>
  entry.files.find(({ name }) => name === MAIN_FILE);
export const extraFiles = (entry: CatalogueEntry): readonly CatalogueFile[] =>
  entry.files.filter(({ name }) => name !== MAIN_FILE);

/** What a field is called; the names that reports have are told as they are. */
export function titleOfField(name: string): string {
  const told = language.value === 'de' ? words.value?.GERMAN_FIELDS : words.value?.ENGLISH_FIELDS;
  return (told && Object.hasOwn(told, name) ? told[name] : undefined) ?? labelOf(name);
}

/** `BLACK_TEXT_ON_WHITE` as "Black text on white", `byFileName` as "By file name"; codes such as A4 stay. */
export function titleOfChoice(value: string | number): string {
  const name = String(value);
  const told = words.value;
  if (!told || told.isSameEverywhere(name)) return name;
  const said = language.value === 'de' ? told.GERMAN_CHOICES : told.ENGLISH_CHOICES;
  if (Object.hasOwn(said, name)) return said[name] ?? name;
  return labelOf(/[a-z]/.test(name) ? name.replaceAll('-', ' ') : name.toLowerCase().replaceAll('_', ' '));
}

/** `pageNumbers` as "Page numbers"; abbreviations stay. */
export function labelOf(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  const plain = words
    .split(' ')
    .map((word) => (/^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** What is looked through, and what a word that is found there counts. */
interface Indexed {
  path: string;
  places: readonly { words: string; weight: number }[];
}

const indexed = (path: string): Indexed => {
  return {
    path,
    places: [
      { words: folded(SUMMARIES[path] ?? ''), weight: 9 },
      { words: folded(GERMAN_TITLES[path] ?? ''), weight: 9 },
      { words: folded(path.replaceAll(/[/-]/g, ' ')), weight: 6 },
      { words: folded(SYNONYMS[path] ?? ''), weight: 7 },
      { words: folded(entryOf(path)?.description ?? ''), weight: 2 },
    ],
  };
};
let index: readonly Indexed[] | undefined;

/** Best first. Every word of the query must begin a word of one of the places, or at least stand within one. */
export function search(query: string): string[] {
  index ??= PATHS.map(indexed);
  const words = folded(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  if (words.length === 0) return [];
  return index
    .map((each) => ({ path: each.path, scores: words.map((word) => scoreOf(each, word)) }))
    .filter(({ scores }) => scores.every((score) => score > 0))
    .map(({ path, scores }) => ({
      path,
      score: scores.reduce((sum, score) => sum + score, Object.hasOwn(OFTEN_USED, path) ? 4 : 0),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}

function scoreOf({ places }: Indexed, word: string): number {
  let best = 0;
  for (const { words, weight } of places) {
    const begins = words.startsWith(word) || words.includes(` ${word}`);
    const within = !begins && word.length > 2 && words.includes(word);
    // The first word of a title says what is done.
    const score = begins ? weight + (words.startsWith(word) ? 2 : 0) : within ? weight / 4 : 0;
    best = Math.max(best, score);
  }
  return best;
}
