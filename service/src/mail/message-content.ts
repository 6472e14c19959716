// The bodies and files of a message, gathered from its parts as they are meant to be seen.

import { decodeWords } from 'postal-mime';
import { lookup } from '../contract/lookup.ts';
import { escapeHtml } from '../markup/escape-html.ts';
import { isKnownCharset } from './code-pages.ts';
import { headerOf, type MessageHead, readHead } from './mail-headers.ts';
import { decodeText, decodeTransfer, joinFlowedLines } from './mail-text.ts';
import { bareContentId, headerText, type MailFile, type Message } from './message.ts';
import { parametersOf } from './mime-parameters.ts';
import { dispositionOf, encodingOf, headerBytes, type MimePart } from './mime-parts.ts';

/** RFC 2557: the base of what has none. */
export const NO_BASE = 'thismessage:/';

/** One body; both forms are filled where the message has both, and one of them is shown. */
interface Body {
  plain: string[];
  html: string[];
}

interface Surroundings {
  /** The body that an enclosing multipart/alternative stands for. */
  body?: Body | undefined;
  isRelated: boolean;
  /** In a multipart/mixed with bodies in HTML: images stand between them, as some programs send them. */
  isAmongHtml: boolean;
  /** RFC 2557: where the part around it lies. */
  location: string;
}

const AT_TOP: Surroundings = { isRelated: false, isAmongHtml: false, location: NO_BASE };
const REPORT = /^message\/(?:delivery-status|feedback-report)$/;
const SHOWN_IMAGE = /^image\/(?:png|jpe?g|gif|webp|bmp|avif)$/;

export function readContent(
  whole: MimePart,
): MessageHead & Pick<Message, 'html' | 'text' | 'bases' | 'files'> {
  const parts = allParts(whole);
  // What was sent and came back is proof: it stays a file as it is.
  const isReport = parts.some(({ type }) => REPORT.test(type));
  const charset = parts.map(({ params }) => params.get('charset') ?? '').find(isOther) ?? 'windows-1252';
  const named = namedIds(parts);
  const bodies: Body[] = [];
  const bases: string[] = [];
  const files: MailFile[] = [];
  let hasHtml = false;

  function visit(part: MimePart, around: Surroundings): void {
    const said = headerBytes(part, 'content-location').replace(/\s+/g, '');
    const base = headerBytes(part, 'content-base') || around.location;
    const location = (said && URL.parse(said, base)?.href) || around.location;
    if (part.type === 'text/html' && !bases.includes(location)) bases.push(location);
    if (part.message && !isReport) visitMessage(part.message);
    else if (part.children) visitAll(part.children, part.type, { ...around, location });
    else if (/^text\/(?:plain|html)$/.test(part.type) && dispositionOf(part) !== 'attachment')
      addText(part, around.body ?? newBody());
    else {
      const file = mailFile(part, around.isRelated, files.length, charset);
      files.push({ ...file, location: said && part.type !== 'text/html' ? location : undefined });
      if (around.isAmongHtml && isLooseImage(part, named)) place(files.length - 1);
    }
  }

  function visitMessage(message: MimePart): void {
    const head = readHead(message, charset);
    bodies.push({ plain: [headAsText(head)], html: [headAsHtml(head)] });
    visit(message, AT_TOP);
  }

  function visitAll(children: readonly MimePart[], type: string, around: Surroundings): void {
    const body = type === 'multipart/alternative' ? newBody() : around.body;
    const isRelated = around.isRelated || type === 'multipart/related';
    const isAmongHtml = type === 'multipart/mixed' && children.some((each) => each.type === 'text/html');
    for (const child of children) visit(child, { ...around, body, isRelated, isAmongHtml });
  }

  function newBody(): Body {
    const body = { plain: [], html: [] };
    bodies.push(body);
    return body;
  }

  function addText(part: MimePart, body: Body): void {
    const isHtml = part.type === 'text/html';
    (isHtml ? body.html : body.plain).push(textOf(part));
    hasHtml ||= isHtml;
  }

  /** Shown where it stands, under a name of its own, and listed all the same. */
  function place(index: number): void {
    const contentId = `in-place.${index}`;
    files[index] = { ...(files[index] as MailFile), contentId, isPlaced: true };
    newBody().html.push(`<p><img src="cid:${contentId}"></p>`);
  }

  visit(whole, AT_TOP);
  return {
    ...readHead(whole, charset),
    html: hasHtml ? bodies.flatMap(asHtml).join('\n') : undefined,
    text: bodies.flatMap(({ plain }) => plain).join('\n\n') || undefined,
    bases,
    files,
  };
}

const allParts = (part: MimePart): MimePart[] => [
  part,
  ...[...(part.children ?? []), ...(part.message ? [part.message] : [])].flatMap(allParts),
];

const isOther = (charset: string): boolean =>
  charset !== '' && !/^(?:utf-?8|us-ascii)$/i.test(charset) && isKnownCharset(charset);

/** The ids that bodies in HTML name. */
function namedIds(parts: readonly MimePart[]): ReadonlySet<string> {
  const ids = parts
    .filter(({ type }) => type === 'text/html')
    .flatMap((part) => [
      ...bytesOf(part)
        .toString('latin1')
        .matchAll(/cid:([^"'\s>)]{1,500})/gi),
    ]);
  return new Set(ids.map(([, id = '']) => id));
}

const bytesOf = (part: MimePart): Buffer => decodeTransfer(part.body, encodingOf(part));

function textOf(part: MimePart): string {
  const { type, params } = part;
  const text = decodeText(bytesOf(part), params.get('charset') ?? '', type === 'text/html');
  const isFlowed = type === 'text/plain' && /^flowed$/i.test(params.get('format') ?? '');
  return isFlowed ? joinFlowedLines(text, /^yes$/i.test(params.get('delsp') ?? '')) : text;
}

function isLooseImage(part: MimePart, named: ReadonlySet<string>): boolean {
  const id = bareContentId(headerBytes(part, 'content-id')) ?? '';
  const isNamed = named.has(id) || named.has(encodeURIComponent(id));
  return SHOWN_IMAGE.test(part.type) && dispositionOf(part) === 'inline' && !isNamed;
}

function mailFile(part: MimePart, isRelated: boolean, index: number, charset: string): MailFile {
  const parameter = (header: string, name: string) => parametersOf(headerOf(part, header, charset)).get(name);
  const given = parameter('content-disposition', 'filename') || parameter('content-type', 'name') || '';
  const { type } = part;
  const contentId = bareContentId(headerOf(part, 'content-id', charset));
  return {
    name: headerText(decodeWords(given)) || `${nameless(type)}-${index + 1}${EXTENSIONS[type] ?? ''}`,
    mediaType: type,
    // Invitations are read further on, as UTF-8.
    bytes: /^(?:text\/calendar|application\/ics)$/.test(type) ? Buffer.from(textOf(part)) : bytesOf(part),
    contentId,
    inline: dispositionOf(part) === 'inline' || (isRelated && contentId !== undefined),
  };
}

const nameless = (type: string): string =>
  type === 'message/rfc822' ? 'message' : type === 'text/calendar' ? 'invitation' : 'attachment';

const EXTENSIONS: Record<string, string> = lookup({
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
});

const asHtml = ({ plain, html }: Body): string[] =>
  html.length > 0
    ? html
    : plain.map((text) => `<div>${escapeHtml(text.trim()).replaceAll('\n', '<br>')}</div>`);

const rowsOf = ({ from, subject, date, to, cc, bcc }: MessageHead): [string, string][] =>
  Object.entries({ From: from, Subject: subject, Date: date, To: to, Cc: cc, Bcc: bcc }).filter(
    ([, value]) => value !== '',
  );

const LONGEST_RULE = 80;

function headAsText(head: MessageHead): string {
  const lines = rowsOf(head).map(([label, value]) => `${`${label}:`.padEnd(9)}${value}`);
  const rule = '-'.repeat(Math.min(LONGEST_RULE, Math.max(0, ...lines.map(({ length }) => length))));
  return ['', rule, ...lines, rule].join('\n');
}

const headAsHtml = (head: MessageHead): string =>
  `<div class="inner-head">${rowsOf(head)
    .map(
      ([label, value]) =>
        `<div class="inner-head-row"><div class="inner-head-label">${label}</div><div>${linked(escapeHtml(value))}</div></div>`,
    )
    .join('\n')}</div>`;

const linked = (html: string): string =>
  html.replace(/[^\s<>&;:,"]+@[^\s<>&;:,"]+/g, '<a href="mailto:$&">$&</a>');
