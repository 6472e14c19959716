// Values that no two runs share: the time, and identifiers made by lot. Only these are overlooked: a date outside of the
// run was read from the document and counts.
import type { Run } from './answers.ts';

const PDF_DATE = /D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|[+-]\d\d'?\d\d'?)?/g;
const ISO_DATE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;
/** As `uuid:` in XMP and EPUB. Version 4 is the one drawn by lot; the others are made from something. */
const RANDOM_UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/gi;

/** As poppler dates PostScript, in the time of the place. */
const C_DATE = /\b(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})\b/g;
/** Where a worker worked, as LibreOffice names a sound it has unpacked. */
const WORK_FOLDER = /\/bindery-test-\w{6}\/work\/worker-\d+\/[a-z]+-\w{6}\//g;

/** A date without a zone, and one of a zone that was lost on the way, may be off by that zone. */
const ZONE_MS = 14 * 3600_000;
const SLACK_MS = 2000;

export function withoutPassingValues(text: string, run: Run): string {
  return text
    .replace(PDF_DATE, (date, ...parts) => {
      const [year, month, day, hour, minute, second] = parts.map(Number);
      const at = Date.UTC(Number(year), Number(month) - 1, day, hour, minute, second);
      return isOfRun(at, run, ZONE_MS) ? '(now)' : date;
    })
    .replace(ISO_DATE, (date) => {
      const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(date);
      return isOfRun(Date.parse(hasZone ? date : `${date}Z`), run, hasZone ? 0 : ZONE_MS) ? '(now)' : date;
    })
    .replace(C_DATE, (date, month, day, time, year) =>
      isOfRun(Date.parse(`${day} ${month} ${year} ${time} UTC`), run, ZONE_MS) ? '(now)' : date,
    )
    .replace(WORK_FOLDER, '/(work folder)/')
    .replace(RANDOM_UUID, '(uuid)');
}

function isOfRun(at: number, { from, to }: Run, zone: number): boolean {
  if (at >= from - SLACK_MS && at <= to + SLACK_MS) return true;
  // Zones differ from one another by whole quarters of an hour.
  const off = at - from;
  const quarters = Math.round(off / 900_000) * 900_000;
  return Math.abs(quarters) <= zone && at - quarters >= from - SLACK_MS && at - quarters <= to + SLACK_MS;
}

/** Where two plain values first differ, and how; undefined where they do not. */
export function firstDifference(one: unknown, other: unknown, at = ''): string | undefined {
  if (Object.is(one, other)) return undefined;
  if (!isRecord(one) || !isRecord(other) || Array.isArray(one) !== Array.isArray(other))
    return `${at || 'the whole'}: ${shown(one)} -> ${shown(other)}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = firstDifference(one[key], other[key], at === '' ? key : `${at}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every text in a plain value, made anew. */
export function mapTexts(value: unknown, make: (text: string) => string): unknown {
  if (typeof value === 'string') return make(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, make));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, make)]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
