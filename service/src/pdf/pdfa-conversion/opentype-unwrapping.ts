// Part 1 knows no OpenType files: the outlines are taken out of them.
import { deflateSync } from 'node:zlib';
import type { FontFacts } from '../conformance/fonts/font-under-test.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { readSoundSfnt } from '../fonts/programs/sfnt.ts';
import { Dict, name } from '../objects.ts';

export function unwrapOpenType(doc: PdfDocument, facts: FontFacts, descriptor: Dict): void {
  const { fontFile, subtype } = facts;
  if (fontFile?.key !== 'FontFile3' || doc.name(fontFile.dict.get('Subtype')) !== 'OpenType') return;
  const program = Buffer.from(contentOf(doc, fontFile.ref));
  const outlines = readSoundSfnt(program)?.tables.get('CFF ');
  const kind = subtype === 'Type0' ? doc.name(facts.descendant.get('Subtype')) : subtype;
  if (outlines && kind !== 'TrueType' && kind !== 'CIDFontType2') {
    const made = doc.addStream(new Dict(), deflateSync(outlines));
    const format = subtype === 'Type0' ? 'CIDFontType0C' : 'Type1C';
    doc.edit(made).set('Filter', name('FlateDecode')).set('Subtype', name(format));
    descriptor.set('FontFile3', made);
  } else if (!outlines) {
    const made = doc.addStream(Dict.of({ Length1: program.length }), deflateSync(program));
    doc.edit(made).set('Filter', name('FlateDecode'));
    descriptor.delete('FontFile3');
    descriptor.set('FontFile2', made);
  }
}
