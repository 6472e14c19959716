// What the headers of a message say: who wrote to whom, when, about what. Encoded words (RFC 2047) and lists of
// addresses (RFC 5322) are postal-mime's.
import { isUtf8 } from 'node:buffer';
import { type Address, addressParser, decodeWords } from 'postal-mime';
import { decodeTransfer, decodeUtf7 } from './mail-text.ts';
import { headerText, type Message } from './message.ts';
import { headerBytes, headerValue, type MimePart } from './mime-parts.ts';

export type MessageHead = Pick<Message, 'subject' | 'from' | 'to' | 'cc' | 'bcc' | 'date'>;

/** Headers that say nothing of their characters are of `charset`, unless they are UTF-8. */
export function readHead(part: MimePart, charset: string): MessageHead {
  const valuesOf = (wanted: string): string[] =>
    part.headers.filter(({ name }) => name === wanted).map((each) => plainValue(headerValue(each), charset));
  const people = (name: string): string =>
    listed(valuesOf(name).flatMap((value) => addressParser(value).filter(Boolean)));
  const writer = [...valuesOf('from').slice(0, 1), ...valuesOf('sender').slice(0, 1)]
    .map((value) => addressParser(value)[0])
    .find(Boolean);
  return {
    subject: headerText(decodeWords(valuesOf('subject')[0] ?? '')),
    from: listed(writer ? [writer] : []),
    to: people('to'),
    cc: people('cc'),
    bcc: people('bcc'),
    date: headerText(valuesOf('date')[0]),
  };
}

/** As it was meant, for parameters that may hold encoded words. */
export const headerOf = (part: MimePart, name: string, charset: string): string =>
  plainValue(headerBytes(part, name), charset);

const WORD_IN_UTF7 = /=\?(?:unicode-1-1-)?utf-?7\?([qb])\?([^?]*)\?=/gi;

function plainValue(value: string, charset: string): string {
  const bytes = Buffer.from(value, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString() : new TextDecoder(charset).decode(bytes);
  return text.replace(WORD_IN_UTF7, (_, coding: string, word: string) => {
    const inner =
      coding.toLowerCase() === 'b'
        ? decodeTransfer(Buffer.from(word), 'base64')
        : decodeTransfer(Buffer.from(word.replaceAll('_', '=20')), 'quoted-printable');
    return decodeUtf7(inner.toString('latin1')).replace(/[\r\n]/g, ' ');
  });
}

const listed = (list: readonly Address[]): string => headerText(list.map(person).filter(Boolean).join(', '));

function person(given: Address): string {
  if (given.group) return `${given.name}: ${given.group.map(person).join(', ')};`;
  if (!given.name) return given.address ?? '';
  return given.address ? `${given.name} <${given.address}>` : given.name;
}
