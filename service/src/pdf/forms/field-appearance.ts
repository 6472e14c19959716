// What fields look like with their present values: appearance streams that every viewer shows as they are.

import type { PdfDocument } from '../document.ts';
import { Dict, type Ref, Stream } from '../objects.ts';
import { EmbeddedFonts } from '../text/font-embedding.ts';
import { drawMark, isRound } from './button-marks.ts';
import { type DefaultAppearance, defaultAppearance } from './default-appearance.ts';
import { fontChoices } from './field-fonts.ts';
import { buttonsOf, choiceOptions } from './field-options.ts';
import { drawComb, drawLine, drawParagraphs, drawRows, rowsSeen, type TextBox } from './field-text.ts';
import { type LayOut, type Typesetter, typesetterFor } from './field-typesetting.ts';
import { selectedTexts } from './field-values.ts';
import { attribute, type Field, FLAG } from './form-fields.ts';
import { formOf } from './form-tree.ts';
import { appearanceEntries, type WidgetFrame, widgetFrame } from './widget-frame.ts';

const NO_APPEARANCE: DefaultAppearance = { font: undefined, size: 0, colour: '' };
const DEFAULT_FONT = 'Helv';

export class FieldAppearances {
  private readonly doc: PdfDocument;
  private readonly fonts: EmbeddedFonts;
  private readonly layOut: LayOut;

  constructor(doc: PdfDocument, layOut: LayOut) {
    this.doc = doc;
    this.fonts = new EmbeddedFonts(doc);
    this.layOut = layOut;
  }

  /** Draws all widgets of a field anew. States of buttons that have a look already keep it. */
  draw(field: Field): void {
    if (field.kind === 'signature') return;
    if (field.kind === 'checkbox' || field.kind === 'radio') this.drawButtons(field);
    else for (const widget of field.widgets) this.drawText(field, widget);
  }

  /** Writes the fonts. To be called once, when all fields are drawn. */
  finish(): void {
    this.fonts.finish();
  }

  private drawText(field: Field, widget: Ref): void {
    const { doc } = this;
    const frame = widgetFrame(doc, widget);
    if (!frame) return;
    const look = defaultAppearance(doc, widget) ?? NO_APPEARANCE;
    const resources = new Dict();
    const set = (text: string): Typesetter =>
      typesetterFor(text, fontChoices(doc, look.font ?? DEFAULT_FONT, widget), resources, {
        fonts: this.fonts,
        layOut: this.layOut,
        field: `The form field ${JSON.stringify(field.name)}`,
      });
    const colour = look.colour || '0 g';
    const content = this.textOf(field, widget, frame, look.size, colour, set);
    const inner = Math.max(frame.border, 0.5);
    const clip = `${inner} ${inner} ${Math.max(0, frame.width - 2 * inner)} ${Math.max(0, frame.height - 2 * inner)} re W n`;
    const drawn = content === '' ? '' : `/Tx BMC\nq ${clip}\n${colour}\n${content}\nQ\nEMC`;
    const cells = field.kind === 'text' ? frame.divide(combCells(doc, field)) : '';
    this.setNormal(widget, this.stream(frame, `${frame.draw(false)}\n${cells}\n${drawn}\n`, resources));
  }

  private textOf(
    field: Field,
    widget: Ref,
    frame: WidgetFrame,
    size: number,
    colour: string,
    set: (text: string) => Typesetter,
  ): string {
    const { doc } = this;
    const box: TextBox = { width: frame.width, height: frame.height, padding: Math.max(1, frame.border) * 2 };
    const quadding = doc.number(attribute(doc, widget, 'Q')) ?? doc.number(formOf(doc)?.get('Q')) ?? 0;
    const style = { size, quadding };
    if (field.kind === 'listbox') return this.rowsOf(field, box, style, colour, set);
    const text = this.shownText(field);
    if (text === '') return '';
    if (field.kind !== 'text')
      return drawLine(set(text), text, box, { size, quadding: field.kind === 'button' ? 1 : quadding });
    const cells = combCells(doc, field);
    if (cells > 0) return drawComb(set(text), text, cells, { ...box, padding: 0 }, style);
    if (field.flags & FLAG.multiline) return drawParagraphs(set(text), text, box, style);
    return drawLine(set(text), text, box, style);
  }

  /** What is to be read: the label of an option, asterisks for a password, the caption of a button. */
  private shownText(field: Field): string {
    const { doc } = this;
    if (field.kind === 'button') {
      const look = doc.dict(doc.dict(field.widgets[0])?.get('MK'));
      return visible(doc.text(look?.get('CA')) ?? '');
    }
    const value = selectedTexts(doc, field)[0] ?? '';
    if (field.kind === 'combobox')
      return visible(choiceOptions(doc, field.ref).find((option) => option.value === value)?.label ?? value);
    return field.flags & FLAG.password ? '*'.repeat([...value].length) : visible(value);
  }

  private rowsOf(
    field: Field,
    box: TextBox,
    style: { size: number; quadding: number },
    colour: string,
    set: (text: string) => Typesetter,
  ): string {
    const { doc } = this;
    const selected = new Set(selectedTexts(doc, field));
    const options = choiceOptions(doc, field.ref);
    const held = doc.number(attribute(doc, field.ref, 'TI')) ?? 0;
    const top = topRow(
      options.findIndex(({ value }) => selected.has(value)),
      held,
      rowsSeen(box, style.size),
    );
    const rows = options.slice(top, top + 500).map(({ value, label }) => ({
      text: visible(label),
      selected: selected.has(value),
    }));
    return drawRows(set, rows, box, style, colour);
  }

  private drawButtons(field: Field): void {
    const { doc } = this;
    for (const { widget, state } of buttonsOf(doc, field)) {
      const frame = widgetFrame(doc, widget);
      const states = new Dict(stateStreams(doc, widget));
      if (!frame || (states.has(state) && states.has('Off'))) continue;
      const usual = field.kind === 'radio' ? 'l' : '4';
      const mark = doc.text(doc.dict(doc.dict(widget)?.get('MK'))?.get('CA')) || usual;
      const ground = frame.draw(field.kind === 'radio' && isRound(mark));
      const colour = defaultAppearance(doc, widget)?.colour || '0 g';
      const drawn = `q ${colour} ${drawMark(mark, frame.width, frame.height, frame.border)} Q`;
      // What the author drew stays; a missing look for Off is an empty box.
      if (!states.has(state)) states.set(state, this.stream(frame, `${ground}\n${drawn}\n`, new Dict()));
      if (!states.has('Off')) states.set('Off', this.stream(frame, `${ground}\n`, new Dict()));
      const appearances = new Dict(doc.dict(doc.dict(widget)?.get('AP')) ?? []);
      doc.edit(widget).set('AP', appearances.set('N', states));
    }
  }

  private stream(frame: WidgetFrame, content: string, fonts: Dict): Ref {
    const resources = fonts.size > 0 ? Dict.of({ Font: fonts }) : new Dict();
    return this.doc.addStream(
      Dict.of({ ...appearanceEntries(frame), Resources: resources }),
      Buffer.from(content, 'latin1'),
    );
  }

  /** Other looks (rolled over, pressed) would show the value of before. */
  private setNormal(widget: Ref, stream: Ref): void {
    this.doc.edit(widget).set('AP', Dict.of({ N: stream }));
  }
}

/** Characters that have no look of their own are not drawn. */
const visible = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

function combCells(doc: PdfDocument, field: Field): number {
  const others = FLAG.multiline | FLAG.password | FLAG.fileSelect;
  const cells = doc.number(attribute(doc, field.ref, 'MaxLen')) ?? 0;
  if (!(field.flags & FLAG.comb) || field.flags & others || !Number.isInteger(cells)) return 0;
  return cells > 0 && cells <= 10_000 ? cells : 0;
}

/** The first row that is seen: the one it was, unless the selection would be out of sight. */
function topRow(selected: number, held: number, seen: number): number {
  const top = Number.isInteger(held) && held > 0 ? held : 0;
  if (selected < 0) return top;
  return selected < top || selected >= top + seen ? selected : top;
}

function stateStreams(doc: PdfDocument, widget: Ref): [string, Ref][] {
  const normal = doc.resolve(doc.dict(doc.dict(widget)?.get('AP'))?.get('N'));
  if (!(normal instanceof Dict)) return [];
  return [...normal].filter((entry): entry is [string, Ref] => doc.resolve(entry[1]) instanceof Stream);
}
