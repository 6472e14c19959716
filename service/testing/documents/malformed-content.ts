// Content streams that are no sound PDF, and what is drawn of them: the same, whoever reads them.
import { streamOf } from './written-pdf.ts';

export interface MalformedContent {
  what: string;
  content: string;
  /** Strings that are shown, with where each begins. */
  texts: [text: string, x: number, y: number][];
  /** Where images are drawn: lower-left corner and width. */
  images: [x: number, y: number, width: number][];
  /** The image is written in the content. */
  isInline?: boolean;
  /** The text is shown in a font that the resources lack. */
  lacksFont?: boolean;
}

/** Forms that draw one another, each the next; the last of them draws text. */
const CHAIN = 60;
const FIRST_OF_CHAIN = 20;
/** Forms within each other that are followed. */
const FOLLOWED = 50;

const RESOURCES = `/Resources << /Font << /F 5 0 R >>
  /XObject << /Im 6 0 R /Fm 7 0 R /Self 8 0 R /There 9 0 R /NoStream 11 0 R /Other 12 0 R /Gone 99 0 R
    /TooDeep ${FIRST_OF_CHAIN} 0 R /Deep ${FIRST_OF_CHAIN + CHAIN - FOLLOWED} 0 R >>
  /ExtGState << /GS << /LW 3 >> >> >>`;

const form = (content: string, entries = ''): string =>
  streamOf(content, `/Type /XObject /Subtype /Form /BBox [-1000 -1000 1000 1000] ${entries} ${RESOURCES}`);

/** Entries of the page, and the objects from 5 on. */
export const MALFORMED_PAGE = {
  page: RESOURCES,
  more: [
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    streamOf(
      '\u0080',
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    ),
    form('BT /F 10 Tf 5 5 Td (form) Tj ET', '/Matrix [1 0 0 1 100 100]'),
    form('BT /F 10 Tf 1 1 Td (once) Tj ET /Self Do'),
    form('BT /F 10 Tf 2 2 Td (there) Tj ET /Again Do').replace('/Im 6 0 R', '/Im 6 0 R /Again 10 0 R'),
    form('BT /F 10 Tf 3 3 Td (back) Tj ET /There Do'),
    '<< /Subtype /Form >>',
    streamOf('BT /F 10 Tf (never) Tj ET', '/Type /XObject /Subtype /PS'),
    ...Array(FIRST_OF_CHAIN - 13).fill('null'),
    ...Array.from({ length: CHAIN }, (_, index) =>
      index === CHAIN - 1
        ? form('BT /F 10 Tf 4 4 Td (deepest) Tj ET')
        : form('/Next Do').replace('/Im 6 0 R', `/Im 6 0 R /Next ${FIRST_OF_CHAIN + index + 1} 0 R`),
    ),
  ],
};

const shown = (text: string): string => `BT /F 10 Tf 10 20 Td (${text}) Tj ET`;

export const MALFORMED_CONTENTS: readonly MalformedContent[] = [
  {
    what: 'Q without q does nothing',
    content: `Q Q 2 0 0 2 0 0 cm Q ${shown('a')} /Im Do`,
    texts: [['a', 20, 40]],
    images: [[0, 0, 2]],
  },
  {
    what: 'q without Q ends with the stream',
    content: `q 2 0 0 2 0 0 cm q ${shown('a')} Q ${shown('b')}`,
    texts: [
      ['a', 20, 40],
      ['b', 20, 40],
    ],
    images: [],
  },
  {
    what: 'q and Q between BT and ET restore the state, not the place in the line',
    content: 'BT /F 10 Tf 10 20 Td q 20 TL /F 5 Tf 5 0 Td (a) Tj Q (b) Tj T* (c) Tj ET',
    texts: [
      ['a', 15, 20],
      ['b', 17.78, 20],
      ['c', 15, 20],
    ],
    images: [],
  },
  {
    what: 'BT that q encloses, ended behind Q',
    content: 'q 2 0 0 2 0 0 cm BT /F 10 Tf 10 20 Td (a) Tj Q /F 10 Tf 1 1 Td (b) Tj ET',
    texts: [
      ['a', 20, 40],
      ['b', 11, 21],
    ],
    images: [],
  },
  {
    what: 'an operator without all its operands does nothing',
    content: 'q 3 0 0 3 cm 5 Td /Im Do Q BT /F 10 Tf 10 20 Td 7 Td /F Tf 9 Tm Td (a) Tj ET',
    texts: [['a', 10, 20]],
    images: [[0, 0, 1]],
  },
  {
    what: 'an operator with operands of another kind does nothing',
    content:
      'q /A /B 0 3 0 0 cm /Im Do Q 6 Do BT /F 10 Tf 10 20 Td (x) 20 Td 4 Tj /F Tj (c) TJ [(d)] Tj (a) Tj ET',
    texts: [['a', 10, 20]],
    images: [[0, 0, 1]],
  },
  {
    what: 'of too many operands the last count',
    content: 'q 9 9 2 0 0 2 0 0 cm /No /Im Do Q BT /None /F 10 Tf 7 10 20 Td (no) (a) Tj ET',
    texts: [['a', 10, 20]],
    images: [[0, 0, 2]],
  },
  {
    what: 'operators that are none do nothing and take their operands away',
    content: `(gone) foo 5 5 bar BX 1 2 baz EX ${shown('a')}`,
    texts: [['a', 10, 20]],
    images: [],
  },
  {
    what: 'names without a resource draw nothing, and a font that is missing is Helvetica',
    content: '/None Do /None gs /None sh /None cs BT /None 10 Tf 10 20 Td (ab) Tj (c) Tj ET',
    texts: [
      ['ab', 10, 20],
      ['c', 21.12, 20],
    ],
    images: [],
    lacksFont: true,
  },
  {
    what: 'resources that are no streams, lead nowhere or are of another kind draw nothing',
    content: `/NoStream Do /Gone Do /Other Do /GS Do ${shown('a')}`,
    texts: [['a', 10, 20]],
    images: [],
  },
  {
    what: 'a form draws in its own coordinates',
    content: '2 0 0 2 0 0 cm /Fm Do',
    texts: [['form', 210, 210]],
    images: [],
  },
  { what: 'a form within itself is drawn once', content: '/Self Do', texts: [['once', 1, 1]], images: [] },
  {
    what: 'forms that draw each other are each drawn once',
    content: '/There Do',
    texts: [
      ['there', 2, 2],
      ['back', 3, 3],
    ],
    images: [],
  },
  {
    what: 'forms nested as deeply as may be are drawn',
    content: '/Deep Do',
    texts: [['deepest', 4, 4]],
    images: [],
  },
  { what: 'forms nested too deeply are not drawn', content: '/TooDeep Do', texts: [], images: [] },
  {
    what: 'an inline image that is cut short takes the rest',
    content: `${shown('a')} BI /W 4 /H 4 /CS /G /BPC 8 ID abc ${shown('b')}`,
    texts: [['a', 10, 20]],
    images: [[0, 0, 1]],
    isInline: true,
  },
  {
    what: 'marked content that is never ended, and ends of none',
    content: `EMC EMC /P BMC /Span <</MCID 0>> BDC ${shown('a')}`,
    texts: [['a', 10, 20]],
    images: [],
  },
  {
    what: 'lists and strings without end',
    content: `${shown('a')} BT /F 10 Tf [(b) 20 (c) TJ ET ${shown('d')} BT (e`,
    texts: [
      ['a', 10, 20],
      ['bc', 0, 0],
      ['d', 10, 20],
    ],
    images: [],
  },
];
