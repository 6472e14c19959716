// What looks like headings but is not, seen by what stands around it: entries of a table of contents, labels, verses,
// the word "Chapter" over its title.
import type { Paragraph } from '../model.ts';
import { romanNumber } from './list-markers.ts';
import type { BlockWithMarker } from './lists.ts';

export interface Candidate {
  marked: BlockWithMarker;
  paragraph: Paragraph;
  text: string;
  size: number;
  bold: boolean;
  italic: boolean;
  capitals: boolean;
  depth: number;
}

export const lookOf = ({ size, bold, capitals }: Candidate): number =>
  Math.round(size * 2) * 4 + (bold ? 2 : 0) + (capitals ? 1 : 0);

/** Much larger than the text, by this factor: a title. */
export const MUCH_LARGER = 1.4;
/** So many alike after one another are labels, entries or verses; numbered ones may be parts without text. */
const MANY_ALIKE = 3;
const MANY_NUMBERED = 4;
/** So many times on one page, or so many entries on it. */
const AGAIN = 3;
const ENTRIES = 3;
/** A heading over another is larger by this factor. */
const HIGHER_HEADING = 1.05;

/** Headings have something below them. In the order of the document; `isNamed` tells those the document itself names. */
export function withoutLabels(
  found: readonly (Candidate | undefined)[],
  bodySize: number,
  isNamed: (candidate: Candidate) => boolean,
): Candidate[] {
  const out = new Set([...entries(found), ...repeated(found), ...wordsOverTitles(found)]);
  const left = found.map((candidate) =>
    candidate && (isNamed(candidate) || !out.has(candidate)) ? candidate : undefined,
  );
  const kept: Candidate[] = [];
  for (let from = 0; from < left.length; ) {
    const first = left[from];
    let to = from + 1;
    while (first && to < left.length && left[to] && lookOf(left[to] as Candidate) === lookOf(first)) to += 1;
    const alike = left.slice(from, to).filter((candidate) => candidate !== undefined);
    const isLast = to === left.length;
    kept.push(
      ...alike.filter((candidate) => {
        if (isNamed(candidate)) return true;
        if (candidate.depth > 0) return alike.length < MANY_NUMBERED;
        if (alike.length >= MANY_ALIKE) return false;
        return !isLast || candidate.size >= bodySize * MUCH_LARGER;
      }),
    );
    from = to;
  }
  return kept;
}

/** Lines of one page that end with the numbers of pages, which never fall. */
function entries(found: readonly (Candidate | undefined)[]): Candidate[] {
  return byPage(found).flatMap((candidates) => {
    const numbered = candidates.flatMap((candidate) => {
      const end = /^(.*\p{L}.*?)[\s.…]+(\d{1,4}|[ivxlc]{1,7})$/u.exec(candidate.text);
      const number = end?.[2] ?? '';
      return end ? [{ candidate, name: end[1], page: Number(number) || romanNumber(number) - FRONT }] : [];
    });
    const names = new Set(numbered.map(({ name }) => name?.replace(/\d+/g, '')));
    const rises = numbered.every(({ page }, i) => page >= (numbered[i - 1]?.page ?? -Infinity));
    return names.size >= ENTRIES && rises ? numbered.map(({ candidate }) => candidate) : [];
  });
}

/** Pages with roman numbers come first. */
const FRONT = 10_000;

/** Under a heading of its own each time, "See also" is one too. */
function repeated(found: readonly (Candidate | undefined)[]): Candidate[] {
  return byPage(found).flatMap((candidates) => {
    const places = new Map<string, number[]>();
    candidates.forEach(({ text }, i) => {
      places.set(text, [...(places.get(text) ?? []), i]);
    });
    const labels = [...places.values()].filter(
      (at) => at.length >= AGAIN && !at.slice(1).every((to, i) => hasHigher(candidates, at[i] ?? 0, to)),
    );
    return labels.flat().flatMap((at) => candidates[at] ?? []);
  });
}

const hasHigher = (candidates: readonly Candidate[], from: number, to: number): boolean => {
  const own = candidates[from];
  return candidates
    .slice(from + 1, to)
    .some((other) => own !== undefined && other.text !== own.text && other.size > own.size * HIGHER_HEADING);
};

const PART =
  /^(?:chapter|part|appendix|section|kapitel|teil|anhang|chapitre|partie|cap[íi]tulo|parte|глава|часть)?\s*(?:\d{1,3}|[ivxlc]{1,7}|[a-z]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)?[.:]?$/iu;

/** "CHAPTER", "ONE", and below it what the chapter is called. */
function wordsOverTitles(found: readonly (Candidate | undefined)[]): Candidate[] {
  return found.flatMap((candidate, i) => {
    if (!candidate || !PART.test(candidate.text)) return [];
    const below = found[i + 1];
    return below && below.paragraph.page === candidate.paragraph.page ? [candidate] : [];
  });
}

function byPage(found: readonly (Candidate | undefined)[]): Candidate[][] {
  const pages = new Map<number, Candidate[]>();
  for (const candidate of found) {
    if (!candidate) continue;
    const page = pages.get(candidate.paragraph.page);
    if (page) page.push(candidate);
    else pages.set(candidate.paragraph.page, [candidate]);
  }
  return [...pages.values()];
}
