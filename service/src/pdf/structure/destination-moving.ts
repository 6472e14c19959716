// Destinations follow pages that have moved: outline, links, names and actions lead to the sheet a page is on, to
// the place the page has there.

import type { PdfDocument } from '../document.ts';
import { boxArray } from '../geometry/boxes.ts';
import { boxThrough, scaleOf, transformed } from '../geometry/matrix.ts';
import type { PageMove } from '../geometry/page-move.ts';
import { Dict, isName, name, type PdfValue, Ref } from '../objects.ts';
import { buildNameTree, readNameTree } from './name-tree.ts';
import { everyNode, readOutline } from './outlines.ts';

/** Where a page has gone; a page cut into pieces asks for the place (its own coordinates, where the file says them). */
export type MoveOf = (pageKey: string, x: number | undefined, y: number | undefined) => PageMove | undefined;

/** A chain of actions holds this many at most; hostile files make cycles. */
const MAX_ACTIONS = 200;

export class DestinationMover {
  private readonly doc: PdfDocument;
  private readonly pages: readonly Ref[];
  private readonly moveOf: MoveOf;
  private actionsLeft = 0;

  /** `pages` are those before the move: destinations may count them. */
  constructor(doc: PdfDocument, pages: readonly Ref[], moveOf: MoveOf) {
    this.doc = doc;
    this.pages = pages;
    this.moveOf = moveOf;
  }

  /** The destinations of the document as a whole; annotations and pages are moved by `moveHolder`. */
  moveAll(): void {
    for (const node of everyNode(readOutline(this.doc))) {
      if (!node.ref) continue;
      const dest = node.dest === undefined ? undefined : this.moved(node.dest);
      const action = node.action === undefined ? undefined : this.movedAction(node.action);
      if (dest !== undefined && dest !== node.dest) this.doc.edit(node.ref).set('Dest', dest);
      if (action !== undefined && action !== node.action) this.doc.edit(node.ref).set('A', action);
    }
    const catalog = this.doc.edit(this.doc.catalogRef);
    this.moveNames(catalog);
    const opening = catalog.get('OpenAction');
    if (opening !== undefined)
      catalog.set('OpenAction', this.doc.array(opening) ? this.moved(opening) : this.movedAction(opening));
    this.moveHolder(catalog);
  }

  /** Dest, A and AA of an annotation or a page. */
  moveHolder(holder: Dict): void {
    const dest = holder.get('Dest');
    if (dest !== undefined) holder.set('Dest', this.moved(dest));
    const action = holder.get('A');
    if (action !== undefined) holder.set('A', this.movedAction(action));
    const events = this.doc.dict(holder.get('AA'));
    if (!events) return;
    const moved = [...events].map(([event, each]): [string, PdfValue] => [event, this.movedAction(each)]);
    if (moved.some(([event, each]) => each !== events.get(event))) holder.set('AA', new Dict(moved));
  }

  private moveNames(catalog: Dict): void {
    const held = this.doc.dict(catalog.get('Names'));
    const names = new Dict(held ?? []);
    const change = (tree: string, moved: (value: PdfValue) => PdfValue): void => {
      if (!names.has(tree)) return;
      const entries = readNameTree(this.doc, names.get(tree));
      names.set(
        tree,
        buildNameTree(
          this.doc,
          entries.map(({ key, value }) => ({ key, value: moved(value) })),
        ),
      );
    };
    change('Dests', (value) => this.moved(value));
    // Pages that scripts know by a name.
    change('Pages', (value) =>
      value instanceof Ref ? (this.moveOf(value.key, undefined, undefined)?.sheet ?? value) : value,
    );
    if (held) catalog.set('Names', names);
    const old = this.doc.dict(catalog.get('Dests'));
    if (old) catalog.set('Dests', new Dict([...old].map(([key, value]) => [key, this.moved(value)])));
  }

  /** An explicit destination anew, or a dictionary that holds one; what names one stays as it is. */
  moved(dest: PdfValue): PdfValue {
    const array = this.doc.array(dest);
    if (array) return this.movedArray(array) ?? dest;
    const dict = this.doc.dict(dest);
    const inner = this.doc.array(dict?.get('D'));
    const moved = inner && this.movedArray(inner);
    return dict && moved ? (new Dict(dict).set('D', moved) as Dict) : dest;
  }

  movedAction(action: PdfValue): PdfValue {
    this.actionsLeft = MAX_ACTIONS;
    return this.chain(action);
  }

  private chain(action: PdfValue): PdfValue {
    const dict = this.doc.dict(action);
    this.actionsLeft -= 1;
    if (!dict || this.actionsLeft < 0) return action;
    const changed = new Dict(dict);
    const dest = dict.get('D');
    if (dest !== undefined && isName(this.doc.resolve(dict.get('S')), 'GoTo')) {
      const moved = this.moved(dest);
      if (moved !== dest) {
        changed.set('D', moved);
        // A structure destination says the place in the coordinates of the old page; D says the new one.
        changed.delete('SD');
      }
    }
    const next = dict.get('Next');
    const several = this.doc.array(next);
    if (several)
      changed.set(
        'Next',
        several.map((each) => this.chain(each)),
      );
    else if (next !== undefined) changed.set('Next', this.chain(next));
    const isSame = [...dict].every(([key, value]) => sameItems(changed.get(key), value));
    return isSame ? action : changed;
  }

  private movedArray(array: readonly PdfValue[]): PdfValue[] | undefined {
    const [first, kind, ...places] = array;
    const page = first instanceof Ref ? first : this.pages[this.doc.number(first) ?? -1];
    if (!page) return undefined;
    const numbers = places.map((place) => this.doc.number(place));
    const view = this.doc.name(kind) ?? 'Fit';
    const [x, y] = view === 'FitH' || view === 'FitBH' ? [undefined, numbers[0]] : numbers;
    const move = this.moveOf(page.key, x, view === 'FitR' ? numbers[3] : y);
    return move && [move.sheet, ...viewOnSheet(move, view, numbers)];
  }
}

const sameItems = (a: PdfValue | undefined, b: PdfValue): boolean =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, at) => each === b[at]));

/** Destination views (ISO 32000-1, table 151) in the sheet's coordinates. */
function viewOnSheet(move: PageMove, view: string, places: readonly (number | undefined)[]): PdfValue[] {
  const { matrix, page, alone } = move;
  const [first, second, third, fourth] = places;
  const corner = upperLeft(move);
  const point = (x: number | undefined, y: number | undefined) =>
    transformed(matrix, x ?? corner.x, y ?? corner.y);
  const at = (x: number | undefined, y: number | undefined, zoom: PdfValue): PdfValue[] => {
    const place = point(x, y);
    return [name('XYZ'), place.x, place.y, zoom];
  };
  if (view === 'XYZ') {
    const scale = scaleOf(matrix);
    return at(first, second, third && scale > 0 ? third / scale : null);
  }
  if (view === 'FitR' && first !== undefined && second !== undefined) {
    const box = { left: first, bottom: second, right: third ?? first, top: fourth ?? second };
    return [name('FitR'), ...boxArray(boxThrough(matrix, box))];
  }
  const isLevel = alone && page.turn === 0;
  if (view === 'FitH' || view === 'FitBH') {
    if (!isLevel) return at(undefined, first, null);
    return [name(view), first === undefined ? null : point(undefined, first).y];
  }
  if (view === 'FitV' || view === 'FitBV') {
    if (!isLevel) return at(first, undefined, null);
    return [name(view), first === undefined ? null : point(first, undefined).x];
  }
  if (alone) return [name(view === 'FitB' ? 'FitB' : 'Fit')];
  // The page alone filled the window; among others its own part of the sheet does.
  return [name('FitR'), ...boxArray(boxThrough(matrix, page.box))];
}

/** The upper-left corner of the page as displayed, in its own coordinates. */
function upperLeft({ page: { box, turn } }: PageMove): { x: number; y: number } {
  return {
    x: turn === 0 || turn === 90 ? box.left : box.right,
    y: turn === 0 || turn === 270 ? box.top : box.bottom,
  };
}
