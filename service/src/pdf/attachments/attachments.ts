// Files attached to a document: those of its own (the tree of embedded files) and those pinned to pages
// (annotations), and the associated files of either. Each file counts once, wherever it is named.
import type { PdfDocument } from '../document.ts';
import { freeNames } from '../free-names.ts';
import { Dict, isName, name, PdfString, type PdfValue, Ref } from '../objects.ts';
import { buildNameTree, type NameEntry, readNameTree } from '../structure/name-tree.ts';
import { textOf, textString } from '../text-strings.ts';
import { embeddedData } from './embedded-data.ts';
import { type EmbeddedFile, embeddedFile } from './file-specs.ts';

export interface Attachment extends EmbeddedFile {
  /** Where it stands: a file of the document has a key in the tree of embedded files. */
  of: 'document' | 'page';
}

/** What is beyond this many is not read. */
const MAX_ATTACHMENTS = 20_000;

/** Files larger than this are not unpacked only to tell their size. */
const MAX_MEASURED_BYTES = 256 * 1024 * 1024;

const NAMELESS = 'attachment';

export function attachmentsOf(doc: PdfDocument): Attachment[] {
  const found: Attachment[] = [];
  const seen = new Set<string>();
  const add = (
    spec: PdfValue | undefined,
    fallbackName: string,
    of: Attachment['of'],
    note?: string,
  ): void => {
    const file = spec === undefined ? undefined : embeddedFile(doc, spec, fallbackName);
    if (!file || seen.has(file.data.key) || found.length >= MAX_ATTACHMENTS) return;
    seen.add(file.data.key);
    found.push({ ...file, description: file.description ?? note ?? null, of });
  };
  for (const { key, value } of treeEntries(doc)) add(value, keyName(key), 'document');
  for (const spec of doc.array(doc.catalog.get('AF')) ?? []) add(spec, NAMELESS, 'document');
  for (const page of doc.pages()) {
    for (const spec of doc.array(doc.dict(page)?.get('AF')) ?? []) add(spec, NAMELESS, 'page');
    for (const { dict } of pinnedFiles(doc, page))
      add(dict.get('FS'), NAMELESS, 'page', doc.text(dict.get('Contents')));
  }
  return found;
}

/** The size in bytes: as the file says, else as it unpacks; null where that is beyond all reason. */
export function sizeOf(doc: PdfDocument, { statedSize, data }: EmbeddedFile): number | null {
  return statedSize ?? embeddedData(doc, data, MAX_MEASURED_BYTES)?.length ?? null;
}

/** Makes files the document's own; those of the same names are replaced. `data` is the stream of each. */
export function attach(doc: PdfDocument, files: readonly { filename: string; data: Ref }[]): void {
  const byName = new Map(files.map((file) => [file.filename, file]));
  removeAttachments(
    doc,
    attachmentsOf(doc).filter(({ of, filename }) => of === 'document' && byName.has(filename)),
  );
  const added = [...byName.values()].map(({ filename, data }) => ({
    key: keyOf(filename),
    value: doc.add(
      Dict.of({
        Type: name('Filespec'),
        F: textString(filename),
        UF: textString(filename),
        EF: Dict.of({ F: data, UF: data }),
        AFRelationship: name('Unspecified'),
      }),
    ),
  }));
  writeTree(doc, [...treeEntries(doc), ...added]);
  const catalog = doc.edit(doc.catalogRef);
  catalog.set('AF', [...(doc.array(catalog.get('AF')) ?? []), ...added.map(({ value }) => value)]);
}

/** Takes files out of every place that names them, their bytes included. */
export function removeAttachments(doc: PdfDocument, gone: readonly EmbeddedFile[]): void {
  if (gone.length === 0) return;
  const lost = new Set(gone.map(({ data }) => data.key));
  const stays = (spec: PdfValue | undefined): boolean => {
    const file = spec === undefined ? undefined : embeddedFile(doc, spec, NAMELESS);
    return file === undefined || !lost.has(file.data.key);
  };
  const entries = treeEntries(doc);
  const left = entries.filter(({ value }) => stays(value));
  if (left.length < entries.length) writeTree(doc, left);
  keepAssociated(doc, doc.catalogRef, stays);
  for (const page of doc.pages()) {
    keepAssociated(doc, page, stays);
    unpin(doc, page, stays);
  }
  // Whatever else leads there finds nothing.
  for (const { spec, data } of gone) {
    doc.replace(data, null);
    if (spec instanceof Ref) doc.replace(spec, null);
  }
}

export function renameAttachments(
  doc: PdfDocument,
  renamed: readonly EmbeddedFile[],
  filename: string,
): void {
  const chosen = new Set(renamed.map(({ data }) => data.key));
  const isChosen = (spec: PdfValue | undefined): boolean => {
    const file = spec === undefined ? undefined : embeddedFile(doc, spec, NAMELESS);
    return file !== undefined && chosen.has(file.data.key);
  };
  const rename = (holder: Ref | undefined, spec: PdfValue | undefined): void => {
    const dict = spec instanceof Ref ? doc.edit(spec) : doc.dict(spec);
    if (!dict) return;
    for (const key of ['Unix', 'DOS', 'Mac']) dict.delete(key);
    for (const key of ['F', 'UF']) dict.set(key, textString(filename));
    if (holder) doc.edit(holder);
  };
  const entries = treeEntries(doc);
  const changed = entries.map((entry) => {
    if (!isChosen(entry.value)) return entry;
    rename(undefined, entry.value);
    return { key: folderOf(entry.key) + keyOf(filename), value: entry.value };
  });
  if (changed.some((entry, index) => entry !== entries[index])) {
    followShownFirst(doc, entries, changed);
    writeTree(doc, changed);
  }
  for (const page of doc.pages()) {
    for (const { holder, dict } of pinnedFiles(doc, page))
      if (isChosen(dict.get('FS'))) rename(holder, dict.get('FS'));
  }
  for (const { spec } of renamed) rename(undefined, spec);
}

/** The file a portfolio shows first is told by its key. */
function followShownFirst(doc: PdfDocument, before: readonly NameEntry[], after: readonly NameEntry[]): void {
  const held = doc.catalog.get('Collection');
  const first = doc.resolve(doc.dict(held)?.get('D'));
  if (!(first instanceof PdfString)) return;
  const at = before.findIndex(({ key }) => key === Buffer.from(first.bytes).toString('latin1'));
  const now = after[at]?.key;
  if (now === undefined) return;
  const collection =
    held instanceof Ref ? doc.edit(held) : doc.dict(doc.edit(doc.catalogRef).get('Collection'));
  collection?.set('D', new PdfString(Buffer.from(now, 'latin1')));
}

const treeEntries = (doc: PdfDocument): NameEntry[] =>
  readNameTree(doc, doc.dict(doc.catalog.get('Names'))?.get('EmbeddedFiles'));

/** Portfolios put the folder before the name: `<3>report.pdf`. */
const folderOf = (key: string): string => /^<\d+>/.exec(key)?.[0] ?? '';
const keyName = (key: string): string =>
  textOf(new PdfString(Buffer.from(key.slice(folderOf(key).length), 'latin1'))) || NAMELESS;
const keyOf = (filename: string): string => Buffer.from(textString(filename).bytes).toString('latin1');

function writeTree(doc: PdfDocument, entries: readonly NameEntry[]): void {
  const catalog = doc.edit(doc.catalogRef);
  const names = new Dict(doc.dict(catalog.get('Names')) ?? []);
  if (entries.length > 0) names.set('EmbeddedFiles', buildNameTree(doc, distinct(entries)));
  else {
    names.delete('EmbeddedFiles');
    catalog.delete('Collection');
    if (isName(doc.resolve(catalog.get('PageMode')), 'UseAttachments')) catalog.delete('PageMode');
  }
  catalog.put('Names', names.size > 0 ? names : undefined);
}

/** Files may share a key, in broken trees or after renaming: none of them is lost for it. */
function distinct(entries: readonly NameEntry[]): NameEntry[] {
  const free = freeNames();
  return entries.map(({ key, value }) => ({ key: free(key), value }));
}

interface Pinned {
  /** The annotation's own object; the page where it is written inside the page's list. */
  holder: Ref;
  dict: Dict;
}

function pinnedFiles(doc: PdfDocument, page: Ref): Pinned[] {
  return (doc.array(doc.dict(page)?.get('Annots')) ?? []).flatMap((value) => {
    const dict = doc.dict(value);
    if (!dict || !isName(doc.resolve(dict.get('Subtype')), 'FileAttachment')) return [];
    return [{ holder: value instanceof Ref ? value : page, dict }];
  });
}

function unpin(doc: PdfDocument, page: Ref, stays: (spec: PdfValue | undefined) => boolean): void {
  const annotations = doc.array(doc.dict(page)?.get('Annots')) ?? [];
  const gone = new Set(pinnedFiles(doc, page).flatMap(({ dict }) => (stays(dict.get('FS')) ? [] : [dict])));
  if (gone.size === 0) return;
  const popups = new Set([...gone].flatMap((dict) => doc.dict(dict.get('Popup')) ?? []));
  const left = annotations.filter((value) => {
    const dict = doc.dict(value);
    return !dict || !(gone.has(dict) || popups.has(dict));
  });
  doc.edit(page).put('Annots', left.length > 0 ? left : undefined);
  // Tags and comments may still lead to the annotation.
  for (const value of annotations)
    if (value instanceof Ref && !left.includes(value)) doc.replace(value, null);
}

function keepAssociated(doc: PdfDocument, holder: Ref, stays: (spec: PdfValue | undefined) => boolean): void {
  const associated = doc.array(doc.dict(holder)?.get('AF'));
  if (!associated) return;
  const left = associated.filter(stays);
  if (left.length === associated.length) return;
  doc.edit(holder).put('AF', left.length > 0 ? left : undefined);
}
