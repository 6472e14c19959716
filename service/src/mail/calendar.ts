// Invitations (iCalendar, RFC 5545): what, when and where of their events.
import { lookup } from '../contract/lookup.ts';

export interface CalendarEvent {
  label: string;
  value: string;
}

const SHOWN: Record<string, string> = lookup({
  SUMMARY: 'Event',
  DTSTART: 'Begins',
  DTEND: 'Ends',
  LOCATION: 'Place',
  ORGANIZER: 'Organizer',
});
const MAX_EVENTS = 20;

export function readCalendar(bytes: Uint8Array): CalendarEvent[] {
  const lines = new TextDecoder()
    .decode(bytes.subarray(0, 1_000_000))
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/);
  const rows: CalendarEvent[] = [];
  let inEvent = false;
  let events = 0;
  for (const line of lines) {
    if (/^BEGIN:VEVENT/i.test(line)) {
      inEvent = true;
      events += 1;
    } else if (/^END:VEVENT/i.test(line)) inEvent = false;
    if (!inEvent || events > MAX_EVENTS) continue;
    const colon = line.search(/:(?=(?:[^"]*"[^"]*")*[^"]*$)/);
    const [name = '', ...params] = line.slice(0, colon).split(';');
    const label = SHOWN[name.toUpperCase()];
    if (label === undefined || colon < 0) continue;
    rows.push({ label, value: shown(name.toUpperCase(), line.slice(colon + 1), params) });
  }
  return rows;
}

function shown(name: string, value: string, params: string[]): string {
  if (name === 'ORGANIZER') {
    const common = params
      .find((param) => /^CN=/i.test(param))
      ?.slice(3)
      .replaceAll('"', '');
    const address = value.replace(/^mailto:/i, '');
    return common ? `${common} <${address}>` : address;
  }
  const date = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?$/.exec(value);
  if (!date)
    return value
      .replace(/\\n/gi, '\n')
      .replace(/\\([\\;,])/g, '$1')
      .slice(0, 2000);
  const [, year, month, day, hour, minute, utc] = date;
  const zone = utc ? ' UTC' : (params.find((param) => /^TZID=/i.test(param)) ?? '').replace(/^TZID=/i, ' ');
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}${zone}`}`;
}
