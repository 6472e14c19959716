// Addresses that the service itself reaches: files it fetches, results it puts, and whom it tells of the end.
import type { TextPart } from './calls.ts';
import { BinderyError } from './errors.ts';
import type { CallOptions } from './types.ts';

/** A file that the service fetches, such as a pre-signed address of an object store; its bytes never pass here. */
export class FileAddress {
  readonly url: string;

  constructor(url: string | URL) {
    if (!URL.canParse(String(url)) || !/^https?:$/.test(new URL(url).protocol))
      throw new TypeError('A file address must be a whole http or https URL.');
    this.url = String(url);
  }
}

/** What is told of a result that went to `resultUrl`. */
export interface DeliveredResult {
  filename: string | null;
  mediaType: string;
  size: number;
  /** What the PUT was answered with. */
  status: number;
  /** The address without its query, which is a secret. */
  location: string;
}

/** The options of a call that the service reads as fields of the form. */
export function deliveryParts({ resultUrl, webhookUrl, webhookSecret, background }: CallOptions): TextPart[] {
  if (webhookUrl !== undefined && background !== true)
    throw refused(
      'webhookUrl goes with calls in the background.',
      'Add background: true, or use jobs.start.',
    );
  if (webhookSecret !== undefined && webhookUrl === undefined)
    throw refused('webhookSecret signs what is sent to webhookUrl, which is missing.', 'Add webhookUrl.');
  return Object.entries({ resultUrl, webhookUrl, webhookSecret }).flatMap(([name, value]): TextPart[] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

export const refused = (message: string, hint: string): BinderyError =>
  new BinderyError(message, { code: 'bad_request', reason: 'invalid_parameter', hint });
