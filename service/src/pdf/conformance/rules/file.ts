// Rules of the file itself: header, trailer, cross-references, strings, streams, limits.
import { Name, type PdfObject, PdfString, Stream } from '../../objects.ts';
import type { SyntaxFault } from '../file/raw-syntax.ts';
import type { Part } from '../standards.ts';
import type { Subject } from '../validation-context.ts';
import { FILTER_RULES } from './filters.ts';
import type { Rule } from './rule.ts';

const FILE = 'file';

export const FILE_RULES: readonly Rule[] = [
  {
    at: { 1: '6.1.2-1', 2: '6.1.2-1', 4: '6.1.2-1', ua1: '6.1-1' },
    message: 'The file begins with a header %PDF-n.m of a version the part allows.',
    *find({ raw }, { part }) {
      const forms: Record<Part, RegExp> = {
        1: /^%PDF-\d\.\d/,
        2: /^%PDF-1\.[0-7]$/,
        3: /^%PDF-1\.[0-7]$/,
        4: /^%PDF-2\.\d$/,
        ua1: /^%PDF-1\.[0-7]$/,
        ua2: /^%PDF-2\.\d$/,
      };
      if ((part !== 'ua1' && raw.headerOffset > 0) || !forms[part].test(raw.header)) yield FILE;
    },
  },
  {
    at: { 1: '6.1.2-2', 2: '6.1.2-2', 4: '6.1.2-2' },
    message: 'The header is followed by a comment of at least four bytes above 127.',
    *find({ raw }) {
      if (!raw.hasBinaryMark) yield FILE;
    },
  },
  {
    at: { 1: '6.1.3-1', 2: '6.1.3-1', 4: '6.1.3-1' },
    message: 'The trailer has an ID.',
    *find(subject, { part }) {
      const held = subject.raw.chain.sections[0]?.trailer.get('ID') ?? subject.doc.trailer.get('ID');
      // Part 1 does not say that it must not be empty.
      const isThere = part === 1 ? subject.doc.array(held) : idOf(subject, held);
      if (isThere === undefined) yield 'trailer';
    },
  },
  {
    at: { 1: '6.1.3-2', 2: '6.1.3-2', 4: '6.1.3-2' },
    message: 'The file is not encrypted.',
    *find({ isEncrypted }) {
      if (isEncrypted) yield 'trailer';
    },
  },
  {
    at: { 1: '6.1.3-3', 2: '6.1.3-3', 4: '6.1.3-3' },
    message: 'Nothing but one end of line follows the last end-of-file marker.',
    *find({ raw }) {
      if (raw.bytesAfterEnd > 0) yield FILE;
    },
  },
  {
    at: { 1: '6.1.3-4' },
    message: 'In a linearized file both trailers have the same ID.',
    *find(subject) {
      const { raw } = subject;
      const ids = raw.chain.sections.map(({ trailer }) => idOf(subject, trailer.get('ID')));
      const [first, last] = [ids[0], ids.at(-1)];
      if (raw.isLinearized && last !== undefined && first !== last) yield 'trailer';
    },
  },
  {
    at: { 4: '6.1.3-4' },
    message: 'An Info entry stands in the trailer only where the document has PieceInfo.',
    *find({ doc }) {
      if (doc.trailer.has('Info') && !doc.catalog.has('PieceInfo')) yield 'trailer';
    },
  },
  {
    at: { 4: '6.1.3-5' },
    message: 'An information dictionary holds nothing but ModDate.',
    *find({ doc }) {
      const info = doc.dict(doc.trailer.get('Info'));
      if (info && (info.size !== 1 || !info.has('ModDate'))) yield 'trailer, Info';
    },
  },
  {
    at: { 1: '6.1.4-1' },
    message: 'The two numbers of a subsection header in the cross-reference table are parted by one space.',
    *find({ raw }) {
      for (const section of raw.chain.sections) if (section.looseHeaders) yield `byte ${section.at}`;
    },
  },
  {
    at: { 1: '6.1.4-2', 2: '6.1.4-2', 4: '6.1.4-1' },
    message: 'The word xref and the first subsection header are parted by one end of line.',
    *find({ raw }) {
      for (const section of raw.chain.sections) if (section.looseStart) yield `byte ${section.at}`;
      if (!raw.chain.sound) yield 'cross-references that cannot be followed';
    },
  },
  {
    at: { 1: '6.1.4-3' },
    message: 'There are no cross-reference streams.',
    *find({ raw }) {
      for (const section of raw.chain.sections) if (section.isStream) yield `byte ${section.at}`;
    },
  },
  {
    at: { 1: '6.1.6-1', 2: '6.1.6-1', 4: '6.1.5-1' },
    message: 'Hexadecimal strings have an even number of digits.',
    find: (subject) => syntaxFaults(subject, 'odd-hex', () => true),
  },
  {
    at: { 1: '6.1.6-2', 2: '6.1.6-2', 4: '6.1.5-2' },
    message: 'Hexadecimal strings hold nothing but digits and white space.',
    find: (subject) => syntaxFaults(subject, 'bad-hex', () => true),
  },
  {
    at: { 1: '6.1.7-1', 2: '6.1.7.1-1', 4: '6.1.6.1-1' },
    message: 'Length tells how many bytes a stream has.',
    find: ({ raw }) => raw.wrongLengths,
  },
  {
    at: { 1: '6.1.7-2', 2: '6.1.7.1-2' },
    message: 'The words stream and endstream are set off by ends of line.',
    find: ({ raw }) => raw.looseStreams,
  },
  {
    at: { 1: '6.1.7-3', 2: '6.1.7.1-3', 4: '6.1.6.1-2' },
    message: 'Streams have neither F nor FFilter nor FDecodeParms: their data is in the file.',
    *find({ objects }) {
      for (const { object, where } of objects) {
        if (!(object instanceof Stream)) continue;
        if (['F', 'FFilter', 'FDecodeParms'].some((key) => object.dict.has(key))) yield where;
      }
    },
  },
  {
    at: { 1: '6.1.8-1', 2: '6.1.9-1', 4: '6.1.8-1' },
    message: 'Object number, generation, obj and endobj are parted as the standard asks.',
    find: ({ raw }) => raw.looseObjects,
  },
  ...FILTER_RULES,
  {
    at: { 1: '6.1.12-1', 2: '6.1.13-1' },
    message: 'Integers lie between -2147483648 and 2147483647.',
    find: (subject) => syntaxFaults(subject, 'integer', () => true),
  },
  {
    at: { 1: '6.1.12-2', 2: '6.1.13-2' },
    message: 'Real numbers lie within what readers can hold.',
    find: (subject, { part }) =>
      syntaxFaults(subject, 'real', (value) => Math.abs(value) > (part === 1 ? 32_767 : 3.403e38)),
  },
  {
    at: { 2: '6.1.13-5' },
    message: 'Real numbers other than 0 are not nearer to it than 1.175e-38.',
    find: (subject) => syntaxFaults(subject, 'tiny-real', () => true),
  },
  {
    at: { 1: '6.1.12-3', 2: '6.1.13-3' },
    message: 'Strings are not longer than 65535 bytes (part 1) or 32767 bytes.',
    find: (subject, { part }) =>
      syntaxFaults(subject, 'string', (length) => length > (part === 1 ? 65_535 : 32_767)),
  },
  {
    at: { 1: '6.1.12-4', 2: '6.1.13-4' },
    message: 'Names are not longer than 127 bytes.',
    find: (subject) => syntaxFaults(subject, 'name', () => true),
  },
  {
    at: { 1: '6.1.12-5' },
    message: 'Arrays hold at most 8191 items.',
    find: (subject) => syntaxFaults(subject, 'array', () => true),
  },
  {
    at: { 1: '6.1.12-6' },
    message: 'Dictionaries hold at most 4095 entries.',
    find: (subject) => syntaxFaults(subject, 'dict', () => true),
  },
  {
    at: { 1: '6.1.12-7', 2: '6.1.13-7' },
    message: 'The file has at most 8388607 objects.',
    *find({ raw }) {
      if (raw.refs.length > 8_388_607) yield FILE;
    },
  },
  {
    at: { 4: '6.1.12-1' },
    message: 'A Version entry of the catalog is 2.n.',
    *find({ doc }) {
      const version = doc.resolve(doc.catalog.get('Version'));
      if (version !== null && !(version instanceof Name && /^2\.\d$/.test(version.value))) yield 'catalog';
    },
  },
];

function idOf({ doc }: Subject, value: PdfObject | undefined): string | undefined {
  const parts = doc.array(value as never);
  const text = parts?.map((part) => {
    const held = doc.resolve(part);
    return held instanceof PdfString ? Buffer.from(held.bytes).toString('hex') : '';
  });
  return text?.length === 2 && text.every((part) => part !== '') ? text.join(' ') : undefined;
}

function* syntaxFaults(
  { raw, drawn }: Subject,
  fault: SyntaxFault,
  isWrong: (value: number) => boolean,
): Iterable<string> {
  for (const found of raw.faults) if (found.fault === fault && isWrong(found.value)) yield found.where;
  for (const found of drawn.syntax) if (found.fault === fault && isWrong(found.value)) yield found.where;
}
