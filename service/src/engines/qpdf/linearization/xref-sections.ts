// The two cross-reference sections of a linearized file: one for what stands before the end of the first page, at the
// beginning of the file; the main one, for all the rest, at its end (ISO 32000-1, F.3.4 and F.3.11).
import { deflate } from '../../../pdf/filters/packing.ts';
import { Dict, name, PdfString, type PdfValue } from '../../../pdf/objects.ts';
import { formatValue } from '../../../pdf/syntax/object-syntax.ts';
import { REFERENCE_WIDTHS, ROW_BYTES, writeRow } from '../strict/object-layout.ts';
import type { NumberedUnits, Unit } from './objects-in-order.ts';

export interface Section {
  bytes: Buffer;
  /** Where the digits of the ID stand that tells of the content, which is not known yet. */
  idsAt: number[];
  /** Where the white space before the entry of object 0 stands, or that before the stream. */
  beforeEntries: number;
}

const ID_BYTES = 16;
/** The longest place. */
const FAR = 9_999_999_999;

export class CrossReferences {
  private readonly places: Float64Array;
  /** Of objects in streams: which, and where in it; by their numbers. */
  private readonly held = new Map<number, [container: number, index: number]>();
  private readonly units: NumberedUnits;
  private readonly trailer: Dict;
  private readonly id: [PdfString, PdfString];

  constructor(units: NumberedUnits, trailer: Dict) {
    this.units = units;
    this.places = new Float64Array(units.size);
    const { openDocument, firstPage, otherPages, shared, others } = units;
    for (const list of [openDocument, firstPage, ...otherPages, shared, others])
      for (const unit of list) if (unit.isContainer) this.hold(unit);
    const made = new PdfString(new Uint8Array(ID_BYTES));
    const id = trailer.get('ID');
    this.id = [Array.isArray(id) && id[0] instanceof PdfString ? id[0] : made, made];
    this.trailer = new Dict([...trailer].filter(([key]) => key !== 'ID'));
  }

  place(number: number, at: number): void {
    this.places[number] = at;
  }

  placeOf(number: number): number {
    return this.places[number] as number;
  }

  /** How long the first section will be, whatever it tells. */
  firstBytes(): number {
    return this.first(0, 0).bytes.length;
  }

  /** It ends as if it were the file's end, but leads to no section: readers begin with the other end. */
  first(at: number, mainAt: number): Section {
    const { parameters, size, firstTable } = this.units;
    const entries = new Dict([...this.trailer]).set('Size', size).set('Prev', mainAt) as Dict;
    return firstTable === undefined
      ? this.table(parameters, size, entries, 0)
      : this.stream(firstTable, at, parameters, size, entries, 0);
  }

  main(at: number, firstAt: number): Section {
    const { parameters, mainTable } = this.units;
    const entries = Dict.of({ Size: parameters });
    return mainTable === undefined
      ? this.table(0, parameters, entries, firstAt)
      : this.stream(mainTable, at, 0, parameters, entries, firstAt);
  }

  private hold({ number, objects }: Unit): void {
    objects.forEach((object, index) => {
      this.held.set(this.units.numbers[object] as number, [number, index]);
    });
  }

  private table(from: number, to: number, entries: Dict, startsAt: number): Section {
    const opening = `xref\n${from} ${to - from}\n`;
    let rows = '';
    for (let number = from; number < to; number += 1)
      rows +=
        number === 0
          ? '0000000000 65535 f \n'
          : `${String(this.places[number]).padStart(10, '0')} 00000 n \n`;
    const before = `${opening}${rows}trailer `;
    const { text, idsAt } = this.entriesText(entries);
    return {
      bytes: Buffer.from(`${before}${text}\n${ending(startsAt)}`, 'latin1'),
      idsAt: idsAt.map((idAt) => before.length + idAt),
      beforeEntries: opening.length - 1,
    };
  }

  private stream(
    number: number,
    at: number,
    from: number,
    to: number,
    entries: Dict,
    startsAt: number,
  ): Section {
    this.place(number, at);
    const rows = Buffer.alloc((to - from) * ROW_BYTES);
    for (let row = from; row < to; row += 1) {
      const held = this.held.get(row);
      const place = (row - from) * ROW_BYTES;
      if (row === 0) writeRow(rows, place, 0, 0, 0xffff);
      else if (held) writeRow(rows, place, 2, ...held);
      else writeRow(rows, place, 1, this.places[row] as number, 0);
    }
    // The first tells places that depend on its own length: so that must not depend on what it tells.
    const isMain = from === 0;
    const data = isMain ? deflate(rows) : rows;
    const told = new Dict(entries)
      .set('Type', name('XRef'))
      .set('W', REFERENCE_WIDTHS)
      .set('Index', [from, to - from])
      .set('Length', data.length) as Dict;
    if (isMain) told.set('Filter', name('FlateDecode'));
    const { text, idsAt } = this.entriesText(told);
    const before = `${number} 0 obj\n`;
    return {
      bytes: Buffer.concat([
        Buffer.from(`${before}${text}\nstream\n`, 'latin1'),
        data,
        Buffer.from(`\nendstream\nendobj\n${ending(startsAt)}`, 'latin1'),
      ]),
      idsAt: idsAt.map((idAt) => before.length + idAt),
      beforeEntries: -1,
    };
  }

  /** As long as with the longest place of another section. */
  private entriesText(entries: Dict): { text: string; idsAt: number[] } {
    const textWith = (more: [string, PdfValue][]): string =>
      formatValue(new Dict([['ID', this.id], ...entries, ...more]));
    const longest = textWith(entries.has('Prev') ? [['Prev', FAR]] : []).length;
    const [first, second] = this.id;
    const firstAt = '<</ID [<'.length;
    const secondAt = firstAt + 2 * first.bytes.length + '> <'.length;
    return { text: textWith([]).padEnd(longest), idsAt: first === second ? [firstAt, secondAt] : [secondAt] };
  }
}

const ending = (startsAt: number): string => `startxref\n${startsAt}\n%%EOF\n`;
