// Changing a document's metadata: the info dictionary, and the XMP packet in step with it.

import { lookup } from '../../contract/lookup.ts';
import { momentToTell } from '../../contract/reproducible.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, name, Stream } from '../objects.ts';
import { nameBytes, textString } from '../text-strings.ts';
import { editInfo, readXmp, removeInfo } from './metadata.ts';
import { isoDate, type Moment, momentOf, pdfDate } from './pdf-dates.ts';
import type { XmpPacket, XmpProperty } from './xmp.ts';

export const TRAPPED = ['True', 'False', 'Unknown'] as const;
export type Trapped = (typeof TRAPPED)[number];

/** What an entry of the info dictionary shall be: a text, a date, a word for Trapped, or gone. */
export type MetadataValue = { text: string } | { date: Moment } | { trapped: Trapped } | null;

/** By key of the info dictionary, such as Title. */
export type MetadataChanges = ReadonlyMap<string, MetadataValue>;

/** Where XMP tells the same as the info dictionary. */
const IN_XMP: Readonly<Record<string, XmpProperty>> = lookup({
  Title: 'dc:title',
  Author: 'dc:creator',
  Subject: 'dc:description',
  Keywords: 'pdf:Keywords',
  Creator: 'xmp:CreatorTool',
  Producer: 'pdf:Producer',
  CreationDate: 'xmp:CreateDate',
  ModDate: 'xmp:ModifyDate',
  Trapped: 'pdf:Trapped',
});

export function changeMetadata(doc: PdfDocument, changes: MetadataChanges, now = momentToTell()): void {
  if (changes.size === 0) return;
  const info = editInfo(doc);
  for (const [key, value] of changes) {
    const inFile = nameBytes(key);
    if (value === null) info.delete(inFile);
    else if ('trapped' in value) info.set(inFile, name(value.trapped));
    else info.set(inFile, textString('date' in value ? pdfDate(value.date) : value.text.toWellFormed()));
  }
  const xmp = readXmp(doc);
  if (!xmp) return;
  for (const [key, value] of changes) changeXmp(xmp.packet, key, value);
  if (xmp.packet.has('xmp:MetadataDate')) xmp.packet.set('xmp:MetadataDate', isoDate(momentOf(now)));
  doc.replaceStreamData(xmp.ref, xmp.packet.bytes());
}

function changeXmp(packet: XmpPacket, key: string, value: MetadataValue): void {
  const property = IN_XMP[key] ?? customProperty(packet, key);
  if (!property) return;
  if (value === null) packet.remove(property);
  else
    packet.set(
      property,
      'date' in value ? isoDate(value.date) : 'text' in value ? value.text : value.trapped,
    );
  if (property !== 'pdf:Keywords' || !packet.has('dc:subject')) return;
  const words = value && 'text' in value ? value.text.split(/[,;]/).map((word) => word.trim()) : [];
  const named = words.filter((word) => word !== '');
  if (named.length > 0) packet.set('dc:subject', ...named);
  else packet.remove('dc:subject');
}

/** Custom entries stand in XMP only where a writer mirrored them; one more would break PDF/A. */
function customProperty(packet: XmpPacket, key: string): XmpProperty | undefined {
  const property: XmpProperty = `pdfx:${key}`;
  return packet.has(property) ? property : undefined;
}

/** "wipe info dictionary, XMP and PieceInfo" (operations 7), wherever in the document they stand. */
export function deleteMetadata(doc: PdfDocument): void {
  removeInfo(doc);
  for (const ref of doc.allRefs()) {
    const object = doc.get(ref);
    const dict = object instanceof Stream ? object.dict : object instanceof Dict ? object : undefined;
    if (!dict) continue;
    if (dict.has('PieceInfo')) doc.edit(ref).delete('PieceInfo');
    if (dict.has('Metadata') && doc.resolve(dict.get('Metadata')) instanceof Stream)
      doc.edit(ref).delete('Metadata');
  }
}
