// The text of a page, without looks: laid invisibly over a page that became an image, it can still be found and
// copied.

import { contentParts, inheritedEntry, joinedContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { Dict, Name, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';
import { formatValue } from '../syntax/object-syntax.ts';

const KEPT = new Set([
  'q',
  'Q',
  'cm',
  'BT',
  'ET',
  'Tc',
  'Tw',
  'Tz',
  'TL',
  'Ts',
  'Td',
  'TD',
  'Tm',
  'T*',
  'Tj',
  'TJ',
  "'",
  '"',
]);
const SHOWS = new Set(['Tj', 'TJ', "'", '"']);
const MAX_NESTING = 12;
const MAX_BYTES = 32 * 1024 * 1024;

export interface InvisibleText {
  content: Uint8Array;
  fonts: Dict;
  properties: Dict;
}

/** Undefined where the page shows no text. */
export function invisibleText(doc: PdfDocument, page: Ref): InvisibleText | undefined {
  const writer = new TextWriter(doc);
  const resources = doc.dict(inheritedEntry(doc, doc.dict(page) ?? new Dict(), 'Resources'));
  writer.read(joinedContent(doc, contentParts(doc, page)), resources, 0);
  return writer.result();
}

class TextWriter {
  private readonly doc: PdfDocument;
  private readonly parts: string[] = ['q 3 Tr'];
  private readonly fonts = new Map<string, { key: string; value: PdfValue }>();
  private readonly properties = new Dict();
  private readonly open = new Set<Dict>();
  private size = 0;
  private hasText = false;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  result(): InvisibleText | undefined {
    if (!this.hasText) return undefined;
    const fonts = new Dict();
    for (const { key, value } of this.fonts.values()) fonts.set(key, value);
    return {
      content: Buffer.from(`${this.parts.join('\n')}\nQ\n`, 'latin1'),
      fonts,
      properties: this.properties,
    };
  }

  read(bytes: Uint8Array, resources: Dict | undefined, depth: number): void {
    const reader = new ContentReader(bytes);
    /** Marks that are open, and whether they were written. */
    const marks: boolean[] = [];
    let saved = 0;
    for (let next = reader.next(); next && this.size < MAX_BYTES; next = reader.next()) {
      const { operator, operands } = next;
      if (operator === 'q') saved += 1;
      if (operator === 'Q') {
        if (saved === 0) continue;
        saved -= 1;
      }
      if (operator === 'Tf') this.font(operands, resources);
      else if (operator === 'Do') this.form(operands[0], resources, depth);
      else if (operator === 'BDC' || operator === 'BMC') marks.push(this.mark(operands[1], resources));
      else if (operator === 'EMC' && marks.pop()) this.parts.push('EMC');
      else if (KEPT.has(operator)) this.write(operands, operator);
      if (SHOWS.has(operator)) this.hasText = true;
    }
    for (const isKept of marks) if (isKept) this.parts.push('EMC');
    for (; saved > 0; saved -= 1) this.parts.push('Q');
  }

  /** Where glyphs alone do not tell the characters they stand for, a mark does: as it was, for not all read alike. */
  private mark(properties: PdfValue | undefined, resources: Dict | undefined): boolean {
    const { doc } = this;
    const isNamed = properties instanceof Name;
    const held = isNamed ? doc.dict(resources?.get('Properties'))?.get(properties.value) : properties;
    const text = doc.dict(held)?.get('ActualText');
    if (text === undefined || !(doc.resolve(text) instanceof PdfString)) return false;
    const told = new Dict().set('ActualText', text);
    const key = `Told${this.properties.size + 1}`;
    if (isNamed) this.properties.set(key, told);
    this.write([new Name('Span'), isNamed ? new Name(key) : told], 'BDC');
    return true;
  }

  private write(operands: readonly PdfValue[], operator: string): void {
    const line = [...operands.map(formatValue), operator].join(' ');
    this.size += line.length;
    this.parts.push(line);
  }

  private font([word, size]: readonly PdfValue[], resources: Dict | undefined): void {
    const value = word instanceof Name ? this.doc.dict(resources?.get('Font'))?.get(word.value) : undefined;
    if (!(value instanceof Ref) || typeof size !== 'number') return;
    const known = this.fonts.get(value.key) ?? {
      key: `Unseen${this.fonts.size + 1}`,
      value: unseenFont(this.doc, value),
    };
    this.fonts.set(value.key, known);
    this.write([new Name(known.key), size], 'Tf');
  }

  private form(word: PdfValue | undefined, resources: Dict | undefined, depth: number): void {
    const { doc } = this;
    const value = word instanceof Name ? doc.dict(resources?.get('XObject'))?.get(word.value) : undefined;
    const held = doc.resolve(value);
    if (!(value instanceof Ref) || !(held instanceof Stream) || doc.name(held.dict.get('Subtype')) !== 'Form')
      return;
    if (this.open.has(held.dict) || depth > MAX_NESTING) return;
    this.open.add(held.dict);
    const matrix = doc.array(held.dict.get('Matrix'))?.map((each) => doc.number(each) ?? 0);
    this.parts.push('q');
    if (matrix?.length === 6) this.write(matrix, 'cm');
    this.read(contentOf(doc, value), doc.dict(held.dict.get('Resources')) ?? resources, depth + 1);
    this.parts.push('Q');
    this.open.delete(held.dict);
  }
}

/** Pages share their fonts. */
const unseenFonts = new WeakMap<PdfDocument, Map<string, Ref>>();

function unseenFont(doc: PdfDocument, ref: Ref): Ref {
  const known = unseenFonts.get(doc) ?? new Map<string, Ref>();
  unseenFonts.set(doc, known);
  const font = known.get(ref.key) ?? withoutDrawings(doc, ref);
  known.set(ref.key, font);
  return font;
}

/** Glyphs that are drawings are seen in any mode, and may show through: these draw nothing, and are as wide as they were. */
function withoutDrawings(doc: PdfDocument, ref: Ref): Ref {
  const font = doc.dict(ref);
  if (!font || doc.name(font.get('Subtype')) !== 'Type3') return ref;
  const glyphs = new Dict();
  for (const [word, glyph] of doc.dict(font.get('CharProcs')) ?? []) {
    const measured = glyph instanceof Ref ? new ContentReader(contentOf(doc, glyph)).next() : undefined;
    if (measured?.operator !== 'd0' && measured?.operator !== 'd1') return ref;
    const line = [...measured.operands.map(formatValue), measured.operator].join(' ');
    glyphs.set(word, doc.addStream(new Dict(), Buffer.from(line, 'latin1')));
  }
  return doc.add(new Dict(font).set('CharProcs', glyphs).set('Resources', new Dict()));
}
