// The objects of a linearized file in the order of the file, with their new numbers (ISO 32000-1, F.3): those after the
// first page's section from 1 on, then those before its end; within each page without gaps, as hint tables count them.

import { computeOnce } from '../../../contract/maps.ts';
import { OBJECTS_PER_STREAM } from '../strict/object-layout.ts';
import type { LinearizationParts, PartList } from './parts.ts';

/** What stands in the file as one object: an object of the document, or a stream of several. */
export interface Unit {
  number: number;
  /** Old numbers. */
  objects: readonly number[];
  isContainer: boolean;
}

export interface NumberedUnits {
  /** Parts 4 and 6 to 9. */
  openDocument: Unit[];
  firstPage: Unit[];
  otherPages: Unit[][];
  shared: Unit[];
  others: Unit[];
  outlines: Unit[];
  /** New numbers by the old. */
  numbers: Uint32Array;
  /** Objects that belong to the file alone. Without streams of objects there are no streams of cross-references. */
  mainTable: number | undefined;
  parameters: number;
  firstTable: number | undefined;
  hints: number;
  /** One more than the highest. */
  size: number;
}

export function numberedUnits(
  parts: LinearizationParts,
  highest: number,
  packObjects: boolean,
  canPack: (number: number) => boolean,
): NumberedUnits {
  const isPacked = packObjects ? canPack : () => false;
  const made = new Map<PartList, Unit[]>();
  const unitsOf = (list: PartList): Unit[] => {
    return computeOnce(made, list, () => unitsOfList(list, isPacked));
  };
  const openDocument = parts.openDocument.flatMap(unitsOf);
  const firstPage = parts.firstPage.flatMap(unitsOf);
  const otherPages = parts.otherPages.map(unitsOf);
  const shared = unitsOf(parts.shared);
  const others = parts.others.flatMap(unitsOf);
  const numbers = new Uint32Array(highest + 1);
  let last = 0;
  const next = (): number => {
    last += 1;
    return last;
  };
  const number = (units: readonly Unit[]): void => {
    for (const unit of units) {
      unit.number = next();
      if (!unit.isContainer) for (const object of unit.objects) numbers[object] = unit.number;
    }
  };
  const numberPacked = (units: readonly Unit[]): void => {
    for (const unit of units)
      if (unit.isContainer) for (const object of unit.objects) numbers[object] = next();
  };
  const later = [...otherPages.flat(), ...shared, ...others];
  // In each section objects in streams come after those that stand by themselves.
  number(later);
  const mainTable = packObjects ? next() : undefined;
  numberPacked(later);
  const parameters = next();
  const firstTable = packObjects ? next() : undefined;
  number(openDocument);
  const hints = next();
  number(firstPage);
  numberPacked([...openDocument, ...firstPage]);
  const outlines = unitsOf(parts.outlines);
  const units = { openDocument, firstPage, otherPages, shared, others, outlines };
  return { ...units, numbers, mainTable, parameters, firstTable, hints, size: last + 1 };
}

/** The list's first stays first. */
function unitsOfList({ objects, mayPack }: PartList, isPacked: (number: number) => boolean): Unit[] {
  const [packed, plain]: [number[], number[]] = [[], []];
  for (const object of objects) (mayPack && isPacked(object) ? packed : plain).push(object);
  // A stream for one object would only be longer.
  if (packed.length < 2) return objects.map(plainUnit);
  const containers: Unit[] = [];
  for (let from = 0; from < packed.length; from += OBJECTS_PER_STREAM)
    containers.push({
      number: 0,
      objects: packed.slice(from, from + OBJECTS_PER_STREAM),
      isContainer: true,
    });
  const units = plain.map(plainUnit);
  return plain[0] === objects[0]
    ? [...units.slice(0, 1), ...containers, ...units.slice(1)]
    : [...containers, ...units];
}

const plainUnit = (object: number): Unit => ({ number: 0, objects: [object], isContainer: false });
