// What became of a document after a revision of it was signed: that revision and the newest, held against each other
// part by part. What is not known to be harmless is told as something that nobody allowed.
import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import type { FormField } from '../forms/form-tree.ts';
import { Dict, Ref } from '../objects.ts';
import { fieldChanges, fieldsOf } from './field-changes.ts';
import { RevisionComparison, shownKey } from './incremental-update-comparison.ts';
import { pageChanges } from './page-changes.ts';
import type { LaterChange, RevisionChange } from './revision-change.ts';

/** More are not listed. */
const MAX_CHANGES = 1000;

/** Throws TooLargeToCompare. */
export function laterChanges(then: PdfDocument, now: PdfDocument): RevisionChange[] {
  const found = new Map<string, RevisionChange>();
  const report = (change: RevisionChange): void => {
    if (found.size < MAX_CHANGES) found.set(JSON.stringify(change), change);
  };
  const comparison = new RevisionComparison(then, now);
  const [was, is] = [fieldsOf(then), fieldsOf(now)];
  const ofForm = new Map<string, FormField & { isNew: boolean }>();
  for (const [fields, isNew] of [
    [is.fields, true],
    [was.fields, false],
  ] as const)
    for (const field of fields.values())
      for (const { key } of [field.ref, ...field.widgets]) ofForm.set(key, { ...field, isNew });
  setApart(comparison, ofForm);
  trailerChanges(comparison, report);
  catalogChanges(comparison, report);
  pageChanges(
    comparison,
    ({ key }) => {
      const part = ofForm.get(key);
      return part && { name: part.name, isNew: part.isNew, isSignature: part.type === 'Sig' };
    },
    report,
  );
  fieldChanges(comparison, was, is, report);
  // Bytes that change nothing are still bytes nobody signed.
  if (found.size === 0)
    report({ kind: 'other', detail: 'Bytes were appended that no part of the document uses.', needs: 1 });
  return [...found.values()];
}

/** Pages, annotations and fields of the signed revision are told of by themselves, wherever else they are referred to. */
function setApart(comparison: RevisionComparison, ofForm: ReadonlyMap<string, unknown>): void {
  const { signed: then } = comparison;
  for (const page of then.pages()) {
    comparison.setApart(page);
    for (const ref of then.array(then.dict(page)?.get('Annots')) ?? [])
      if (ref instanceof Ref) comparison.setApart(ref);
  }
  for (const key of ofForm.keys()) {
    const [number, generation] = key.split(' ').map(Number);
    comparison.setApart(new Ref(number ?? 0, generation));
  }
  const tree = then.catalog.get('Pages');
  if (tree instanceof Ref) comparison.setApart(tree);
  comparison.setApart(then.catalogRef);
}

type Report = (change: RevisionChange) => void;

/** Entries of a trailer that tell of the file, not of the document. */
const OF_THE_FILE: ReadonlySet<string> = new Set(
  'Size Prev XRefStm Type W Index Length Filter DecodeParms DL ID Root Info DocChecksum'.split(' '),
);

function trailerChanges(comparison: RevisionComparison, report: Report): void {
  const { signed: then, now } = comparison;
  if (then.catalogRef.key !== now.catalogRef.key)
    report({ kind: 'other', detail: 'The catalog of the document was exchanged.', needs: 4 });
  if (!comparison.same(then.trailer.get('Info'), now.trailer.get('Info')))
    report({ kind: 'metadata', detail: 'The document information was changed.', needs: 1 });
  const ofTheDocument = (trailer: Dict) => new Dict([...trailer].filter(([key]) => !OF_THE_FILE.has(key)));
  for (const key of comparison.changedKeys(ofTheDocument(then.trailer), ofTheDocument(now.trailer)))
    report({ kind: 'other', detail: `${shownKey(key)} of the trailer was changed.`, needs: 4 });
}

/** Entries of the catalog that say nothing of what the document shows. */
const SILENT: Readonly<Record<string, LaterChange>> = lookup({
  DSS: 'validation-data',
  Extensions: 'metadata',
  Version: 'metadata',
  Metadata: 'metadata',
  PieceInfo: 'metadata',
  MarkInfo: 'metadata',
});

function catalogChanges(comparison: RevisionComparison, report: Report): void {
  const { signed: then, now } = comparison;
  const [was, is] = [then.catalog, now.catalog];
  for (const key of comparison.changedKeys(withoutParts(was), withoutParts(is))) {
    const silent = SILENT[key];
    const detail = `${shownKey(key)} of the document was changed.`;
    if (silent) report({ kind: silent, detail, needs: 1 });
    else if (key === 'Perms') report({ kind: 'signature', detail, needs: was.has(key) ? 4 : 2 });
    else if (key === 'AF') report({ kind: 'attachments', detail, needs: 4 });
    else if (key === 'Names') nameChanges(comparison, report);
    else if (key === 'StructTreeRoot' && comparison.onlyGrew(was.get(key), is.get(key)))
      report({ kind: 'other', detail: 'The structure of the document got new elements.', needs: 2 });
    else report({ kind: 'other', detail, needs: 4 });
  }
}

/** Pages and forms are told of by themselves. */
const withoutParts = (catalog: Dict): Dict =>
  new Dict([...catalog].filter(([key]) => key !== 'Pages' && key !== 'AcroForm'));

function nameChanges(comparison: RevisionComparison, report: Report): void {
  const { signed: then, now } = comparison;
  const [was, is] = [then.dict(then.catalog.get('Names')), now.dict(now.catalog.get('Names'))];
  for (const key of comparison.changedKeys(was, is)) {
    if (key === 'EmbeddedFiles')
      report({ kind: 'attachments', detail: 'The attachments of the document were changed.', needs: 4 });
    else
      report({ kind: 'other', detail: `Names (${shownKey(key)}) of the document were changed.`, needs: 4 });
  }
}
