// What became of the pages of a document and of the annotations on them.
import { lookup } from '../../contract/lookup.ts';
import type { Dict, PdfValue } from '../objects.ts';
import { Ref } from '../objects.ts';
import { type RevisionComparison, shownKey } from './incremental-update-comparison.ts';
import type { LaterChange, RevisionChange } from './revision-change.ts';

type Report = (change: RevisionChange) => void;

/** What the form knows of an annotation that is a field or shows one. */
export type FormPart = (ref: Ref) => { name: string; isNew: boolean; isSignature: boolean } | undefined;

export function pageChanges(comparison: RevisionComparison, form: FormPart, report: Report): void {
  const { signed: then, now } = comparison;
  const [was, is] = [then.pages(), now.pages()];
  const numbers = new Map(is.map((ref, index) => [ref.key, index + 1]));
  const old = new Set(was.map(({ key }) => key));
  for (const [index, ref] of was.entries())
    if (!numbers.has(ref.key))
      report({ kind: 'pages', detail: `Page ${index + 1} of the signed revision was taken away.`, needs: 4 });
  for (const [key, page] of numbers)
    if (!old.has(key)) report({ kind: 'pages', detail: `Page ${page} was added.`, page, needs: 4 });
  const order = (refs: readonly Ref[]) =>
    refs.map(({ key }) => key).filter((key) => old.has(key) && numbers.has(key));
  if (order(was).join() !== order(is).join())
    report({ kind: 'pages', detail: 'The pages were put into another order.', needs: 4 });
  for (const ref of was) {
    const page = numbers.get(ref.key);
    const [before, after] = [then.dict(ref), now.dict(ref)];
    if (page === undefined || !before || !after) continue;
    onePage(comparison, { page, before, after }, report);
    annotationChanges(comparison, { page, before, after }, form, report);
  }
}

interface PagePair {
  page: number;
  before: Dict;
  after: Dict;
}

/** Entries that pages take from the tree above them. */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/** Entries that say nothing of what the page shows. */
const SILENT: Readonly<Record<string, { kind: LaterChange; needs: 1 | 2 }>> = lookup({
  Metadata: { kind: 'metadata', needs: 1 },
  LastModified: { kind: 'metadata', needs: 1 },
  PieceInfo: { kind: 'metadata', needs: 1 },
  Tabs: { kind: 'annotations', needs: 2 },
  StructParents: { kind: 'other', needs: 2 },
});

function onePage(comparison: RevisionComparison, { page, before, after }: PagePair, report: Report): void {
  const { signed: then, now } = comparison;
  const keys = new Set([...before.keys(), ...after.keys()]);
  for (const key of ['Parent', 'Annots', ...INHERITED]) keys.delete(key);
  for (const key of keys) {
    if (comparison.same(before.get(key), after.get(key))) continue;
    const { kind, needs } = SILENT[key] ?? { kind: 'page-content', needs: 4 };
    report({ kind, detail: `${shownKey(key)} of page ${page} was changed.`, page, needs });
  }
  for (const key of INHERITED)
    if (!comparison.same(then.inherited(before, key), now.inherited(after, key)))
      report({
        kind: 'page-content',
        detail: `${shownKey(key)} of page ${page} was changed.`,
        page,
        needs: 4,
      });
}

/** Comments, which stay beside what the page shows. All other kinds can hide it, or look like part of it. */
const COMMENTS: ReadonlySet<string> = new Set(
  'Text Link Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Ink Popup FileAttachment Sound'.split(
    ' ',
  ),
);

function annotationChanges(
  comparison: RevisionComparison,
  { page, before, after }: PagePair,
  form: FormPart,
  report: Report,
): void {
  const { signed: then, now } = comparison;
  const was = then.array(before.get('Annots')) ?? [];
  const is = now.array(after.get('Annots')) ?? [];
  const kept = new Set(is.flatMap((each) => (each instanceof Ref ? [each.key] : [])));
  const old = new Set(was.flatMap((each) => (each instanceof Ref ? [each.key] : [])));
  const direct = (list: readonly PdfValue[]) => list.filter((each) => !(each instanceof Ref));
  if (!comparison.same(direct(was), direct(is)))
    report({
      kind: 'annotations',
      detail: `An annotation of page ${page} was changed.`,
      page,
      needs: 3,
      altersSigned: true,
    });
  for (const each of was) {
    if (!(each instanceof Ref)) continue;
    const [one, other] = [then.dict(each), now.dict(each)];
    const subtype = then.name(one?.get('Subtype')) ?? '';
    const part = form(each);
    if (!kept.has(each.key)) {
      const detail = `${articled(subtype)} was taken away from page ${page}.`;
      const kind = part ? 'form-fields' : 'annotations';
      report({ kind, detail, page, field: part?.name, needs: part ? 4 : 3, altersSigned: true });
    } else if (!part && !sameAnnotation(comparison, one, other)) {
      const detail = `${articled(subtype)} of page ${page} was changed.`;
      const mayCover = !isComment(now.name(other?.get('Subtype')));
      report({ kind: 'annotations', detail, page, needs: 3, altersSigned: subtype !== 'Popup', mayCover });
    }
  }
  for (const each of is) {
    if (!(each instanceof Ref) || old.has(each.key)) continue;
    const part = form(each);
    const subtype = now.name(now.dict(each)?.get('Subtype')) ?? '';
    if (!part) {
      const detail = `${articled(subtype)} was added to page ${page}.`;
      report({ kind: 'annotations', detail, page, needs: 3, mayCover: !isComment(subtype) });
    } else if (!part.isNew) {
      // A field that was there before, though not to be seen.
      const detail = `A form field was put on page ${page}.`;
      report({ kind: 'form-fields', detail, page, field: part.name, needs: part.isSignature ? 3 : 4 });
    }
  }
}

const isComment = (subtype: string | undefined): boolean => COMMENTS.has(subtype ?? '');

const articled = (subtype: string): string =>
  /^[A-Za-z0-9]{1,20}$/.test(subtype) ? `An annotation of type ${subtype}` : 'An annotation';

/** Annotations know their page and each other; these are compared by themselves. */
const sameAnnotation = (
  comparison: RevisionComparison,
  then: Dict | undefined,
  now: Dict | undefined,
): boolean => comparison.changedKeys(then, now).every((key) => key === 'StructParent');
