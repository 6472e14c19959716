// What a caller asks to change in the metadata, read from form fields.
import { invalidParameter } from '../../contract/problems.ts';
import { type MetadataChanges, type MetadataValue, TRAPPED, type Trapped } from './metadata-update.ts';
import { momentOfCaller, momentOfPdf } from './pdf-dates.ts';

export interface MetadataRequest {
  title: string | undefined;
  author: string | undefined;
  subject: string | undefined;
  keywords: string | undefined;
  creator: string | undefined;
  producer: string | undefined;
  creationDate: string | undefined;
  modificationDate: string | undefined;
  trapped: Trapped | undefined;
  allRequestParams: Readonly<Record<string, CustomValue>> | undefined;
}

export type CustomValue = string | number | boolean | null;

const TEXTS = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
} as const;
const DATES = { creationDate: 'CreationDate', modificationDate: 'ModDate' } as const;

const MAX_KEY_CHARACTERS = 127;

/** Named fields win over custom entries. Throws invalid_parameter naming the field. */
export function metadataChanges(request: MetadataRequest): MetadataChanges {
  const changes = new Map<string, MetadataValue>();
  for (const [key, text] of customEntries(request.allRequestParams ?? {})) {
    changes.set(key, customValue(key, text));
  }
  for (const [field, key] of Object.entries(TEXTS)) {
    const text = given(request[field as keyof typeof TEXTS]);
    if (text !== undefined) changes.set(key, text === '' ? null : { text });
  }
  for (const [field, key] of Object.entries(DATES)) {
    const text = given(request[field as keyof typeof DATES]);
    if (text !== undefined) changes.set(key, text.trim() === '' ? null : dateValue(field, text));
  }
  if (request.trapped !== undefined) changes.set('Trapped', { trapped: request.trapped });
  return changes;
}

/** "absent (or the word `undefined`) keeps" (operations 7). */
const given = (text: string | undefined): string | undefined => (text === 'undefined' ? undefined : text);

function dateValue(field: string, text: string): MetadataValue {
  const date = momentOfCaller(text);
  if (date) return { date };
  throw invalidParameter(
    `${field} must be a date such as 2024/01/02 15:04:05 (UTC) or 2024-01-02T15:04:05Z.`,
  );
}

/** "customKey1/customValue1 pairs, any other key directly" (operations 7). */
function customEntries(sent: Readonly<Record<string, CustomValue>>): Map<string, string> {
  const entries = new Map<string, string>();
  const text = (value: CustomValue | undefined) =>
    value === null || value === undefined ? '' : String(value);
  for (const [key, value] of Object.entries(sent)) {
    const pair = /^custom(Key|Value)(\d*)$/i.exec(key);
    if (!pair) entries.set(checkedKey(key), text(value));
    else if (pair[1]?.toLowerCase() === 'key' && text(value) !== '') {
      entries.set(checkedKey(text(value)), text(valueOfPair(sent, pair[2] ?? '')));
    }
  }
  return entries;
}

function valueOfPair(sent: Readonly<Record<string, CustomValue>>, number: string): CustomValue | undefined {
  const wanted = `customvalue${number}`;
  return Object.entries(sent).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

function checkedKey(key: string): string {
  const length = [...key].length;
  if (length >= 1 && length <= MAX_KEY_CHARACTERS && !/[\u0000-\u001f]/.test(key)) return key;
  throw invalidParameter(
    `allRequestParams: keys must have 1 to ${MAX_KEY_CHARACTERS} characters and no control characters.`,
  );
}

function customValue(key: string, text: string): MetadataValue {
  if (text === '') return null;
  if (key === 'CreationDate' || key === 'ModDate') {
    const date = momentOfPdf(text);
    return date ? { date } : dateValue(`allRequestParams.${key}`, text);
  }
  if (key !== 'Trapped') return { text };
  const trapped = TRAPPED.find((word) => word.toLowerCase() === text.toLowerCase());
  if (trapped) return { trapped };
  throw invalidParameter(`allRequestParams.Trapped must be one of ${TRAPPED.join(', ')}.`);
}
