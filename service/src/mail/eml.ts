// Messages as they travel (RFC 5322, MIME). postal-mime knows transfer codings, character sets, encoded words, flowed
// text and messages in messages, and bounds what it reads.
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import {
  bareContentId,
  headerText,
  MAX_BODY_CHARACTERS,
  MAX_FILES,
  type MailFile,
  type Message,
} from './message.ts';
import { unpackRtf } from './msg.ts';
import { DATE_MARK, isPlaced, locationOf, repairMessage } from './repair-message.ts';
import { readTnef } from './tnef.ts';

const BOUNDS = { maxNestingDepth: 100, maxHeadersSize: 2 * 1024 * 1024, maxRfc822NestingDepth: 8 } as const;

const KNOWN =
  /^(?:from|to|cc|bcc|subject|date|sender|reply-to|message-id|received|return-path|delivered-to|mime-version|content-type|content-transfer-encoding|in-reply-to|references|x-[\w-]+)[ \t]*:/i;

/** Whether the text begins like a message: lines of headers, at least one of them known, then an empty line. */
export function looksLikeEml(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
  const lines = text.replace(/^\u00ef\u00bb\u00bf/, '').split(/\r\n|[\r\n]/);
  if (/^(?:>?From )/.test(lines[0] ?? '')) lines.shift();
  let known = false;
  for (const [index, line] of lines.entries()) {
    if (line === '') return known;
    if (index > 0 && /^[ \t]/.test(line)) continue;
    if (KNOWN.test(line)) known = true;
    // The last line may be cut where the head ends.
    else if (!/^[!-9;-~]+[ \t]*:/.test(line)) return known && index === lines.length - 1;
  }
  return known;
}

export async function readEml(bytes: Uint8Array): Promise<Message> {
  const mended = repairMessage(bytes);
  const email = await PostalMime.parse(mended.bytes, BOUNDS);
  return unpacked({
    subject: headerText(email.subject),
    from: people(email.from ? [email.from] : email.sender ? [email.sender] : []),
    to: people(email.to),
    cc: people(email.cc),
    bcc: people(email.bcc),
    date: headerText(email.headers.find(({ key }) => key === 'date')?.value),
    html: bodyOf(email.html),
    text: bodyOf(email.text),
    bases: mended.bases,
    files: email.attachments.slice(0, MAX_FILES).map(mailFile),
  });
}

/** What Outlook has packed is shown as if it had not. */
function unpacked(message: Message): Message {
  const packed = message.files.flatMap((file) => {
    const content =
      TNEF.test(file.mediaType) || /^winmail\.dat$/i.test(file.name) ? readTnef(file.bytes) : undefined;
    return content ? [{ file, content }] : [];
  });
  const [first] = packed;
  if (!first) return message;
  const files = message.files.flatMap((file) => {
    const within = packed.find((each) => each.file === file)?.content.files ?? [];
    return within.length > 0 ? within : [file];
  });
  if (message.html?.trim()) return { ...message, files };
  const { html, text, rtf } = first.content;
  const rich = html ? undefined : rtf && unpackRtf(rtf);
  const shown = (html || rich?.html)?.slice(0, MAX_BODY_CHARACTERS);
  if (shown) return { ...message, html: shown, files };
  const plain = message.text?.trim() ? message.text : (text ?? rich?.text)?.slice(0, MAX_BODY_CHARACTERS);
  return { ...message, text: plain, files };
}

const TNEF = /^application\/(?:ms-tnef|vnd\.ms-tnef)$/;

const bodyOf = (text: string | undefined): string | undefined =>
  text?.slice(0, MAX_BODY_CHARACTERS).replaceAll(DATE_MARK, '');

function people(list: Email['to']): string {
  return headerText((list ?? []).map(person).filter(Boolean).join(', '));
}

function person(given: Address): string {
  if (given.group) return `${given.name}: ${given.group.map(person).join(', ')};`;
  if (!given.name) return given.address ?? '';
  return given.address ? `${given.name} <${given.address}>` : given.name;
}

function mailFile(given: Attachment, index: number): MailFile {
  const { content, mimeType, filename, contentId, disposition } = given;
  return {
    name: headerText(filename ?? undefined) || `${nameless(mimeType)}-${index + 1}${extensionOf(mimeType)}`,
    mediaType: mimeType,
    bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    contentId: bareContentId(contentId),
    location: locationOf(given.description),
    isPlaced: isPlaced(bareContentId(contentId)),
    inline: disposition === 'inline' || given.related === true,
  };
}

const nameless = (mediaType: string): string =>
  mediaType === 'message/rfc822' ? 'message' : mediaType === 'text/calendar' ? 'invitation' : 'attachment';

const EXTENSIONS: Record<string, string> = {
  'message/rfc822': '.eml',
  'text/calendar': '.ics',
  'text/plain': '.txt',
  'text/html': '.html',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'application/pdf': '.pdf',
  'application/ms-tnef': '.dat',
  'message/delivery-status': '.txt',
  'text/rfc822-headers': '.txt',
};
const extensionOf = (mediaType: string): string => EXTENSIONS[mediaType] ?? '';
