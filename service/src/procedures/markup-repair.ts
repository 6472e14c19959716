// Drawings cut out of web pages: there prefixes need no declaration, and characters have more names than in XML.
import { lookup } from '../contract/lookup.ts';
import { firstElementAt } from '../contract/xml-prolog.ts';

const USED = /[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*(?=[\s=/>])/g;
const DECLARED = /\sxmlns:([\w.-]+)\s*=/g;
const ROOT = /^<(?:[\w.-]+:)?svg(?=[\s/>])/;
const XLINK = 'http://www.w3.org/1999/xlink';
const MAX_PREFIXES = 50;
const NAMED: Record<string, number> = lookup({
  nbsp: 160,
  copy: 169,
  laquo: 171,
  shy: 173,
  reg: 174,
  deg: 176,
  plusmn: 177,
  middot: 183,
  raquo: 187,
  times: 215,
  ndash: 8211,
  mdash: 8212,
  lsquo: 8216,
  rsquo: 8217,
  ldquo: 8220,
  rdquo: 8221,
  bull: 8226,
  hellip: 8230,
  euro: 8364,
  trade: 8482,
  rarr: 8594,
});

/** Undefined where there is nothing of that kind to repair. */
export function repairMarkup(svg: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(svg.buffer, svg.byteOffset, svg.length).toString('latin1');
  const start = firstElementAt(text);
  const [root = ''] = start < 0 ? [] : (ROOT.exec(text.slice(start, start + 100)) ?? []);
  if (root === '') return undefined;
  const declared = prefixes(text, DECLARED);
  const added = [...prefixes(text, USED)]
    .filter((prefix) => !declared.has(prefix) && !/^xml/i.test(prefix))
    .slice(0, MAX_PREFIXES)
    .map((prefix) => ` xmlns:${prefix}="${prefix === 'xlink' ? XLINK : `urn:x-undeclared:${prefix}`}"`);
  const rest = text
    .slice(start + root.length)
    .replace(/&(\w{1,10});/g, (whole, name: string) =>
      Object.hasOwn(NAMED, name) ? `&#${NAMED[name]};` : whole,
    );
  const repaired = `${text.slice(0, start)}${root}${added.join('')}${rest}`;
  return repaired === text ? undefined : Buffer.from(repaired, 'latin1');
}

const prefixes = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(pattern), ([, prefix = '']) => prefix));
