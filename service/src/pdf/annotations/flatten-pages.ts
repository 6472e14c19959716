// Annotations and form fields become content of their pages.
import { Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import type { LayOut } from '../forms/field-typesetting.ts';
import { completeAppearances } from '../forms/fill-form.ts';
import { freeNames } from '../free-names.ts';
import { Dict, isName, type PdfValue, Ref } from '../objects.ts';
import { buildNameTree, readNameTree } from '../structure/name-tree.ts';
import { FlattenedTags } from '../structure/structure-flattening.ts';
import { EmbeddedFonts } from '../text/font-embedding.ts';
import { giveAppearance, type TextTools } from './annotation-appearance.ts';
import { drawAppearances, isHidden, normalAppearance } from './flatten-appearances.ts';

/** Fields become content and the form goes; other annotations stay. Fields without a look leave nothing behind. */
export function flattenForm(doc: PdfDocument): void {
  flatten(doc, (annotation) => isSubtype(doc, annotation, 'Widget'));
  removeForm(doc);
}

/** Every annotation but links becomes content and the form goes; hidden ones leave nothing behind. */
export function flattenAnnotations(doc: PdfDocument, layOut: LayOut): void {
  keepPinnedFiles(doc);
  completeAnnotations(doc, layOut);
  flatten(doc, (annotation) => !isSubtype(doc, annotation, 'Link') || isHidden(doc, annotation));
  removeForm(doc);
}

/** All that pages show is in their content afterwards, looks that viewers would have made included. */
export function drawAnnotations(doc: PdfDocument, layOut: LayOut): void {
  if (doc.pages().every((page) => !doc.array(doc.dict(page)?.get('Annots'))?.length)) return;
  completeAppearances(doc, layOut);
  flattenAnnotations(doc, layOut);
}

const isSubtype = (doc: PdfDocument, annotation: Dict, subtype: string): boolean =>
  isName(doc.resolve(annotation.get('Subtype')), subtype);

/** Annotations without a look get one where their kind has one. */
export function completeAnnotations(doc: PdfDocument, layOut: LayOut): void {
  const fonts = new EmbeddedFonts(doc);
  for (const page of doc.pages()) {
    for (const annotation of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      const dict = doc.dict(annotation);
      if (!dict || isHidden(doc, dict) || normalAppearance(doc, dict)) continue;
      giveIfPossible(doc, dict, annotation, { fonts, layOut });
    }
  }
  fonts.finish();
}

/** Text that no font can show is no reason to refuse the document. */
function giveIfPossible(doc: PdfDocument, dict: Dict, annotation: PdfValue, tools: TextTools): void {
  try {
    giveAppearance(doc, dict, annotation instanceof Ref ? annotation : undefined, tools);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'invalid_parameter') throw error;
  }
}

/** Annotations of some kinds become content; hidden ones leave nothing behind. */
export function flatten(doc: PdfDocument, isFlattened: (annotation: Dict) => boolean): void {
  const tags = new FlattenedTags(doc);
  const gone = new Map<string, Ref>();
  for (const page of doc.pages()) flattenPage(doc, page, isFlattened, tags, gone);
  tags.finish();
  // Replies, actions and tags may still lead to them; what they said must not stay.
  for (const annotation of gone.values()) doc.replace(annotation, null);
}

function flattenPage(
  doc: PdfDocument,
  page: Ref,
  isFlattened: (annotation: Dict) => boolean,
  tags: FlattenedTags,
  gone: Map<string, Ref>,
): void {
  const annotations = doc.array(doc.dict(page)?.get('Annots'));
  if (!annotations) return;
  const left: PdfValue[] = [];
  const refs = new Map<Dict, Ref>();
  const drawn: Dict[] = [];
  for (const annotation of annotations) {
    const dict = doc.dict(annotation);
    if (!dict) continue;
    if (!isFlattened(dict)) {
      left.push(annotation);
      continue;
    }
    if (annotation instanceof Ref) {
      refs.set(dict, annotation);
      gone.set(annotation.key, annotation);
    }
    // A popup is the window of a comment, not part of the page.
    if (!isSubtype(doc, dict, 'Popup') && normalAppearance(doc, dict)) drawn.push(dict);
    else if (annotation instanceof Ref) tags.forget(annotation);
  }
  if (left.length === annotations.length) return;
  drawAppearances(doc, page, drawn, (annotation) => {
    const ref = refs.get(annotation);
    return ref && tags.contentNumber(page, ref);
  });
  doc.edit(page).put('Annots', left.length > 0 ? left : undefined);
}

/** Files pinned to pages become files of the document: flattening is about looks. */
function keepPinnedFiles(doc: PdfDocument): void {
  const specs = doc.pages().flatMap((page) =>
    (doc.array(doc.dict(page)?.get('Annots')) ?? []).flatMap((annotation) => {
      const dict = doc.dict(annotation);
      const spec = dict && isSubtype(doc, dict, 'FileAttachment') ? dict.get('FS') : undefined;
      return doc.dict(spec) ? [spec as PdfValue] : [];
    }),
  );
  if (specs.length === 0) return;
  const names = new Dict(doc.dict(doc.catalog.get('Names')) ?? []);
  const entries = readNameTree(doc, names.get('EmbeddedFiles'));
  const free = freeNames();
  for (const { key } of entries) free(key);
  const known = new Set(entries.flatMap(({ value }) => (value instanceof Ref ? [value.key] : [])));
  for (const spec of specs) {
    if (spec instanceof Ref && known.has(spec.key)) continue;
    const file = doc.dict(spec);
    const named = doc.text(file?.get('UF')) ?? doc.text(file?.get('F')) ?? 'attachment';
    const key = free(Buffer.from(named.toWellFormed(), 'utf8').toString('latin1').slice(0, 1000));
    entries.push({ key, value: spec instanceof Ref ? spec : doc.add(spec) });
    if (spec instanceof Ref) known.add(spec.key);
  }
  names.set('EmbeddedFiles', buildNameTree(doc, entries));
  doc.edit(doc.catalogRef).set('Names', names);
}

/** What only a form needs goes with it. */
function removeForm(doc: PdfDocument): void {
  const catalog = doc.edit(doc.catalogRef);
  for (const key of ['AcroForm', 'NeedsRendering', 'Perms', 'DSS', 'Legal']) catalog.delete(key);
}
