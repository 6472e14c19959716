// Which part of a linearized file each object belongs to (ISO 32000-1, F.3): that depends on who needs it.
import { Doubt } from '../strict/object-scan.ts';

/** What the document's parts refer to, by the numbers of objects. */
export interface ReferenceGraph {
  /** Numbers go up to this. */
  highest: number;
  catalog: number;
  pages: readonly number[];
  /** What a page refers to, without what is above it in the tree; its thumbnail apart. */
  page(number: number): { own: readonly number[]; thumbnail: readonly number[] };
  /** What any other object refers to. */
  refs(number: number, visit: (to: number) => void): void;
  isPage(number: number): boolean;
  /** What entries of the catalog and the trailer refer to: needed to open the document, the outline, all the rest. */
  openDocument: readonly number[];
  outlines: readonly number[];
  pageTree: readonly number[];
  others: readonly number[];
  /** The outline shows as soon as the document opens. */
  opensWithOutlines: boolean;
}

/** Numbers of objects that stand together. */
export interface PartList {
  objects: number[];
  /** They may stand in one stream of objects: whoever needs that is in the same case as who needs one of them. */
  mayPack: boolean;
}

export interface LinearizationParts {
  /** Part 4: the catalog first. */
  openDocument: PartList[];
  /** Part 6: the page first. */
  firstPage: PartList[];
  /** Part 7: for each page but the first, itself first. */
  otherPages: PartList[];
  /** Part 8: what several pages need, but not the first. */
  shared: PartList;
  /** Part 9. */
  others: PartList[];
  /** One of the lists of part 6 or part 9; the outline itself is its first. */
  outlines: PartList;
  /** For each page all that it needs, whoever else does. */
  neededBy: readonly (readonly number[])[];
}

/** Who needs an object. */
const FIRST_PAGE = 1;
const OTHER_PAGE = 2;
const OTHER_PAGES = 4;
const OPEN_DOCUMENT = 8;
const OUTLINES = 16;
const OTHERS = 32;
const PAGE_TREE = 64;
const THUMBNAIL = 128;

/** Where every page refers to all objects, there are as many ways as pages times objects: the library may try. */
const MAX_STEPS = 20_000_000;
const MAX_NEEDS = 5_000_000;

export function linearizationParts(graph: ReferenceGraph, reached: readonly number[]): LinearizationParts {
  const { users, pageOf, neededBy } = usersOf(graph);
  const [first = 0, ...later] = graph.pages;
  const openDocument = list(graph.catalog);
  const ofFirstPage = list(first);
  const firstShared = list();
  const otherPages = later.map((page) => list(page));
  const shared = list();
  const outlines = list();
  const tree = list();
  const rest = list();
  // Also needed by a page: in one stream with others, several pages would need them.
  const alone = { ...list(), mayPack: false };
  const listFor = (number: number): PartList | undefined => {
    const by = users[number] as number;
    if (by & OUTLINES) return outlines;
    if (by & OPEN_DOCUMENT) return openDocument;
    if (by === FIRST_PAGE) return ofFirstPage;
    if (by & FIRST_PAGE) return firstShared;
    if (by === OTHER_PAGE) return otherPages[(pageOf[number] as number) - 1];
    if (by & OTHER_PAGES) return shared;
    if (by & (OTHER_PAGE | THUMBNAIL)) return alone;
    return by & PAGE_TREE ? tree : rest;
  };
  const isPlaced = new Set([graph.catalog, ...graph.pages]);
  for (const number of reached) if (!isPlaced.has(number)) listFor(number)?.objects.push(number);
  const [top] = graph.outlines;
  if (top !== undefined && outlines.objects.includes(top))
    outlines.objects = [top, ...outlines.objects.filter((number) => number !== top)];
  return {
    openDocument: [openDocument],
    firstPage: [ofFirstPage, firstShared, ...(graph.opensWithOutlines ? [outlines] : [])],
    otherPages,
    shared,
    others: [tree, alone, ...(graph.opensWithOutlines ? [] : [outlines]), rest],
    outlines,
    neededBy,
  };
}

const list = (...objects: number[]): PartList => ({ objects, mayPack: true });

interface Users {
  users: Uint8Array;
  /** Of what other pages need: the first of those. */
  pageOf: Int32Array;
  neededBy: number[][];
}

function usersOf(graph: ReferenceGraph): Users {
  const users = new Uint8Array(graph.highest + 1);
  const pageOf = new Int32Array(graph.highest + 1);
  const walk = walker(graph);
  const flag = (use: number) => (number: number) => {
    users[number] = (users[number] as number) | use;
  };
  let needs = 0;
  const neededBy = graph.pages.map((page, index) => {
    const { own, thumbnail } = graph.page(page);
    const needed: number[] = [];
    walk.anew();
    walk.from(own, (number) => {
      needed.push(number);
      if (index === 0) flag(FIRST_PAGE)(number);
      else if ((users[number] as number) & (OTHER_PAGE | OTHER_PAGES)) flag(OTHER_PAGES)(number);
      else {
        flag(OTHER_PAGE)(number);
        pageOf[number] = index;
      }
    });
    walk.from(thumbnail, flag(THUMBNAIL));
    needs += needed.length;
    if (needs > MAX_NEEDS) throw new Doubt();
    return needed.sort((a, b) => a - b);
  });
  const all = (from: readonly number[], use: number): void => {
    walk.anew();
    walk.from(from, flag(use));
  };
  all(graph.openDocument, OPEN_DOCUMENT);
  all(graph.outlines, OUTLINES);
  all(graph.pageTree, PAGE_TREE);
  all(graph.others, OTHERS);
  return { users, pageOf, neededBy };
}

interface Walker {
  /** From now on for somebody else. */
  anew(): void;
  /** All that can be reached without crossing a page. */
  from(start: readonly number[], note: (number: number) => void): void;
}

function walker(graph: ReferenceGraph): Walker {
  const walks = new Uint32Array(graph.highest + 1);
  const waiting: number[] = [];
  let walk = 0;
  let steps = 0;
  const visit = (number: number): void => {
    steps += 1;
    if (walks[number] === walk) return;
    walks[number] = walk;
    if (!graph.isPage(number)) waiting.push(number);
  };
  return {
    anew: () => {
      walk += 1;
    },
    from: (start, note) => {
      for (const number of start) visit(number);
      for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
        if (steps > MAX_STEPS) throw new Doubt();
        note(number);
        graph.refs(number, visit);
      }
    },
  };
}
