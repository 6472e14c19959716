// What the parts of a sound document refer to, as linearizing asks it.
import { Dict, isName, type PdfValue, type Ref, Stream } from '../../../pdf/objects.ts';
import type { ReferenceGraph } from '../linearization/parts.ts';
import { Doubt, sure } from './object-scan.ts';
import { refsIn } from './store.ts';
import { REF_FIELDS } from './strict-object.ts';
import { eachRef, leadsTo, type StrictState } from './writer.ts';

/** What a reader needs to open the document (ISO 32000-1, F.3.5). */
const OPEN_DOCUMENT: ReadonlySet<string> = new Set(
  'ViewerPreferences PageMode Threads OpenAction AcroForm'.split(' '),
);

export function strictGraph(
  state: StrictState,
  trailer: Dict,
  pages: readonly Ref[],
  isReached: (number: number) => boolean,
): ReferenceGraph {
  const { store, changed } = state;
  const catalog = changed(store.catalogRef.number) ?? store.load(store.catalogRef);
  if (!(catalog instanceof Dict)) throw new Doubt();
  const outline = catalog.get('Outlines');
  const numbersIn = (values: Iterable<PdfValue | undefined>): number[] =>
    [...values]
      .flatMap((value) => refsIn(value ?? null))
      .filter((ref) => leadsTo(state, ref) && isReached(ref.number))
      .map(({ number }) => number);
  const entries = [...catalog];
  const isRest = (key: string): boolean => !OPEN_DOCUMENT.has(key) && key !== 'Outlines' && key !== 'Pages';
  const ofTrailer = [...trailer].filter(([key]) => key !== 'Root');
  const rest = [...entries.filter(([key]) => isRest(key)), ...ofTrailer];
  const pageNumbers = pages.map(({ number }) => sure(isReached(number) && number));
  const inTree = new Set(pageNumbers);
  const outlines = numbersIn([outline]);
  return {
    highest: store.lastNumber,
    catalog: store.catalogRef.number,
    pages: pageNumbers,
    page: (number) => pageRefs(state, number, isReached),
    refs: (number, visit) =>
      eachRef(state, number, (to) => {
        if (isReached(to)) visit(to);
      }),
    isPage: (number) => inTree.has(number) || isPageObject(state, number),
    openDocument: numbersIn(entries.filter(([key]) => OPEN_DOCUMENT.has(key)).map(([, value]) => value)),
    outlines,
    pageTree: numbersIn([catalog.get('Pages')]),
    others: numbersIn(rest.map(([, value]) => value)),
    opensWithOutlines: outlines.length > 0 && isName(catalog.get('PageMode'), 'UseOutlines'),
  };
}

/** An object that calls itself a page. */
export function isPageObject({ store, changed }: StrictState, number: number): boolean {
  const now = changed(number);
  if (now !== undefined) return now instanceof Dict && isName(now.get('Type'), 'Page');
  const object = store.writtenAt(number)?.object;
  return object !== undefined && !object.data && object.type === 'Page';
}

export function isStream({ store, changed }: StrictState, number: number): boolean {
  const now = changed(number);
  return now === undefined ? store.writtenAt(number)?.object.data !== undefined : now instanceof Stream;
}

function pageRefs(
  state: StrictState,
  number: number,
  isReached: (number: number) => boolean,
): { own: number[]; thumbnail: number[] } {
  const own: number[] = [];
  const thumbnail: number[] = [];
  const now = state.changed(number);
  if (now !== undefined) {
    for (const [key, value] of now instanceof Dict ? now : [])
      for (const ref of key === 'Parent' ? [] : refsIn(value))
        if (leadsTo(state, ref) && isReached(ref.number))
          (key === 'Thumb' ? thumbnail : own).push(ref.number);
    return { own, thumbnail };
  }
  const { object, meaning } = sure(state.store.writtenAt(number));
  for (let place = 0; place < object.refs.length; place += REF_FIELDS) {
    const called = object.refs[place] as number;
    const to = meaning ? meaning(called) : called;
    if (place !== object.parentPlace && isReached(to))
      (place === object.thumbPlace ? thumbnail : own).push(to);
  }
  return { own, thumbnail };
}
