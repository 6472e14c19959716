// Messages as they travel (RFC 5322, MIME).
import { MAX_BODY_CHARACTERS, MAX_FILES, type Message } from './message.ts';
import { readContent } from './message-content.ts';
import { readParts } from './mime-parts.ts';
import { unpackRtf } from './msg.ts';
import { withSignedContent } from './signed-content.ts';
import { readTnef } from './tnef.ts';

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

export function readEml(bytes: Uint8Array): Message {
  const whole = readParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (!whole) throw new Error('more parts, or deeper ones, than anybody would send');
  const { html, text, files, ...rest } = readContent(withSignedContent(whole));
  return unpacked({
    ...rest,
    html: html?.slice(0, MAX_BODY_CHARACTERS),
    text: text?.slice(0, MAX_BODY_CHARACTERS),
    files: files.slice(0, MAX_FILES),
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
