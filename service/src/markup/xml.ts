// XML that callers send or programs answer, read tolerantly: what is not closed is closed at the end, unknown entities
// stay as they are. Document types are passed over, so that nothing outside is read and nothing grows. Metadata and
// forms of PDFs, which are written back byte by byte, are read by `pdf/metadata/xml-tree.ts`.
import { decodeHTMLStrict } from 'entities';
import { Parser } from 'htmlparser2';
import { Problem } from '../contract/problems.ts';
import { firstElementAt } from '../contract/xml-prolog.ts';

export interface XmlElement {
  /** Without prefix. */
  name: string;
  /** By name without prefix. */
  attributes: Map<string, string>;
  children: (XmlElement | string)[];
}

const MAX_DEPTH = 400;

export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: new Map(), children: [] };
  const open: XmlElement[] = [root];
  let isData = false;
  const top = (): XmlElement => open.at(-1) ?? root;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > MAX_DEPTH)
          throw new Problem(
            'unsupported_file_type',
            `The file has XML with elements nested more than ${MAX_DEPTH} deep.`,
          );
        const element = { name: localName(name), attributes: ownAttributes(attributes), children: [] };
        top().children.push(element);
        open.push(element);
      },
      onclosetag: () => open.pop(),
      oncdatastart: () => {
        isData = true;
      },
      oncdataend: () => {
        isData = false;
      },
      ontext: (words) => top().children.push(isData ? words : decodeHTMLStrict(words)),
    },
    // Entities are decoded here, by the names of HTML: books use them, and XML knows only five.
    { xmlMode: true, decodeEntities: false },
  );
  parser.end(text.slice(Math.max(0, firstElementAt(text))));
  return root;
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

const ownAttributes = (attributes: Record<string, string>): Map<string, string> =>
  new Map(
    Object.entries(attributes)
      .filter(([name]) => !name.startsWith('xmlns'))
      .map(([name, value]) => [localName(name), decodeHTMLStrict(value)]),
  );

export const isElement = (node: XmlElement | string): node is XmlElement => typeof node !== 'string';

export const childrenOf = (element: XmlElement | undefined, name?: string): XmlElement[] =>
  (element?.children ?? []).filter(isElement).filter((child) => name === undefined || child.name === name);

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  childrenOf(element, name)[0];

/** All elements below, in order. */
export function* below(element: XmlElement | undefined): Generator<XmlElement> {
  for (const child of childrenOf(element)) {
    yield child;
    yield* below(child);
  }
}

export function find(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const each of below(element)) if (each.name === name) return each;
  return undefined;
}

export const textOf = (element: XmlElement | undefined): string =>
  (element?.children ?? [])
    .map((child) => (isElement(child) ? textOf(child) : child))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
