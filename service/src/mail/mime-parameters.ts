// Parameters of Content-Type and Content-Disposition (RFC 2045), also those in sections and in other characters
// (RFC 2231: `filename*0*=UTF-8''%e2%82%ac; filename*1=-rate.pdf`).
import { decoderNamed } from './code-pages.ts';

interface Section {
  number: number;
  text: string;
  isEncoded: boolean;
}

const LONGEST_HEADER = 10_000;
const PARAMETER = /;\s*([\w*.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;
const SECTIONED = /^([^*]+)\*(?:(\d{1,4})(\*?))?$/;

/** By their names in lower case; of several of one name the first, and before it what is written in sections. */
export function parametersOf(header: string): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  const sections = new Map<string, Section[]>();
  for (const [, key = '', quoted, plain = ''] of header.slice(0, LONGEST_HEADER).matchAll(PARAMETER)) {
    const text = quoted?.replace(/\\(.)/g, '$1') ?? withoutComments(plain);
    const [, name, number, star] = SECTIONED.exec(key.toLowerCase()) ?? [];
    if (name === undefined) {
      if (!params.has(key.toLowerCase())) params.set(key.toLowerCase(), text);
      continue;
    }
    const section = { number: Number(number ?? 0), text, isEncoded: number === undefined || star === '*' };
    sections.set(name, [...(sections.get(name) ?? []), section]);
  }
  for (const [name, list] of sections) params.set(name, joined(list));
  return params;
}

const withoutComments = (value: string): string => value.replace(/(?:^|\s)\([^()]*\)/g, '').trim();

function joined(sections: Section[]): string {
  sections.sort((one, other) => one.number - other.number);
  const [, charset, rest] =
    /^([^']*)'[^']*'(.*)$/.exec((sections[0]?.isEncoded && sections[0].text) || '') ?? [];
  let out = '';
  let encoded = '';
  for (const [index, { text, isEncoded }] of sections.entries()) {
    // A character may begin in one section and end in the next.
    if (isEncoded) encoded += index === 0 ? (rest ?? text) : text;
    else {
      out += decoded(encoded, charset) + text;
      encoded = '';
    }
  }
  return out + decoded(encoded, charset);
}

function decoded(text: string, charset: string | undefined): string {
  const bytes = Buffer.from(text)
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoderNamed(charset || 'utf-8').decode(Buffer.from(bytes, 'latin1'));
}
