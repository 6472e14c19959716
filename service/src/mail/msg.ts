// Messages as Outlook stores them (MS-OXMSG).
import { decompressRTF } from '@kenjiuno/decompressrtf';
import MsgReaderModule, { type FieldsData } from '@kenjiuno/msgreader';
import { decoderOf } from './code-pages.ts';
import { isBounded } from './compound-bounds.ts';
import {
  bareContentId,
  headerText,
  MAX_BODY_CHARACTERS,
  MAX_FILES,
  type MailFile,
  type Message,
} from './message.ts';
import { readRtf } from './rtf.ts';

/** The package is written for another module system: its class may stand one level deeper. */
const MsgReader =
  (MsgReaderModule as unknown as { default?: ReaderClass }).default ??
  (MsgReaderModule as unknown as ReaderClass);

interface Reader {
  parserConfig?: { ansiEncoding?: string };
  getFileData(): FieldsData;
  getAttachment(attachment: FieldsData): { fileName: string; content: Uint8Array };
}
type ReaderClass = new (file: ArrayBuffer) => Reader;

const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** A stream that every message has, in the directory's own characters. */
const PROPERTIES = Buffer.from('__properties_version1.0', 'utf16le');
const MAX_RTF_BYTES = 30 * 1024 * 1024;

export function looksLikeMsg(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return file.subarray(0, 8).equals(COMPOUND_FILE) && file.includes(PROPERTIES);
}

/** Undefined where the file cannot be read. */
export function readMsg(bytes: Uint8Array): Message | undefined {
  if (!isBounded(bytes)) return undefined;
  const file = new Uint8Array(bytes).buffer;
  const first = new MsgReader(file);
  const known = first.getFileData();
  if (known.error !== undefined || known.dataType !== 'msg') return undefined;
  const codePage = known.messageCodepage ?? known.internetCodepage;
  const reader = codePage === undefined ? first : (rereadAs(file, codePage) ?? first);
  const data = reader.getFileData();
  const sent = /^date:[ \t]*(.+)$/im.exec(data.headers ?? '')?.[1];
  return {
    subject: headerText(data.subject),
    from: person(
      data.senderName,
      data.senderSmtpAddress ?? data.sentRepresentingSmtpAddress ?? data.senderEmail,
    ),
    to: recipients(data, 'to'),
    cc: recipients(data, 'cc'),
    bcc: recipients(data, 'bcc'),
    date: headerText(sent ?? data.clientSubmitTime ?? data.messageDeliveryTime),
    ...bodyOf(data),
    files: (data.attachments ?? []).slice(0, MAX_FILES).flatMap((each) => mailFile(reader, each)),
  };
}

/** Texts that are not Unicode are of the code page that the message names. */
function rereadAs(file: ArrayBuffer, codePage: number) {
  try {
    const reader = new MsgReader(file);
    reader.parserConfig = { ansiEncoding: String(codePage) };
    return reader.getFileData().error === undefined ? reader : undefined;
  } catch {
    return undefined;
  }
}

function bodyOf(data: FieldsData): Pick<Message, 'html' | 'text'> {
  const html = data.bodyHtml ?? (data.html && decoderOf(data.internetCodepage).decode(data.html));
  if (html) return { html: html.slice(0, MAX_BODY_CHARACTERS) };
  const rtf = data.compressedRtf && unpackRtf(data.compressedRtf);
  if (rtf?.html) return { html: rtf.html.slice(0, MAX_BODY_CHARACTERS) };
  return { text: (data.body || rtf?.text || '').slice(0, MAX_BODY_CHARACTERS) };
}

export function unpackRtf(packed: Uint8Array) {
  if (packed.length > MAX_RTF_BYTES) return undefined;
  try {
    return readRtf(Buffer.from(decompressRTF([...packed])).toString('latin1'));
  } catch {
    return undefined;
  }
}

/** Addresses of Exchange's own directory tell people nothing. */
function person(name: string | undefined, address: string | undefined): string {
  const shown = address?.includes('@') ? address : undefined;
  if (!name || name === shown) return headerText(shown ?? name);
  return headerText(shown ? `${name} <${shown}>` : name);
}

const recipients = (data: FieldsData, type: string): string =>
  headerText(
    (data.recipients ?? [])
      .filter(({ recipType }) => recipType === type)
      .map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email))
      .join(', '),
  );

function mailFile(reader: Reader, given: FieldsData): MailFile[] {
  try {
    const { fileName, content } = reader.getAttachment(given);
    return [
      {
        name: headerText(given.fileName ?? fileName ?? given.fileNameShort ?? given.name) || 'attachment',
        mediaType:
          given.attachMimeTag ??
          (given.innerMsgContent ? 'application/vnd.ms-outlook' : 'application/octet-stream'),
        bytes: content,
        contentId: bareContentId(given.pidContentId),
        inline: given.attachmentHidden === true,
      },
    ];
  } catch {
    return [];
  }
}
