// What a document draws, handed to a program that draws it anew, and taken back: pages and appearances change, all
// else (bookmarks, links, fields, labels, attachments) stays with the document.
import type { Subject } from '../conformance/validation-context.ts';
import { contentParts, inheritedEntry, joinContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, name, type PdfValue, Ref, Stream } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { type InvisibleText, invisibleText } from './invisible-text.ts';

type Corners = [left: number, bottom: number, right: number, top: number];

interface Place {
  ref: Ref;
  box: Corners;
}

export interface Drawings {
  pages: Place[];
  /** Streams that annotations show, each once. */
  appearances: Place[];
}

const LETTER: Corners = [0, 0, 612, 792];
/** Smaller than this nothing can be seen, and no page can be so small. */
const SMALLEST = 1;

/**
 * The drawings of a document, or of some of its pages, and where they stand; appearances all the same. Objects keep
 * their numbers in a file saved from it.
 */
export function drawingsOf(doc: PdfDocument, some?: ReadonlySet<number>): Drawings {
  const appearances = new Map<string, Place>();
  for (const page of doc.pages()) {
    for (const annotation of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      for (const ref of appearanceStreams(doc, doc.dict(annotation))) {
        const box = corners(doc, doc.dict(ref)?.get('BBox'));
        if (box && isVisible(box)) appearances.set(ref.key, { ref, box });
      }
    }
  }
  const pages = doc
    .pages()
    .filter((_, index) => some?.has(index) ?? true)
    .map((ref) => ({ ref, box: mediaBox(doc, ref) }));
  return { pages, appearances: [...appearances.values()] };
}

const isVisible = ([left, bottom, right, top]: Corners): boolean =>
  right - left >= SMALLEST && top - bottom >= SMALLEST;

function appearanceStreams(doc: PdfDocument, annotation: Dict | undefined): Ref[] {
  const normal = doc.dict(annotation?.get('AP'))?.get('N');
  const held = doc.resolve(normal);
  const listed = held instanceof Dict ? [...held.values()] : [normal];
  return listed.filter((each): each is Ref => each instanceof Ref && doc.get(each) instanceof Stream);
}

function mediaBox(doc: PdfDocument, ref: Ref): Corners {
  const page = doc.dict(ref) ?? new Dict();
  return corners(doc, inheritedEntry(doc, page, 'MediaBox')) ?? LETTER;
}

function corners(doc: PdfDocument, value: PdfValue | undefined): Corners | undefined {
  const numbers = doc.array(value)?.map((each) => doc.number(each) ?? Number.NaN);
  if (!numbers || numbers.length < 4 || numbers.some((each) => !Number.isFinite(each))) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** Leaves of a copy of the document nothing but its drawings, one to a page. */
export function keepOnlyDrawings(copy: PdfDocument, { pages, appearances }: Drawings): void {
  for (const { ref, box } of pages) {
    const page = copy.edit(ref);
    const resources = inheritedEntry(copy, page, 'Resources') ?? new Dict();
    const contents = page.get('Contents');
    const group = page.get('Group');
    page.clear();
    fill(page, { resources, contents, group, box });
  }
  const added = appearances.map(({ ref, box }) => {
    const form = copy.dict(ref) ?? new Dict();
    const page = new Dict();
    fill(page, {
      resources: form.get('Resources') ?? new Dict(),
      contents: ref,
      group: form.get('Group'),
      box,
    });
    return copy.add(page);
  });
  const catalog = copy.edit(copy.catalogRef);
  for (const key of [...catalog.keys()])
    if (!['Type', 'Pages', 'OCProperties'].includes(key)) catalog.delete(key);
  copy.setTrailer('Info', undefined);
  copy.linkPages([...pages.map(({ ref }) => ref), ...added]);
}

interface Parts {
  resources: PdfValue;
  contents: PdfValue | undefined;
  group: PdfValue | undefined;
  box: Corners;
}

function fill(page: Dict, { resources, contents, group, box }: Parts): void {
  page
    .set('Type', name('Page'))
    .set('Resources', resources)
    .set('MediaBox', [...box]);
  if (contents !== undefined) page.set('Contents', contents);
  if (group !== undefined) page.set('Group', group);
}

/** Fonts of ideographs that a document only names come out as other letters: such a document is not drawn anew. */
export const canBeRedrawn = ({ fonts }: Subject): boolean =>
  !fonts.some(({ subtype, program, isVisible }) => subtype === 'Type0' && program === undefined && isVisible);

/** Puts drawings made anew in the place of the old ones. False where they are not the ones that were handed out. */
export function takeDrawings(doc: PdfDocument, made: PdfDocument, { pages, appearances }: Drawings): boolean {
  const drawn = made.pages();
  if (drawn.length !== pages.length + appearances.length) return false;
  for (const [index, { ref, box }] of pages.entries()) takePage(doc, made, drawn[index] as Ref, ref, box);
  for (const [index, { ref, box }] of appearances.entries())
    takeAppearance(doc, made, drawn[pages.length + index] as Ref, ref, box);
  forgetTags(doc);
  return true;
}

function takePage(doc: PdfDocument, made: PdfDocument, from: Ref, to: Ref, [left, bottom]: Corners): void {
  const page = doc.edit(to);
  const content = Buffer.concat([moveTo(left, bottom), joinContent(made, contentParts(made, from)), END]);
  // A page that became an image: its text is laid over it, unseen.
  const text = hasFonts(made, from) ? undefined : invisibleText(doc, to);
  const contents = [content, ...(text ? [text.content] : [])].map((part) => doc.addStream(new Dict(), part));
  page.set('Contents', contents);
  page.set('Resources', copied(doc, made, from, 'Resources') ?? new Dict());
  if (text) page.set('Resources', withText(doc, doc.dict(page.get('Resources')), text));
  const group = copied(doc, made, from, 'Group');
  if (group === undefined) page.delete('Group');
  else page.set('Group', group);
  for (const key of ['StructParents', 'Thumb', 'B']) page.delete(key);
}

function withText(doc: PdfDocument, drawn: Dict | undefined, { fonts, properties }: InvisibleText): Dict {
  const resources = new Dict(drawn ?? []).set('Font', fonts);
  if (properties.size === 0) return resources;
  return resources.set(
    'Properties',
    new Dict([...(doc.dict(drawn?.get('Properties')) ?? []), ...properties]),
  );
}

function hasFonts(doc: PdfDocument, page: Ref): boolean {
  const resources = doc.dict(inheritedEntry(doc, doc.dict(page) ?? new Dict(), 'Resources'));
  return (doc.dict(resources?.get('Font'))?.size ?? 0) > 0;
}

function takeAppearance(
  doc: PdfDocument,
  made: PdfDocument,
  from: Ref,
  to: Ref,
  [left, bottom]: Corners,
): void {
  const content = Buffer.concat([moveTo(left, bottom), joinContent(made, contentParts(made, from)), END]);
  const resources = copied(doc, made, from, 'Resources') ?? new Dict();
  doc.replaceStreamData(to, content);
  const form = doc.edit(to);
  form.set('Resources', resources);
  for (const key of ['Group', 'StructParent', 'StructParents', 'OC', 'PieceInfo']) form.delete(key);
}

const END = Buffer.from('\nQ\n');

/** Pages that are drawn anew begin at the origin. */
const moveTo = (left: number, bottom: number): Buffer =>
  Buffer.from(
    left === 0 && bottom === 0 ? 'q\n' : `q 1 0 0 1 ${formatNumber(left)} ${formatNumber(bottom)} cm\n`,
  );

function copied(doc: PdfDocument, made: PdfDocument, from: Ref, key: string): PdfValue | undefined {
  const held = inheritedEntry(made, made.dict(from) ?? new Dict(), key);
  if (held === undefined) return undefined;
  return doc.copyFrom(made, held instanceof Ref ? held : made.add(held));
}

/** Content that was drawn anew has lost its marks, and layers have become part of it. */
function forgetTags(doc: PdfDocument): void {
  const catalog = doc.edit(doc.catalogRef);
  for (const key of ['StructTreeRoot', 'MarkInfo', 'OCProperties']) catalog.delete(key);
  for (const page of doc.pages()) {
    for (const value of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      const annotation = doc.dict(value);
      if (annotation && value instanceof Ref) doc.edit(value);
      for (const key of ['StructParent', 'OC']) annotation?.delete(key);
    }
  }
}
