// Writes a sound document linearized (ISO 32000-1, annex F). All texts are made first: then every length is known, and
// with it every place that the parameter dictionary, the hint tables and the cross-references tell.
import type { Dict, Ref } from '../../../pdf/objects.ts';
import { formatValue } from '../../../pdf/syntax/object-syntax.ts';
import { ByteWriter } from '../strict/byte-writer.ts';
import {
  dataOf,
  headerOf,
  type ObjectSink,
  objectStream,
  packedVersion,
  type StreamData,
  type WriteText,
} from '../strict/object-layout.ts';
import { ofTheDocument } from '../strict/parser.ts';
import { isPageObject, isStream, strictGraph } from '../strict/reference-graph.ts';
import { valueWithRefs } from '../strict/store.ts';
import {
  reachedFrom,
  renumbering,
  type StrictOptions,
  type StrictState,
  writeObject,
} from '../strict/writer.ts';
import { type HintOrder, type HintTables, hintTables, type PageHint } from './hint-tables.ts';
import { type NumberedUnits, numberedUnits, type Unit } from './objects-in-order.ts';
import { linearizationParts } from './parts.ts';
import { CrossReferences } from './xref-sections.ts';

export function writeLinearized(
  state: StrictState,
  { version, packObjects }: StrictOptions,
  pages: readonly Ref[],
  begin: () => ByteWriter,
): ByteWriter {
  const trailer = ofTheDocument(state.store.trailer());
  const reached = reachedFrom(state, trailer);
  const isReached = membership(reached, state.store.lastNumber);
  const parts = linearizationParts(strictGraph(state, trailer, pages, isReached), reached);
  const catalog = state.store.catalogRef.number;
  const canPack = (number: number): boolean =>
    number !== catalog && !isStream(state, number) && !isPageObject(state, number);
  const units = numberedUnits(parts, state.store.lastNumber, packObjects, canPack);
  const renumber = renumbering(state, units.numbers);
  const texts = new UnitTexts(units, (sink, number) =>
    writeObject(sink, state, number, units.numbers, renumber),
  );
  const header = headerOf(packObjects ? packedVersion(version) : version);
  const entries = valueWithRefs(trailer, renumber) as Dict;
  return write(begin(), header, units, texts, new CrossReferences(units, entries), parts.neededBy);
}

function membership(reached: readonly number[], highest: number): (number: number) => boolean {
  const is = new Uint8Array(highest + 1);
  for (const number of reached) is[number] = 1;
  return (number) => is[number] === 1;
}

/** The units' texts, without the data of streams. */
class UnitTexts implements ObjectSink {
  private readonly texts = new ByteWriter();
  private readonly packed = new ByteWriter();
  private readonly from: number[] = [];
  private readonly data: (StreamData | undefined)[] = [];
  private readonly lengths: number[] = [];

  constructor(units: NumberedUnits, writeOne: (sink: ObjectSink, number: number) => void) {
    for (const unit of unitsInOrder(units)) {
      if (!unit.isContainer) for (const object of unit.objects) writeOne(this, object);
      else this.container(unit, writeOne);
    }
  }

  object(number: number, write: WriteText): void {
    this.from[number] = this.texts.length;
    this.begin(number);
    write(this.texts);
    this.texts.text('\nendobj\n');
    this.lengths[number] = this.texts.length - (this.from[number] as number);
  }

  stream(number: number, write: WriteText, data: StreamData): void {
    this.from[number] = this.texts.length;
    this.data[number] = data;
    this.begin(number);
    write(this.texts);
    this.texts.text(STREAM);
    this.lengths[number] =
      this.texts.length - (this.from[number] as number) + data.length + END_STREAM.length;
  }

  lengthOf({ number }: Unit): number {
    return this.lengths[number] as number;
  }

  write(out: ByteWriter, { number }: Unit): void {
    const from = this.from[number] as number;
    const data = this.data[number];
    const length = (this.lengths[number] as number) - (data ? data.length + END_STREAM.length : 0);
    out.part(this.texts.taken(), from, from + length);
    if (!data) return;
    out.data(data.bytes());
    out.text(END_STREAM);
  }

  private begin(number: number): void {
    this.texts.whole(number);
    this.texts.text(' 0 obj\n');
  }

  private container(
    { number: own, objects }: Unit,
    writeOne: (sink: ObjectSink, number: number) => void,
  ): void {
    const { packed } = this;
    const places: { number: number; at: number }[] = [];
    const take = (number: number, write: WriteText): void => {
      places.push({ number, at: packed.length });
      write(packed);
      packed.text('\n');
    };
    packed.clear();
    for (const object of objects) writeOne({ object: take, stream: take }, object);
    const { dict, data } = objectStream(places, packed.taken());
    this.stream(own, (out) => out.text(formatValue(dict)), dataOf(data));
  }
}

const STREAM = '\nstream\n';
const END_STREAM = '\nendstream\nendobj\n';

const unitsInOrder = ({ openDocument, firstPage, otherPages, shared, others }: NumberedUnits): Unit[] => [
  ...openDocument,
  ...firstPage,
  ...otherPages.flat(),
  ...shared,
  ...others,
];

/** More than the longest numbers take. */
const PARAMETERS_BYTES = 160;
const END_OBJECT = '\nendobj\n';

function write(
  out: ByteWriter,
  header: string,
  units: NumberedUnits,
  texts: UnitTexts,
  references: CrossReferences,
  neededBy: readonly (readonly number[])[],
): ByteWriter {
  const { parameters, firstPage, openDocument, otherPages } = units;
  const later = unitsInOrder(units).slice(openDocument.length);
  const placeFrom = (start: number, placed: readonly Unit[]): number => {
    let at = start;
    for (const unit of placed) {
      references.place(unit.number, at);
      at += texts.lengthOf(unit);
    }
    return at;
  };
  references.place(parameters, header.length);
  const firstTableAt = header.length + PARAMETERS_BYTES + END_OBJECT.length;
  const hintsAt = placeFrom(firstTableAt + references.firstBytes(), openDocument);
  references.place(units.hints, hintsAt);
  // As if there were no hint stream: so hint tables tell all places, and only then is known how long it is.
  placeFrom(hintsAt, later);
  const hints = hintStream(units.hints, hintTables(hintsOf(units, texts, references, neededBy)));
  const pagesAt = hintsAt + hints.length;
  const mainTableAt = placeFrom(pagesAt, later);
  const main = references.main(mainTableAt, firstTableAt);
  const first = references.first(firstTableAt, mainTableAt);
  const dictionary =
    `/L ${mainTableAt + main.bytes.length}/H[${hintsAt} ${hints.length}]/O ${firstPage[0]?.number}` +
    `/E ${pagesAt + lengthOfAll(firstPage, texts)}/N ${otherPages.length + 1}/T ${mainTableAt + main.beforeEntries}`;
  out.text(header);
  out.text(`${parameters} 0 obj\n<</Linearized 1${dictionary}>>`.padEnd(PARAMETERS_BYTES) + END_OBJECT);
  out.data(first.bytes);
  for (const unit of openDocument) texts.write(out, unit);
  out.data(hints);
  for (const unit of later) texts.write(out, unit);
  out.data(main.bytes);
  const id = out.digest().toString('hex');
  for (const at of first.idsAt) out.over(firstTableAt + at, id);
  for (const at of main.idsAt) out.over(mainTableAt + at, id);
  return out;
}

const lengthOfAll = (units: readonly Unit[], texts: UnitTexts): number =>
  units.reduce((sum, unit) => sum + texts.lengthOf(unit), 0);

function hintsOf(
  { firstPage, otherPages, shared, outlines }: NumberedUnits,
  texts: UnitTexts,
  references: CrossReferences,
  neededBy: readonly (readonly number[])[],
): HintOrder {
  const groups = [...firstPage, ...shared];
  const groupOf = new Map(groups.flatMap(({ objects }, index) => objects.map((object) => [object, index])));
  const groupsOf = (page: number): number[] => [
    ...new Set((neededBy[page] ?? []).flatMap((object) => groupOf.get(object) ?? [])),
  ];
  const hintOf = (units: readonly Unit[], needed: number[]): PageHint => ({
    objects: units.length,
    bytes: lengthOfAll(units, texts),
    shared: needed,
  });
  const place = (unit: Unit | undefined) => ({
    number: unit?.number ?? 0,
    at: unit ? references.placeOf(unit.number) : 0,
  });
  return {
    pages: [hintOf(firstPage, []), ...otherPages.map((units, index) => hintOf(units, groupsOf(index + 1)))],
    firstPageAt: place(firstPage[0]).at,
    groups: groups.map((unit) => texts.lengthOf(unit)),
    firstPageGroups: firstPage.length,
    firstGroup: place(shared[0]),
    outlines:
      outlines.length === 0
        ? undefined
        : { ...place(outlines[0]), objects: outlines.length, bytes: lengthOfAll(outlines, texts) },
  };
}

function hintStream(number: number, { data, sharedAt, outlinesAt }: HintTables): Buffer {
  const outlines = outlinesAt === undefined ? '' : `/O ${outlinesAt}`;
  const dict = `<</Length ${data.length}/S ${sharedAt}${outlines}>>`;
  return Buffer.concat([
    Buffer.from(`${number} 0 obj\n${dict}${STREAM}`, 'latin1'),
    data,
    Buffer.from(END_STREAM, 'latin1'),
  ]);
}
