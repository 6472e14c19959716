// The strings that an editor changed, written into their pages.

import { invalidParameter } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { pruneStructure } from '../structure/structure-losses.ts';
import { changedString } from './changed-string.ts';
import type { EditedString } from './edited-document.ts';
import { type ElementEdit, isMovable } from './element-edit.ts';
import { listText } from './text-listing.ts';
import { type Reword, TextRewriting } from './text-rewriting.ts';
import { type LayOutText, type ShownElement, TextWriter } from './written-text.ts';

/** Shorter ones are found in other words by chance. */
const LEAST_FOUND = 4;

/** By page, from 1 on. */
export function writeEdits(
  doc: PdfDocument,
  edited: ReadonlyMap<number, readonly EditedString[]>,
  layOut: LayOutText,
): void {
  const fonts = new GlyphFonts(doc);
  const writer = new TextWriter(doc, layOut);
  const rewriting = new TextRewriting(doc, fonts);
  const all: ElementEdit[] = [];
  for (const [index, page] of doc.pages().entries()) {
    const strings = edited.get(index + 1) ?? [];
    if (strings.length === 0) continue;
    const { elements } = listText(doc, page, fonts);
    for (const { state, glyphs } of elements)
      if (state.text.font) for (const glyph of glyphs) writer.codesOf(state.font, state.text.font).see(glyph);
    const byNumber = new Map(elements.map((element) => [element.number, element]));
    const edits = new Map<number, ElementEdit>();
    for (const string of strings) {
      const element = byNumber.get(string.zOrder);
      if (element) edits.set(string.zOrder, editOf(element, string, writer));
    }
    all.push(...edits.values());
    rewriting.rewritePage(page, { edits, reword: rewordBy([...edits.values()]) });
  }
  writer.finish();
  settleStructure(doc, rewriting, rewordBy(all));
}

/** Tags of content that has changed say what it says now. */
export function settleStructure(doc: PdfDocument, rewriting: TextRewriting, reword: Reword): void {
  if (rewriting.touched.size === 0) return;
  pruneStructure(doc, {
    isLost: (page, mcid) => rewriting.touched.get(page)?.has(mcid) ?? false,
    isGone: () => false,
    form: (key) => rewriting.forms.get(key),
    reword,
  });
}

function editOf(element: ShownElement, { now, path }: EditedString, writer: TextWriter): ElementEdit {
  const { text: before } = element;
  if (!now) return { isGone: () => true, shift: () => 0, inserted: [], said: { before, after: '' } };
  if (now.matrix && !isMovable(element))
    throw invalidParameter(`editorJson: ${path} cannot be moved: it is drawn without a size.`);
  const { matrix, text } = now;
  const edit = changedString(
    element,
    matrix ? { text, matrix } : { text },
    writer,
    `editorJson: ${path}.text`,
  );
  if (edit) return edit;
  throw invalidParameter(
    `editorJson: ${path}.text has letters that its font lacks, and it runs downwards or has no size: no other font will do.`,
  );
}

/** Texts that stood for a string say what it says now; what else stood for changed content is no longer true. */
function rewordBy(edits: readonly ElementEdit[]): Reword {
  const changed = edits.flatMap(({ said }) => (said && said.before.trim() !== '' ? [said] : []));
  const exact = new Map(changed.map(({ before, after }) => [before.trim(), after.trim()]));
  return (entry, text) => {
    const whole = exact.get(text.trim());
    if (whole !== undefined) return whole;
    let said = text;
    for (const { before, after } of changed) {
      const old = before.trim();
      const at = old.length < LEAST_FOUND ? -1 : said.indexOf(old);
      if (at !== -1 && said.indexOf(old, at + 1) === -1)
        said = `${said.slice(0, at)}${after.trim()}${said.slice(at + old.length)}`;
    }
    if (said !== text) return said;
    return entry === 'ActualText' && changed.length > 0 ? undefined : text;
  };
}
