// The text of a page, without looks: laid invisibly over a page that became an image, it can still be found and
// copied.

import { computeOnce } from '../../contract/maps.ts';
import { pageInterpreter } from '../content/content-interpreter.ts';
import type { ContentPosition, ContentVisitor } from '../content/content-visitor.ts';
import { INITIAL_STATE } from '../content/graphics-state.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { Dict, Name, PdfString, type PdfValue, Ref } from '../objects.ts';
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import { formatValue } from '../syntax/object-syntax.ts';

const KEPT = new Set('q Q cm BT ET Tc Tw Tz TL Ts Td TD Tm T* Tj TJ \' "'.split(' '));
const MAX_BYTES = 32 * 1024 * 1024;

export interface InvisibleText {
  content: Uint8Array;
  fonts: Dict;
  properties: Dict;
}

/** Undefined where the page shows no text. */
export function invisibleText(doc: PdfDocument, page: Ref): InvisibleText | undefined {
  const writer = new TextWriter(doc);
  pageInterpreter(doc, page, INITIAL_STATE).run(writer);
  return writer.result();
}

class TextWriter implements ContentVisitor {
  private readonly doc: PdfDocument;
  private readonly parts: string[] = ['q 3 Tr'];
  private readonly used = new Map<string, { key: string; value: PdfValue }>();
  private readonly properties = new Dict();
  /** Marks that are open, and whether they were written. */
  private readonly marks: boolean[] = [];
  private size = 0;
  private hasText = false;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  result(): InvisibleText | undefined {
    if (!this.hasText) return undefined;
    const fonts = new Dict();
    for (const { key, value } of this.used.values()) fonts.set(key, value);
    return {
      content: Buffer.from(`${this.parts.join('\n')}\nQ\n`, 'latin1'),
      fonts,
      properties: this.properties,
    };
  }

  operation({ operator, operands }: Operation, at: ContentPosition): void {
    if (this.size >= MAX_BYTES) at.stop();
    else if (KEPT.has(operator) && (operator !== 'Q' || at.savedStates > 0)) this.write(operands, operator);
  }

  showText(): void {
    this.hasText = true;
  }

  endMarkedContent(): void {
    if (this.marks.pop()) this.parts.push('EMC');
  }

  end(at: ContentPosition): void {
    this.parts.push(...Array<string>(at.savedStates).fill('Q'));
  }

  /** Where glyphs alone do not tell the characters they stand for, a mark does: as it was, for not all read alike. */
  beginMarkedContent(properties: PdfValue | undefined, { operands }: Operation): void {
    const text = this.doc.dict(properties)?.get('ActualText');
    const isTold = text !== undefined && this.doc.resolve(text) instanceof PdfString;
    this.marks.push(isTold);
    if (!isTold) return;
    const told = new Dict().set('ActualText', text);
    const key = `Told${this.properties.size + 1}`;
    const isNamed = operands[1] instanceof Name;
    if (isNamed) this.properties.set(key, told);
    this.write([new Name('Span'), isNamed ? new Name(key) : told], 'BDC');
  }

  private write(operands: readonly PdfValue[], operator: string): void {
    const line = [...operands.map(formatValue), operator].join(' ');
    this.size += line.length;
    this.parts.push(line);
  }

  nameResource(category: string, _: unknown, value: PdfValue | undefined, { operands }: Operation): void {
    const size = operands[1];
    if (category !== 'Font' || !(value instanceof Ref) || typeof size !== 'number') return;
    const known = computeOnce(this.used, value.key, () => ({
      key: `Unseen${this.used.size + 1}`,
      value: unseenFont(this.doc, value),
    }));
    this.write([new Name(known.key), size], 'Tf');
  }

  drawForm(ref: Ref, dict: Dict, _: unknown, at: ContentPosition): void {
    const form = at.form(ref);
    if (!form) return;
    const matrix = this.doc.array(dict.get('Matrix'))?.map((each) => this.doc.number(each) ?? 0);
    this.parts.push('q');
    if (matrix?.length === 6) this.write(matrix, 'cm');
    form.run(this);
    this.parts.push('Q');
  }
}

/** Pages share their fonts. */
const unseenFonts = new WeakMap<PdfDocument, Map<string, Ref>>();

function unseenFont(doc: PdfDocument, ref: Ref): Ref {
  const known = computeOnce(unseenFonts, doc, () => new Map<string, Ref>());
  return computeOnce(known, ref.key, () => withoutDrawings(doc, ref));
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
