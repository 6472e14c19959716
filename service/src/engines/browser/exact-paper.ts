// The browser measures paper in whole dots: A4 becomes 595.92 by 841.92 points. The boxes of its pages are set to the
// sizes that were meant. Only for files as the browser writes them, with a plain table of where the objects are.
import { PAPER_SIZES, type PaperSize } from '../../pdf/pages/paper.ts';

interface Change {
  at: number;
  before: number;
  text: string;
}

const TABLOID: PaperSize = { width: 792, height: 1224 };
/** As near as the browser comes. */
const NEAR = 1;
const BOX_START = Buffer.from('\n/MediaBox [0 0 ');
const LONGEST_BOX = 60;
const ENTRY_BYTES = 20;

export function withExactPaper(pdf: Buffer, asked: readonly PaperSize[]): Buffer {
  const changes = boxChanges(pdf, [...asked, ...Object.values(PAPER_SIZES), TABLOID]);
  const table = changes.length > 0 ? tableOf(pdf) : undefined;
  if (!table) return pdf;
  const changed = replaced(pdf, changes);
  const shift = shiftBy(changes);
  const start = table.start + shift(table.start);
  for (let entry = 0; entry < table.count; entry += 1) {
    const at = start + table.entries + entry * ENTRY_BYTES;
    if (changed[at + ENTRY_BYTES - 3] !== 0x6e) continue;
    const place = Number(changed.toString('latin1', at, at + 10));
    changed.write(String(place + shift(place)).padStart(10, '0'), at, 'latin1');
  }
  return Buffer.concat([changed.subarray(0, start + table.trailer), endOf(changed, start, table)]);
}

function boxChanges(pdf: Buffer, sizes: readonly PaperSize[]): Change[] {
  const changes: Change[] = [];
  for (let at = pdf.indexOf(BOX_START); at >= 0; at = pdf.indexOf(BOX_START, at + 1)) {
    const from = at + BOX_START.length;
    const found = /^([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1', from, from + LONGEST_BOX));
    if (!found) continue;
    const meant = exactSize(Number(found[1]), Number(found[2]), sizes);
    if (meant) changes.push({ at: from, before: found[0].length - 1, text: meant });
  }
  return changes;
}

function exactSize(width: number, height: number, sizes: readonly PaperSize[]): string | undefined {
  const isNear = (one: number, other: number) => Math.abs(one - other) <= NEAR;
  for (const size of sizes) {
    if (isNear(width, size.width) && isNear(height, size.height)) return written(size.width, size.height);
    if (isNear(width, size.height) && isNear(height, size.width)) return written(size.height, size.width);
  }
  return undefined;
}

const written = (...lengths: number[]): string =>
  lengths.map((length) => String(Number(length.toFixed(4)))).join(' ');

function replaced(pdf: Buffer, changes: readonly Change[]): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { at, before, text } of changes) {
    pieces.push(pdf.subarray(from, at), Buffer.from(text, 'latin1'));
    from = at + before;
  }
  return Buffer.concat([...pieces, pdf.subarray(from)]);
}

/** How far what stood at a place has moved. */
function shiftBy(changes: readonly Change[]): (place: number) => number {
  const sums: number[] = [];
  for (const { before, text } of changes) sums.push((sums.at(-1) ?? 0) + text.length - before);
  return (place) => {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((changes[middle]?.at ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return sums[low - 1] ?? 0;
  };
}

interface Table {
  start: number;
  /** Of what follows, counted from the start. */
  entries: number;
  trailer: number;
  count: number;
}

/** Undefined where the file is not as the browser writes it. */
function tableOf(pdf: Buffer): Table | undefined {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 100));
  const start = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(tail)?.[1] ?? Number.NaN);
  if (!(start < pdf.length)) return undefined;
  const head = /^xref\n0 (\d+)\n/.exec(pdf.toString('latin1', start, start + 30));
  if (!head) return undefined;
  const count = Number(head[1]);
  const trailer = head[0].length + count * ENTRY_BYTES;
  if (pdf.toString('latin1', start + trailer, start + trailer + 7) !== 'trailer') return undefined;
  return { start, entries: head[0].length, trailer, count };
}

const endOf = (pdf: Buffer, start: number, { trailer }: Table): Buffer =>
  Buffer.from(
    pdf.toString('latin1', start + trailer).replace(/startxref\n\d+\n/, `startxref\n${start}\n`),
    'latin1',
  );
