// A mail message as people see it, whatever file it came in.

export interface MailFile {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
  /** Without brackets: what `cid:` addresses in the body mean. */
  contentId?: string | undefined;
  /** The address under which bodies in HTML name it. */
  location?: string | undefined;
  /** Shown in the message, though the body does not name it. */
  isPlaced?: boolean;
  /** Meant to be seen in the message. */
  inline: boolean;
}

export interface Message {
  subject: string;
  from: string;
  to: string;
  cc: string;
  bcc: string;
  /** As the message writes it. */
  date: string;
  html?: string | undefined;
  text?: string | undefined;
  /** Where bodies in HTML lie. */
  bases?: readonly string[];
  files: MailFile[];
}

/** More files than this are not looked at. */
export const MAX_FILES = 1000;
/** A body longer than this is cut. */
export const MAX_BODY_CHARACTERS = 20_000_000;
const MAX_HEADER_CHARACTERS = 20_000;

/** One line without control characters, not longer than anybody reads. */
export const headerText = (value: string | undefined): string =>
  (value ?? '')
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
    .slice(0, MAX_HEADER_CHARACTERS);

export const bareContentId = (id: string | null | undefined): string | undefined =>
  id?.trim().replace(/^<|>$/g, '') || undefined;
