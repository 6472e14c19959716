// Fonts whose programs are there but whose dictionaries say too little or the wrong thing.

import { deflateSync } from 'node:zlib';
import type { FontFacts } from '../conformance/fonts/font-under-test.ts';
import { cidsOf, listsAllCids, listsAllNames, namesOf } from '../conformance/fonts/glyph-sets.ts';
import type { Standard } from '../conformance/standards.ts';
import type { Subject } from '../conformance/validation-context.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { readEmbeddedCmap } from '../fonts/cmaps.ts';
import { FLAG, isSubsetName } from '../fonts/font-descriptor.ts';
import { readSoundSfnt, writeSfnt } from '../fonts/programs/sfnt.ts';
import { Dict, name, PdfString, Ref, Stream } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';
import { formatValue } from '../syntax/object-syntax.ts';
import { unwrapOpenType } from './opentype-unwrapping.ts';
import { symbolCmap } from './simple-substitute.ts';
import { setWidths } from './substitute-parts.ts';

export function tidyFonts(doc: PdfDocument, subject: Subject, standard: Standard): void {
  for (const facts of subject.fonts) {
    const font = facts.use.ref ? doc.edit(facts.use.ref) : facts.font;
    if (doc.name(font.get('Type')) !== 'Font') font.set('Type', name('Font'));
    const descendant = editDescendant(doc, facts);
    if (descendant && doc.name(descendant.get('Type')) !== 'Font') descendant.set('Type', name('Font'));
    if (descendant && facts.program) tidyComposite(doc, facts, descendant, standard);
    if (facts.subtype === 'Type0') tidyCmap(doc, facts);
    if (facts.subtype === 'Type1' && facts.program) tidyCharSet(doc, facts, standard);
    if (facts.subtype === 'TrueType') tidyTrueType(doc, facts, font);
    if (facts.subtype === 'TrueType' && standard.part === 1) tidyCmaps(doc, facts);
    tidyWidths(doc, facts);
    const descriptor = standard.part === 1 && facts.program ? editDescriptor(doc, facts) : undefined;
    if (descriptor) unwrapOpenType(doc, facts, descriptor);
    nameFont(doc, facts, font, descendant);
  }
}

function editDescendant(doc: PdfDocument, facts: FontFacts): Dict | undefined {
  if (facts.subtype !== 'Type0') return undefined;
  const ref = doc.array(facts.font.get('DescendantFonts'))?.[0];
  return ref instanceof Ref ? doc.edit(ref) : facts.descendant;
}

function editDescriptor(doc: PdfDocument, facts: FontFacts): Dict | undefined {
  const ref = facts.descendant.get('FontDescriptor');
  return ref instanceof Ref ? doc.edit(ref) : facts.descriptor;
}

function tidyComposite(doc: PdfDocument, facts: FontFacts, descendant: Dict, { part }: Standard): void {
  if (doc.name(descendant.get('Subtype')) === 'CIDFontType2') {
    const map = doc.resolve(descendant.get('CIDToGIDMap'));
    if (!(map instanceof Stream)) descendant.set('CIDToGIDMap', name('Identity'));
  }
  const descriptor = editDescriptor(doc, facts);
  if (!descriptor || !isSubsetName(doc.name(descendant.get('BaseFont')) ?? '')) return;
  const held = descriptor.get('CIDSet');
  const listed = held instanceof Ref && doc.get(held) instanceof Stream ? contentOf(doc, held) : undefined;
  if (listed && listsAllCids(listed, facts, doc, part === 1)) return;
  descriptor.delete('CIDSet');
  // "optional" from part 2 on.
  const cids = part === 1 ? cidsOf(facts, doc) : undefined;
  if (cids) descriptor.set('CIDSet', doc.addStream(new Dict(), bitsOf(cids)));
}

function bitsOf(cids: ReadonlySet<number>): Uint8Array {
  const last = Math.max(0, ...[...cids].filter((cid) => cid <= 0xffff));
  const bits = new Uint8Array((last >> 3) + 1);
  for (const cid of cids) if (cid <= last) bits[cid >> 3] = (bits[cid >> 3] ?? 0) | (0x80 >> (cid & 7));
  return bits;
}

/** The direction stands in the CMap itself. */
function tidyCmap(doc: PdfDocument, facts: FontFacts): void {
  const encoding = facts.font.get('Encoding');
  const cmap = readEmbeddedCmap(doc, encoding);
  if (cmap && encoding instanceof Ref && cmap.mode !== cmap.dictMode)
    doc.edit(encoding).set('WMode', cmap.mode);
}

function tidyCharSet(doc: PdfDocument, facts: FontFacts, { part }: Standard): void {
  const descriptor = editDescriptor(doc, facts);
  if (!descriptor || !isSubsetName(facts.baseFont ?? '')) return;
  const listed = doc.text(descriptor.get('CharSet'));
  if (listed !== undefined && listsAllNames(listed, facts, false)) return;
  descriptor.delete('CharSet');
  const names = part === 1 ? namesOf(facts) : undefined;
  if (!names) return;
  const text = [...names]
    .filter((each) => each !== '.notdef')
    .map((each) => `/${each}`)
    .join('');
  descriptor.set('CharSet', new PdfString(Buffer.from(text, 'latin1')));
}

/**
 * Readers go by the widths of the dictionary: where a TrueType program says something else it is given the same. What
 * is drawn stays as it was.
 */
function tidyWidths(doc: PdfDocument, facts: FontFacts): void {
  const { program, fontFile } = facts;
  if (facts.subtype === 'Type3') tidyDrawnWidths(doc, facts);
  if (program?.kind !== 'truetype' || program.cff || !fontFile) return;
  const wrong = facts
    .visibleGlyphs()
    .filter(({ programWidth, dictWidth }) => differs(programWidth, dictWidth))
    .flatMap(({ glyph, dictWidth }): [number, number][] =>
      glyph === undefined ? [] : [[glyph, dictWidth ?? 0]],
    );
  if (wrong.length === 0) return;
  const sfnt = readSoundSfnt(Buffer.from(contentOf(doc, fontFile.ref)));
  const head = sfnt?.tables.get('head');
  if (!sfnt || !head || head.length < 54) return;
  setWidths(sfnt.tables, new Map(wrong), head.readUInt16BE(18));
  const made = writeSfnt(sfnt);
  doc.replaceStreamData(fontFile.ref, deflateSync(made), name('FlateDecode'));
  doc.edit(fontFile.ref).set('Length1', made.length);
}

/** A Type 3 glyph that says another width than its font says that of the font. */
function tidyDrawnWidths(doc: PdfDocument, facts: FontFacts): void {
  const drawings = doc.dict(facts.font.get('CharProcs'));
  for (const { code, programWidth, dictWidth } of facts.visibleGlyphs()) {
    if (!differs(programWidth, dictWidth)) continue;
    const drawing = drawings?.get(facts.encoding.nameOf(code) ?? '');
    if (!(drawing instanceof Ref)) continue;
    const bytes = Buffer.from(contentOf(doc, drawing));
    const measured = new ContentReader(bytes).next();
    if (measured?.operator !== 'd0' && measured?.operator !== 'd1') continue;
    const operands = [dictWidth ?? 0, ...measured.operands.slice(1)].map(formatValue);
    const line = Buffer.from(`${operands.join(' ')} ${measured.operator}`, 'latin1');
    doc.replaceStreamData(
      drawing,
      Buffer.concat([bytes.subarray(0, measured.start), line, bytes.subarray(measured.end)]),
    );
  }
}

const differs = (a: number | undefined, b: number | undefined): boolean =>
  a !== undefined && b !== undefined && Math.abs(a - b) > 1;

/** Part 1: a symbolic font has one cmap. It leads from the codes that are shown to their glyphs. */
function tidyCmaps(doc: PdfDocument, facts: FontFacts): void {
  const { program, fontFile } = facts;
  if (program?.kind !== 'truetype' || !fontFile || !facts.isSymbolic || program.font.cmaps.length === 1)
    return;
  const glyphs = facts
    .allGlyphs()
    .flatMap(({ code, glyph }): [number, number][] => (glyph === undefined ? [] : [[code, glyph]]));
  const sfnt = readSoundSfnt(Buffer.from(contentOf(doc, fontFile.ref)));
  if (!sfnt || glyphs.length === 0) return;
  sfnt.tables.set('cmap', symbolCmap(new Map(glyphs)));
  const made = writeSfnt(sfnt);
  doc.replaceStreamData(fontFile.ref, deflateSync(made), name('FlateDecode'));
  doc.edit(fontFile.ref).set('Length1', made.length);
}

function nameFont(doc: PdfDocument, facts: FontFacts, font: Dict, descendant: Dict | undefined): void {
  if (facts.subtype === 'Type3') return;
  const known = facts.baseFont ?? doc.name(facts.descriptor?.get('FontName')) ?? 'Unnamed';
  for (const dict of [font, descendant])
    if (dict && doc.name(dict.get('BaseFont')) === undefined) dict.set('BaseFont', name(known));
}

/** A font is symbolic or it has an encoding by name; where it is both, what its program knows decides. */
function tidyTrueType(doc: PdfDocument, facts: FontFacts, font: Dict): void {
  const cmaps = facts.program?.kind === 'truetype' ? facts.program.font.cmaps : [];
  const descriptor = editDescriptor(doc, facts);
  if (!descriptor || !facts.encoding.isThere) return;
  const flags = doc.number(descriptor.get('Flags')) ?? 0;
  const isNamed = ['MacRomanEncoding', 'WinAnsiEncoding'].includes(facts.encoding.base ?? '');
  const hasUnicode = cmaps.some(({ platform, encoding }) => platform === 3 && encoding === 1);
  const hasMac = cmaps.some(({ platform, encoding }) => platform === 1 && encoding === 0);
  const isSymbolCmap = cmaps.some(({ platform, encoding }) => platform === 3 && encoding === 0);
  if (!facts.isSymbolic) return;
  if (isNamed && facts.encoding.differences.size === 0 && (hasUnicode || hasMac) && !isSymbolCmap)
    descriptor.set('Flags', (flags & ~FLAG.symbolic) | FLAG.nonsymbolic);
  else if (isSymbolCmap || (hasMac && cmaps.length === 1)) font.delete('Encoding');
}
