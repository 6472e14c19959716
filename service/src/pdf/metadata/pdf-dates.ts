// Dates as documents hold them (ISO 32000-1, 7.9.4) and as callers write and read them (ISO 8601).

/** A moment as it was written: the offset is kept, so that a date survives reading and writing. */
export interface Moment {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** Minutes east of Greenwich. */
  offset: number;
}

const PDF_DATE =
  /^(?:D:)?(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d))?)?)?)?)?(?:Z|([+-])(\d\d)'?(?:(\d\d)'?)?)?/;
const ISO_DATE =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?)?$/i;
const SLASHED_DATE = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)$/;

/** A date of the info dictionary. Parts left out take their lowest value, an unknown zone is UTC. */
export function momentOfPdf(text: string): Moment | undefined {
  const trimmed = text.replaceAll('\0', '').trim();
  return momentOfIso(trimmed) ?? moment(PDF_DATE.exec(trimmed));
}

/** `2024-01-02`, `2024-01-02T15:04:05+01:00` and what lies between; without a zone it is UTC. */
export const momentOfIso = (text: string): Moment | undefined => moment(ISO_DATE.exec(text.trim()));

/** `yyyy/MM/dd HH:mm:ss`, UTC, the form existing clients send; or ISO 8601. */
export const momentOfCaller = (text: string): Moment | undefined =>
  moment(SLASHED_DATE.exec(text.trim())) ?? momentOfIso(text);

export function momentOf(date: Date): Moment {
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    offset: 0,
  };
}

/** `D:20240102150405+01'00'` */
export function pdfDate(at: Moment): string {
  const { sign, hours, minutes } = zone(at.offset);
  const digits = `${pad(at.year, 4)}${pad(at.month)}${pad(at.day)}${pad(at.hour)}${pad(at.minute)}${pad(at.second)}`;
  return `D:${digits}${at.offset === 0 ? 'Z' : `${sign}${hours}'${minutes}'`}`;
}

/** `2024-01-02T15:04:05Z` (operations 1.7: "ISO 8601 with offset") */
export function isoDate(at: Moment): string {
  const { sign, hours, minutes } = zone(at.offset);
  const day = `${pad(at.year, 4)}-${pad(at.month)}-${pad(at.day)}`;
  return `${day}T${pad(at.hour)}:${pad(at.minute)}:${pad(at.second)}${at.offset === 0 ? 'Z' : `${sign}${hours}:${minutes}`}`;
}

function moment(match: RegExpExecArray | null): Moment | undefined {
  if (!match) return undefined;
  const part = (index: number, least: number) => (match[index] === undefined ? least : Number(match[index]));
  const [year, month, day] = [part(1, 0), part(2, 1), part(3, 1)];
  const [hour, minute, second] = [part(4, 0), part(5, 0), part(6, 0)];
  const offset = (part(8, 0) * 60 + part(9, 0)) * (match[7] === '-' ? -1 : 1) || 0;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || part(8, 0) > 23 || part(9, 0) > 59) return undefined;
  return { year, month, day, hour, minute, second, offset };
}

function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

function zone(offset: number): { sign: string; hours: string; minutes: string } {
  const size = Math.abs(offset);
  return { sign: offset < 0 ? '-' : '+', hours: pad(Math.floor(size / 60)), minutes: pad(size % 60) };
}
