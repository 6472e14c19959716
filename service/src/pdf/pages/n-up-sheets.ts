// N-up: new sheets with old pages on them. Each page is drawn as one form XObject, and all that belongs to a page moves
// to the sheet with it.
import { AnnotationMover } from '../annotations/annotation-moving.ts';
import type { PdfDocument } from '../document.ts';
import { type Box, boxArray, boxOf } from '../geometry/boxes.ts';
import type { DisplayedPage } from '../geometry/displayed-page.ts';
import { boxThrough, type Matrix, matrixText, product } from '../geometry/matrix.ts';
import type { PageMove } from '../geometry/page-move.ts';
import { cloneValue, Dict, name, type PdfValue, Ref } from '../objects.ts';
import { copyAnnotations } from '../page-tree/page-copies.ts';
import { sameValue } from '../same-value.ts';
import { DestinationMover } from '../structure/destination-moving.ts';
import { moveStructure } from '../structure/structure-moving.ts';
import { readStructure } from '../structure/structure-tree.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { PageForms } from './page-form.ts';
import { type PageLabel, readPageLabels, writePageLabels } from './page-labels.ts';

export interface PlacedPage {
  page: DisplayedPage;
  /** From the page as displayed, its lower-left corner at the origin, to the sheet. */
  matrix: Matrix;
}

export interface Frame {
  /** The outer edge; the line lies inside. */
  box: Box;
  lineWidth: number;
}

export interface Sheet {
  width: number;
  height: number;
  /** Points of a unit. */
  userUnit?: number;
  pages: readonly PlacedPage[];
  frames?: readonly Frame[];
}

/** Entries of a page that say nothing true of the sheet it stands on. */
const NOT_KEPT = [
  'CropBox',
  'BleedBox',
  'TrimBox',
  'ArtBox',
  'BoxColorInfo',
  'Rotate',
  'UserUnit',
  'Thumb',
  'VP',
  'Group',
  'StructParents',
  'B',
  'Annots',
  'DPart',
  'SeparationInfo',
];

/** Makes these sheets the document's pages. Every page of the document stands on exactly one of them. */
export function placeOnSheets(doc: PdfDocument, sheets: readonly Sheet[]): void {
  const pages = [...doc.pages()];
  const keys = new Set(pages.map((ref) => ref.key));
  const labels = readPageLabels(doc);
  const structure = readStructure(doc, keys);
  giveSharedAnnotationsToOne(doc, pages);
  const moves = new Map<string, PageMove>();
  const refs = sheets.map((sheet) => {
    const [only, second] = sheet.pages;
    const ref = only && !second ? only.page.ref : doc.add(new Dict());
    for (const { page, matrix } of sheet.pages)
      moves.set(page.ref.key, {
        page,
        sheet: ref,
        matrix: product(page.matrix, matrix),
        alone: second === undefined,
      });
    return ref;
  });

  const forms = new PageForms(doc);
  const destinations = new DestinationMover(doc, pages, (key) => moves.get(key));
  const annotations = new AnnotationMover(doc);
  const made = sheets.map((sheet): Dict => {
    const dict = sheetOf(doc, sheet, forms);
    for (const { page } of sheet.pages) {
      const move = moves.get(page.ref.key);
      const old = doc.dict(page.ref);
      if (!move || !old) continue;
      gather(dict, 'Annots', movedAnnotations(doc, old, move, annotations, destinations));
      gather(dict, 'B', movedBeads(doc, old, move));
    }
    if (dict.has('AA')) destinations.moveHolder(dict);
    dict.set('Type', name('Page'));
    return dict;
  });
  if (structure)
    moveStructure(doc, structure, (key) => {
      const move = moves.get(key);
      return move && { sheet: move.sheet, form: forms.of(move.page) };
    });
  destinations.moveAll();
  const onSheets = new Set(refs.map((ref) => ref.key));
  // Whatever still leads to a page that is no sheet now leads nowhere.
  for (const ref of pages) if (!onSheets.has(ref.key)) doc.replace(ref, null);
  refs.forEach((ref, index) => {
    doc.replace(ref, made[index] ?? new Dict());
  });
  doc.linkPages(refs);
  if (labels) writePageLabels(doc, sheetLabels(labels, sheets, pages));
}

/** A number for each sheet makes sense where each is one page. */
function sheetLabels(
  labels: readonly PageLabel[],
  sheets: readonly Sheet[],
  pages: readonly Ref[],
): PageLabel[] | undefined {
  if (sheets.some((sheet) => sheet.pages.length !== 1)) return undefined;
  const byPage = new Map(pages.map((ref, index) => [ref.key, labels[index]]));
  return sheets.map(({ pages: [placed] }) => byPage.get(placed?.page.ref.key ?? '') ?? { number: 1 });
}

function sheetOf(doc: PdfDocument, sheet: Sheet, forms: PageForms): Dict {
  const [first, second] = sheet.pages;
  const old = (first && doc.dict(first.page.ref)) ?? new Dict();
  const dict = first && !second ? cloneValue(old) : Dict.of({ Tabs: old.get('Tabs') });
  for (const key of NOT_KEPT) dict.delete(key);
  const xobjects = new Dict();
  let content = '';
  sheet.pages.forEach(({ page, matrix }, index) => {
    const form = forms.of(page);
    const parents = doc.dict(page.ref)?.get('StructParents');
    if (typeof parents === 'number') doc.edit(form).set('StructParents', parents);
    xobjects.set(`Page${index + 1}`, form);
    content += `q ${matrixText(matrix)} cm /Page${index + 1} Do Q\n`;
  });
  for (const frame of sheet.frames ?? []) content += frameContent(frame);
  dict.set('MediaBox', [0, 0, sheet.width, sheet.height]);
  if (sheet.userUnit !== undefined && sheet.userUnit !== 1) dict.set('UserUnit', sheet.userUnit);
  dict.set('Resources', Dict.of({ XObject: xobjects }));
  dict.set('Contents', doc.addStream(new Dict(), Buffer.from(content, 'latin1')));
  blendAsPagesDid(doc, dict, sheet, forms);
  return dict;
}

/**
 * Pages that blend in the same way do so in the sheet's own group: nothing else stands where they stand. Forms with
 * groups of their own mean the same, but readers draw thin lines in them less well.
 */
function blendAsPagesDid(doc: PdfDocument, dict: Dict, sheet: Sheet, forms: PageForms): void {
  const groups = sheet.pages.map(({ page }) => doc.dict(doc.dict(page.ref)?.get('Group')));
  const first = groups.find((group) => group !== undefined);
  if (!first) return;
  dict.set('Group', new Dict(first));
  const isSame = (group: Dict | undefined): boolean =>
    group !== undefined && !doc.boolean(group.get('K')) && sameValue(doc, group.get('CS'), first.get('CS'));
  if (groups.every(isSame)) for (const { page } of sheet.pages) doc.edit(forms.of(page)).delete('Group');
}

function frameContent({ box, lineWidth }: Frame): string {
  const half = lineWidth / 2;
  const sides = [
    box.left + half,
    box.bottom + half,
    box.right - box.left - lineWidth,
    box.top - box.bottom - lineWidth,
  ];
  return `/Artifact BMC q 0 G ${formatNumber(lineWidth)} w ${sides.map(formatNumber).join(' ')} re S Q EMC\n`;
}

function gather(sheet: Dict, key: string, added: readonly PdfValue[]): void {
  const held = sheet.get(key);
  if (added.length > 0) sheet.set(key, [...(Array.isArray(held) ? held : []), ...added]);
}

function movedAnnotations(
  doc: PdfDocument,
  page: Dict,
  move: PageMove,
  annotations: AnnotationMover,
  destinations: DestinationMover,
): PdfValue[] {
  return (doc.array(page.get('Annots')) ?? []).flatMap((held): PdfValue[] => {
    const dict = doc.resolve(held);
    if (!(dict instanceof Dict) || isPage(doc, dict)) return [];
    const changed = held instanceof Ref ? doc.edit(held) : cloneValue(dict);
    annotations.move(changed, move);
    destinations.moveHolder(changed);
    return [held instanceof Ref ? held : changed];
  });
}

/** A damaged list may hold the page itself. */
const isPage = (doc: PdfDocument, dict: Dict): boolean =>
  ['Page', 'Pages', 'Catalog'].includes(doc.name(dict.get('Type')) ?? '');

/** Parts of articles on the page (ISO 32000-1, 12.4.3). */
function movedBeads(doc: PdfDocument, page: Dict, { sheet, matrix }: PageMove): Ref[] {
  return (doc.array(page.get('B')) ?? []).filter((bead): bead is Ref => {
    const dict = doc.dict(bead);
    if (!(bead instanceof Ref) || !dict || isPage(doc, dict)) return false;
    const box = boxOf(doc, dict.get('R') ?? null);
    const changed = doc.edit(bead);
    changed.set('P', sheet);
    if (box) changed.set('R', boxArray(boxThrough(matrix, box)));
    return true;
  });
}

/** An annotation has one place. Where several pages list the same one, or one page lists it twice, copies are made. */
export function giveSharedAnnotationsToOne(doc: PdfDocument, pages: readonly Ref[]): void {
  const owners = new Map<string, string>();
  for (const page of pages) {
    const list = doc.array(doc.dict(page)?.get('Annots'));
    if (!list) continue;
    const own = list.filter((each) => {
      if (!(each instanceof Ref) || owners.has(each.key)) return false;
      owners.set(each.key, page.key);
      return true;
    });
    const shared = list.filter((each) => each instanceof Ref && owners.get(each.key) !== page.key);
    const direct = list.filter((each) => each instanceof Dict);
    if (own.length + direct.length < list.length)
      doc.edit(page).set('Annots', [...own, ...direct, ...copyAnnotations(doc, shared, page, new Map())]);
  }
}
