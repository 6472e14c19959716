// What a page says in a form that programs can use: pairs of labels and values, tables, totals, dates and addresses.
import type { DocumentData, PlacedText } from '../../contract/document-data.ts';
import { runsText } from '../lines/runs.ts';
import type { TableCell } from '../model.ts';
import type { PageItems } from '../page-items.ts';
import type { FoundTable } from '../tables/find-tables.ts';
import { type Frame, turnUpright } from '../tables/frame.ts';
import { findAddresses } from './addresses.ts';
import { amountOf, currencyIn, isCurrency, totalKind } from './amounts.ts';
import { boxOn, type DataLine, dataLines, type Piece } from './data-lines.ts';
import { datesIn } from './dates.ts';
import { withoutColon } from './labels.ts';
import { isLineOfForm, isMeasured } from './no-labels.ts';
import { findPairs, pairsInCells } from './pairs.ts';

export type PageData = Pick<DocumentData, 'pairs' | 'tables' | 'totals' | 'dates' | 'addresses'>;

/** `page` counts from 1; `tables` are those of the page. Only what is written upright on the page as displayed is looked at, but for tables. */
export function readPageData(items: PageItems, page: number, tables: readonly FoundTable[]): PageData {
  const frame = turnUpright(items).find(({ turn }) => turn === 0);
  if (!frame) return { pairs: [], tables: tables.map(tableData), totals: [], dates: [], addresses: [] };
  const lines = dataLines(frame);
  const inTables = new Set(tables.filter((found) => !isFormGrid(found)).flatMap(({ words }) => words));
  const free = dataLines({ words: frame.words.filter(({ mark }) => !inTables.has(mark)) });
  const inCells = dataLines({ words: frame.words.filter(({ mark }) => inTables.has(mark)) });
  return {
    pairs: [...findPairs(free), ...pairsInCells(inCells)].map(
      ({ key, value, keyArea, valueArea, confidence }) => ({
        key,
        value,
        page,
        box: boxOn(frame, [valueArea]),
        keyBox: boxOn(frame, [keyArea]),
        confidence: rounded(confidence),
        source: 'text' as const,
      }),
    ),
    tables: tables.map(tableData),
    totals: totalsOf(lines, frame, page),
    dates: settleOrder(lines.flatMap((line) => datesOf(line, frame, page))),
    addresses: findAddresses(free).map(({ pieces, postalCode, city, confidence }) => ({
      lines: pieces.map(({ text }) => text),
      postalCode,
      city,
      page,
      box: boxOn(frame, pieces),
      confidence,
    })),
  };
}

/** Two columns of which the first names what is in the second are pairs too. */
const isFormGrid = ({ table }: FoundTable): boolean => table.columnEdges.length <= 3;

const rounded = (value: number): number => Math.round(value * 100) / 100;

const cellText = ({ blocks }: TableCell): string =>
  blocks.map((block) => (block.kind === 'paragraph' ? runsText(block.runs) : '')).join('\n');

function tableData({ table, area }: FoundTable): DocumentData['tables'][number] {
  const columns = table.columnEdges.length - 1;
  const { x, y, width, height } = area;
  return {
    page: table.page,
    box: { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) },
    confidence: table.ruled ? 0.95 : 0.8,
    columns,
    headerRows: table.headerRows,
    rows: table.rows.map(({ cells }) => {
      const row = Array<string>(columns).fill('');
      for (const cell of cells) row[cell.column] = cellText(cell);
      return row;
    }),
  };
}

/** An amount with a label before it, or right above it, that says what is added up. */
function totalsOf(lines: readonly DataLine[], frame: Frame, page: number): DocumentData['totals'] {
  return lines.flatMap((line, i) =>
    line.pieces.flatMap((piece, at) => {
      const cut = apart(piece.text);
      const before = line.pieces[at - 1];
      const above = before && totalKind(before.text) ? undefined : labelAbove(lines, i, piece);
      const label = withoutColon(cut?.label ?? above ?? labelBefore(line.pieces, at));
      const text = cut?.amount ?? piece.text;
      const [kind, bare] = [totalKind(label), amountOf(text)];
      if (!kind || !bare || isMeasured(label) || isLineOfForm(label, text)) return [];
      const currency = bare.currency ?? currencyIn(label) ?? currencyIn(line.pieces[at - 1]?.text ?? '');
      const amount = { ...bare, ...(currency ? { currency } : {}) };
      const isMoney = amount.currency !== undefined || /[.,]\d\d\b|[€$£¥₹]/u.test(text);
      if (!isMoney && (kind === 'tax' || !/^\d{1,3}([., {2}]?\d{3})*$/u.test(text))) return [];
      const confidence = (isMoney ? 0.85 : 0.55) + (amount.currency ? 0.1 : 0) - (above ? 0.1 : 0);
      return [
        { kind, label, ...amount, text, page, box: boxOn(frame, [piece]), confidence: rounded(confidence) },
      ];
    }),
  );
}

/** The last text before a piece; a rate may stand between: "VAT  20%  14.00". */
function labelBefore(pieces: readonly Piece[], at: number): string {
  const before = pieces.slice(0, at).findLast(({ text }) => /\p{L}{2}/u.test(text) && !isCurrency(text));
  const others = pieces.slice(before ? pieces.indexOf(before) + 1 : 0, at);
  // Where several amounts follow a label, the last is what they come to.
  const isLast = pieces.slice(at + 1).every(({ text }) => amountOf(text) === undefined);
  return before && (others.length === 0 || isLast) ? before.text : '';
}

function labelAbove(lines: readonly DataLine[], index: number, piece: Piece): string | undefined {
  for (let i = index - 1; i >= 0 && i >= index - 3; i -= 1) {
    const line = lines[i];
    if (!line || piece.top - line.bottom > piece.size * 2.5) return undefined;
    const over = line.pieces.find(({ left, right }) => left < piece.right && right > piece.left);
    if (over)
      return totalKind(over.text) && !amountOf(over.text) && over.text.split(' ').length <= 4
        ? over.text
        : undefined;
  }
  return undefined;
}

/** "Total: € 12.00" in one piece. */
function apart(text: string): { label: string; amount: string } | undefined {
  const match =
    /^(.*?\p{L}.*?)[:\s]\s*((?:[€$£¥₹]|[A-Z]{3}\s)?\s?-?\d[\d.,'’ ]*(?:\s?(?:€|[A-Z]{3}))?)$/u.exec(text);
  return match && !isCurrency(match[1] ?? '') ? { label: match[1] ?? '', amount: match[2] ?? '' } : undefined;
}

function datesOf(
  { pieces }: DataLine,
  frame: Frame,
  page: number,
): PlacedText<{ date: string; text: string }>[] {
  return pieces.flatMap((piece) =>
    datesIn(piece.text).map(({ text, date, confidence }) => ({
      text,
      date,
      page,
      box: boxOn(frame, [piece]),
      confidence,
    })),
  );
}

type PageDate = PlacedText<{ date: string; text: string }>;

/** Where all dates of a page that can be only one have the month first, the others of their form have it too. */
function settleOrder(dates: readonly PageDate[]): PageDate[] {
  const sure = dates.filter(({ text, confidence }) => SLASHED.test(text) && confidence > 0.6);
  const monthFirst = sure.filter(
    ({ text, date }) => Number(SLASHED.exec(text)?.[1]) === Number(date.slice(5, 7)),
  );
  if (sure.length === 0 || (monthFirst.length > 0 && monthFirst.length < sure.length)) return [...dates];
  return dates.map((found) => {
    if (!SLASHED.test(found.text) || found.confidence > 0.6) return found;
    const [year, month, day] = found.date.split('-');
    const date = monthFirst.length > 0 ? `${year}-${day}-${month}` : found.date;
    return { ...found, date, confidence: 0.8 };
  });
}

const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}$/;
