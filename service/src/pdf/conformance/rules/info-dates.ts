// Whether a date of the information dictionary and one of the XMP packet are the same moment (ISO 19005-1, 6.7.3).
import { isoDate, type Moment, momentOfIso, momentOfPdf } from '../../metadata/pdf-dates.ts';

/** As PDF Reference 1.4, 3.8.2 writes dates; what else can be made out as one is not equivalent to anything. */
const WRITTEN = /^D:\d{4}(?:\d\d){0,5}(?:Z(?:00'00'?)?|[+-]\d\d(?:'(?:\d\d'?)?)?)?$/;

export function isSameDate(info: string, xmp: string): boolean {
  const stated = WRITTEN.test(info) ? momentOfPdf(info) : undefined;
  const other = momentOfIso(/^\d{4}$/.test(xmp) ? `${xmp}-01` : xmp);
  // A date of PDF has no parts of a second.
  if (!stated || !other || /\.\d*[1-9]/.test(xmp)) return false;
  return timeOf(stated) === timeOf(other);
}

const timeOf = (moment: Moment): number => Date.parse(isoDate(moment));
