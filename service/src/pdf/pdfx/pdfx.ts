// PDF/X-4: what a printing press asks of a document (ISO 15930-7). Nothing is drawn anew: text, images and colours
// stay what they are, and what no ink can show goes.
import { removeAnnotations } from '../annotations/annotation-removal.ts';
import { standardOf } from '../conformance/standards.ts';
import { type OutputIntent, Subject } from '../conformance/validation-context.ts';
import type { PdfDocument } from '../document.ts';
import { boxArray, boxOf, cropBox, intersection, mediaBox } from '../geometry/boxes.ts';
import { Dict, name, type PdfValue, Ref } from '../objects.ts';
import { giveFontsPlaces, giveResources } from '../pdfa-conversion/convert-to-pdfa.ts';
import { addProfile, giveDefaultColours } from '../pdfa-conversion/default-colours.ts';
import { type FindFont, substituteFonts } from '../pdfa-conversion/font-substitution.ts';
import { dropForbidden } from '../pdfa-conversion/forbidden-things.ts';
import { tidyFonts } from '../pdfa-conversion/pdfa-fonts.ts';
import { type Looks, tidyProfiles } from '../pdfa-conversion/pdfa-icc-profiles.ts';
import { tidyStreams } from '../pdfa-conversion/pdfa-streams.ts';
import { srgbProfile } from '../pdfa-conversion/srgb-profile.ts';
import { everyNode, readOutline } from '../structure/outlines.ts';
import { textString } from '../text-strings.ts';
import { writePressMetadata } from './pdfx-metadata.ts';

export const PRESS = { name: 'PDF/X-4', specification: 'ISO 15930-7:2010', version: 'PDF/X-4' } as const;

/** Streams, fonts, layers and images are asked for what this part of PDF/A asks for too. */
export const LIKE_PRESS = standardOf('2b');

/** A registered printing condition; readers show colours of unnamed presses much as this one prints them. */
const CONDITION = {
  identifier: 'CGATS TR 001',
  words: 'SWOP (Publication) printing in USA',
  registry: 'http://www.color.org',
} as const;

/** What is not drawn goes; annotations have been made part of the pages. */
export function prepareForPress(doc: PdfDocument, find: FindFont): void {
  dropForbidden(doc, LIKE_PRESS);
  removeAnnotations(doc, () => true);
  const catalog = doc.edit(doc.catalogRef);
  for (const key of ['AcroForm', 'OpenAction']) catalog.delete(key);
  leadWithoutActions(doc);
  doc.setTrailer('ID', undefined);
  giveFontsPlaces(doc);
  substituteFonts(doc, subjectOf(doc), find);
}

const subjectOf = (doc: PdfDocument): Subject => new Subject(doc, new Uint8Array(), { isEncrypted: false });

/** "actions shall not be present": bookmarks lead to their pages by themselves. */
function leadWithoutActions(doc: PdfDocument): void {
  for (const { ref } of everyNode(readOutline(doc))) {
    if (!ref || !doc.dict(ref)?.has('A')) continue;
    const entry = doc.edit(ref);
    const action = doc.dict(entry.get('A'));
    const place = doc.name(action?.get('S')) === 'GoTo' ? action?.get('D') : undefined;
    if (place !== undefined && !entry.has('Dest')) entry.set('Dest', place);
    entry.delete('A');
  }
}

export interface PressOptions extends Looks {
  /** For a document without one. */
  title: string;
  /** What a press prints for its inks, and which inks it takes for a colour. */
  pressProfile(): Uint8Array;
}

export function finishForPress(doc: PdfDocument, options: PressOptions): void {
  tidyStreams(doc);
  const subject = subjectOf(doc);
  giveResources(doc, subject);
  tidyFonts(doc, subject, LIKE_PRESS);
  tidyProfiles(doc, subject, LIKE_PRESS, options);
  const colours = giveIntent(doc, subject, options.pressProfile);
  giveGroupsSpaces(doc, subject, colours);
  giveDefaultColours(doc, subject, colours, options.cmykProfile);
  for (const page of doc.pages()) trim(doc, doc.edit(page));
  showWholePages(doc);
  writePressMetadata(doc, PRESS.version, options.title);
}

/** The press a document was made for stays its press; tells the colours of that. */
function giveIntent(doc: PdfDocument, subject: Subject, profile: () => Uint8Array): string {
  const own = subject.outputIntents.find((intent) => isForPress(doc, intent));
  const intent = own?.dict ?? pressIntent(doc, profile());
  intent.delete('DestOutputProfileRef');
  doc.edit(doc.catalogRef).set('OutputIntents', [intent]);
  for (const page of doc.pages()) doc.edit(page).delete('OutputIntents');
  return own?.profile?.colourSpace ?? 'CMYK';
}

export const isForPress = (doc: PdfDocument, { kind, profile, dict }: OutputIntent): boolean =>
  kind === 'GTS_PDFX' &&
  profile?.deviceClass === 'prtr' &&
  profile.version < 5 &&
  ['GRAY', 'RGB ', 'CMYK'].includes(profile.colourSpace) &&
  Boolean(doc.text(dict.get('OutputConditionIdentifier')));

const pressIntent = (doc: PdfDocument, profile: Uint8Array): Dict =>
  Dict.of({
    Type: name('OutputIntent'),
    S: name('GTS_PDFX'),
    OutputConditionIdentifier: textString(CONDITION.identifier),
    OutputCondition: textString(CONDITION.words),
    RegistryName: textString(CONDITION.registry),
    Info: textString(CONDITION.words),
    DestOutputProfile: addProfile(doc, profile, 4),
  });

/** What shows through is mixed in the colours it was mixed in: a device space becomes one that says what it means. */
function giveGroupsSpaces(doc: PdfDocument, subject: Subject, colours: string): void {
  let screen: PdfValue[] | undefined;
  const holders = [...doc.pages(), ...[...subject.drawn.forms.values()].map(({ value }) => value)];
  for (const holder of holders) {
    if (!(holder instanceof Ref)) continue;
    const group = doc.dict(doc.dict(holder)?.get('Group'));
    const space = doc.name(group?.get('CS'));
    const isForeign =
      (space === 'DeviceRGB' && colours !== 'RGB ') || (space === 'DeviceCMYK' && colours !== 'CMYK');
    if (!group || !isForeign) continue;
    screen ??= [name('ICCBased'), addProfile(doc, srgbProfile(), 3)];
    doc.edit(holder).set('Group', new Dict(group).set('CS', screen));
  }
}

/** What stays of the paper: what was shown, unless the document says so itself. One of TrimBox and ArtBox tells it. */
function trim(doc: PdfDocument, page: Dict): void {
  const media = mediaBox(doc, page);
  const shown = cropBox(doc, page);
  const stated = boxOf(doc, page.get('TrimBox') ?? null) ?? boxOf(doc, page.get('ArtBox') ?? null);
  const trimmed = (stated && intersection(stated, shown)) ?? shown;
  page.delete('ArtBox');
  page.set('MediaBox', boxArray(media)).set('TrimBox', boxArray(trimmed));
  if (doc.inherited(page, 'CropBox') !== null) page.set('CropBox', boxArray(shown));
  const held = boxOf(doc, page.get('BleedBox') ?? null);
  const bleed = held && intersection(held, media);
  const holdsTrimmed = bleed && sameBox(intersection(bleed, trimmed), trimmed);
  page.put('BleedBox', bleed && holdsTrimmed ? boxArray(bleed) : undefined);
}

type Box = ReturnType<typeof cropBox>;

export const sameBox = (a: Box | undefined, b: Box): boolean =>
  a?.left === b.left && a.bottom === b.bottom && a.right === b.right && a.top === b.top;

/** Which part of a page is printed is told by its boxes alone. */
function showWholePages(doc: PdfDocument): void {
  const held = doc.dict(doc.catalog.get('ViewerPreferences'));
  if (!held) return;
  const left = new Dict(held);
  for (const key of ['ViewArea', 'ViewClip', 'PrintArea', 'PrintClip']) left.delete(key);
  doc.edit(doc.catalogRef).set('ViewerPreferences', left);
}
