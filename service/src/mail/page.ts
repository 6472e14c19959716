// A message as a page: who wrote what to whom and when, the body, its files.

import { decodeAddress } from '../markup/decode-address.ts';
import { escapeHtml } from '../markup/escape-html.ts';
import { readCalendar } from './calendar.ts';
import { type CleanHtml, cleanHtml } from './clean-html.ts';
import type { MailFile, Message } from './message.ts';
import { NO_BASE } from './message-content.ts';

export interface PageOptions {
  /** Cc and Bcc, too. */
  allRecipients: boolean;
  /** What is told of a file beside its name and size. */
  note(file: MailFile): string;
  /** Where the image is found when the page is shown. */
  address(file: MailFile): string;
}

export interface MailPage {
  html: string;
  /** Files that the page does not show already. */
  listed: MailFile[];
}

const SHOWN_IMAGES = /^image\/(?:png|jpe?g|gif|webp|bmp|avif)$/i;
const STYLE = `
@page { margin: 15mm; }
body { font: 10.5pt/1.4 "Liberation Sans", Arial, "Noto Sans", sans-serif; color: #111; margin: 0; overflow-wrap: anywhere; }
.letter-head { display: block !important; visibility: visible !important; border-bottom: 1px solid #888; margin: 0 0 14pt; padding: 0 0 8pt; }
.letter-head h1 { font-size: 15pt; margin: 0 0 6pt; unicode-bidi: plaintext; }
.letter-rows { border-collapse: collapse; font-size: 10pt; }
.letter-rows th { text-align: left; vertical-align: top; color: #555; font-weight: normal; padding: 1pt 10pt 1pt 0; white-space: nowrap; }
.letter-rows td { vertical-align: top; padding: 1pt 10pt 1pt 0; white-space: pre-wrap; unicode-bidi: plaintext; }
.letter-body img { max-width: 100%; height: auto; }
.letter-body table { max-width: 100%; }
.letter-text { white-space: pre-wrap; font-family: inherit; unicode-bidi: plaintext; }
.inner-head { border: 1px solid #bbb; margin: 14pt 0 8pt; padding: 4pt 8pt; font-size: 10pt; }
.inner-head-row { display: flex; }
.inner-head-label { flex: none; width: 50pt; color: #555; }
.letter-body details::details-content { content-visibility: visible; display: block; }
.letter-files { border-top: 1px solid #888; margin: 14pt 0 0; padding: 8pt 0 0; break-inside: avoid-page; }
.letter-files h2 { font-size: 11pt; margin: 0 0 4pt; }`;

/** What a browser that opens the page itself may do with it: show it. */
const POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'";

export function mailPage(message: Message, options: PageOptions): MailPage {
  const used = new Set<MailFile>();
  const body = bodyOf(message, used, options);
  const loose = message.files.filter(
    (file) => file.inline && !used.has(file) && SHOWN_IMAGES.test(file.mediaType),
  );
  const listed = message.files.filter((file) => !used.has(file) || file.isPlaced);
  const html = [
    '<!doctype html><html><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<title>${escapeHtml(message.subject || 'Message')}</title><style>${STYLE}</style>`,
    body.sheet ? `<style>@scope (.letter-body) {\n${body.sheet}\n}</style>` : '',
    '</head><body>',
    head(message, options.allRecipients),
    message.files
      .filter(({ mediaType }) => mediaType === 'text/calendar')
      .slice(0, 5)
      .map(calendar)
      .join(''),
    `<main class="letter-body">${body.html}</main>`,
    loose
      .map((file) => `<p><img style="max-width:100%" src="${escapeHtml(options.address(file))}" alt=""></p>`)
      .join(''),
    files(listed, options.note),
    '</body></html>',
  ].join('\n');
  return { html, listed };
}

function bodyOf(
  { html, text, bases = [], files: all }: Message,
  used: Set<MailFile>,
  { address }: PageOptions,
): CleanHtml {
  if (!html?.trim()) return { html: `<div class="letter-text">${escapeHtml(text ?? '')}</div>`, sheet: '' };
  const byId = new Map(all.flatMap((file) => (file.contentId ? [[file.contentId, file] as const] : [])));
  const byPlace = new Map(all.flatMap((file) => (file.location ? [[file.location, file] as const] : [])));
  const placed = (source: string, base: string | undefined) =>
    byPlace.size === 0
      ? undefined
      : [...(base ? [base] : []), ...bases, NO_BASE]
          .map((each) => byPlace.get(URL.parse(source, each)?.href ?? ''))
          .find(Boolean);
  return cleanHtml(html, (source, base) => {
    const file = /^cid:/i.test(source) ? byId.get(decodeAddress(source.slice(4))) : placed(source, base);
    if (!file || !SHOWN_IMAGES.test(file.mediaType)) return undefined;
    used.add(file);
    return address(file);
  });
}

function head({ subject, from, to, cc, bcc, date }: Message, allRecipients: boolean): string {
  const rows: [string, string][] = [
    ['From', from],
    ['To', to],
    ...(allRecipients
      ? ([
          ['Cc', cc],
          ['Bcc', bcc],
        ] as [string, string][])
      : []),
    ['Date', date],
  ];
  return `<header class="letter-head"><h1>${escapeHtml(subject || '(no subject)')}</h1>${table(rows)}</header>`;
}

function calendar({ bytes }: MailFile): string {
  const rows = readCalendar(bytes).map(({ label, value }): [string, string] => [label, value]);
  return rows.length === 0 ? '' : `<section class="letter-head">${table(rows)}</section>`;
}

const table = (rows: readonly [string, string][]): string =>
  `<table class="letter-rows">${rows
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `<tr><th>${label}</th><td>${escapeHtml(value)}</td></tr>`)
    .join('')}</table>`;

function files(listed: readonly MailFile[], note: PageOptions['note']): string {
  if (listed.length === 0) return '';
  const rows = listed.map(
    (file) =>
      `<tr><td>${escapeHtml(file.name)}</td><td>${sizeText(file.bytes.length)}</td><td>${escapeHtml(note(file))}</td></tr>`,
  );
  return `<section class="letter-files"><h2>Attachments</h2><table class="letter-rows">${rows.join('')}</table></section>`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
