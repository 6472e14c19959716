// The pages among objects that were found without cross-references: in the order of what is left of their tree, with
// what they take from it.
import { Dict, type PdfValue, Ref } from '../objects.ts';

/** Objects by their key; what is no dictionary or array need not be known. */
export interface FoundObjects {
  value(key: string): PdfValue;
  isPage(key: string): boolean;
}

/** By the key of each page what it inherits. */
export type RecoveredPages = Map<string, Dict>;

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
const MAX_DEPTH = 100;

/**
 * Pages of the catalog's tree. Only where some of it is lost are there others, which stand behind: those of other
 * pieces of a tree, then those that no piece names. With a whole tree they are pages that had been taken out.
 */
export function pagesInOrder(
  found: FoundObjects,
  root: PdfValue | undefined,
  keys: { nodes: readonly string[]; pages: readonly string[] },
): RecoveredPages {
  const walk = new TreeWalk(found);
  walk.visit(root ?? null, new Dict(), 0);
  if (walk.pages.size > 0 && !walk.hasLosses) return walk.pages;
  const isTop = (key: string): boolean => {
    const node = found.value(key);
    const parent = node instanceof Dict ? node.get('Parent') : undefined;
    return !(parent instanceof Ref && found.value(parent.key) instanceof Dict);
  };
  const tops = keys.nodes.filter(isTop);
  for (const key of [...tops, ...keys.nodes, ...keys.pages]) walk.visit(refOf(key), new Dict(), 0);
  return walk.pages;
}

const refOf = (key: string): Ref => {
  const [number = 0, generation = 0] = key.split(' ').map(Number);
  return new Ref(number, generation);
};

class TreeWalk {
  readonly pages: RecoveredPages = new Map();
  hasLosses = false;
  private readonly found: FoundObjects;
  private readonly seen = new Set<string>();

  constructor(found: FoundObjects) {
    this.found = found;
  }

  visit(ref: PdfValue, above: Dict, depth: number): void {
    const node = ref instanceof Ref ? this.found.value(ref.key) : null;
    if (!(ref instanceof Ref) || !(node instanceof Dict) || depth > MAX_DEPTH) {
      this.hasLosses = true;
      return;
    }
    if (this.seen.has(ref.key)) return;
    this.seen.add(ref.key);
    if (this.found.isPage(ref.key)) {
      this.pages.set(ref.key, above);
      return;
    }
    const kids = node.get('Kids');
    const list = kids instanceof Ref ? this.found.value(kids.key) : kids;
    if (!Array.isArray(list)) {
      this.hasLosses = true;
      return;
    }
    const own = new Dict(above);
    for (const key of INHERITED) {
      const value = node.get(key);
      if (value !== undefined) own.set(key, value);
    }
    for (const kid of list) this.visit(kid, own, depth + 1);
  }
}
