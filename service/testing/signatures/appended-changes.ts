// A document with a form, and what somebody may append to it after it was signed.
import type { LaterChange } from '../../src/pdf/security/revision-change.ts';
import { onePage, streamOf } from '../documents/written-pdf.ts';

const catalog = (more = '', fields = '', form = '', root = '/Pages 2 0 R'): string =>
  `<< /Type /Catalog ${root} /OCProperties << /OCGs [11 0 R] /D << /ON [11 0 R] >> >> /AcroForm << /SigFlags 3 /Fields [6 0 R 7 0 R 8 0 R 12 0 R ${fields}] ${form || '/DR << /Font << /F1 5 0 R >> >>'} /DA (/F1 9 Tf) >> ${more} >>`;
const page = ({
  contents = '4 0 R',
  annots = '',
  resources = '/Font << /F1 5 0 R >> /XObject << /Cover 10 0 R >>',
  more = '',
} = {}): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents} /Resources << ${resources} >> /Annots [6 0 R 7 0 R 8 0 R 9 0 R 17 0 R ${annots}] ${more} >>`;
export const field = (title: string, more: string): string =>
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${title}) /P 3 0 R /Rect [50 500 150 520] /F 4 ${more} >>`;
const font = (base: string): string => `<< /Type /Font /Subtype /Type1 /BaseFont /${base} >>`;
const cover = (content: string): string =>
  streamOf(content, '/Type /XObject /Subtype /Form /BBox [0 0 300 300]');

/** The next objects, 16 and 17, become the signature and its field. */
export const plain = onePage({
  catalog: catalog().slice('<< /Type /Catalog /Pages 2 0 R'.length, -2).replace('/SigFlags 3', ''),
  page: '/Resources << /Font << /F1 5 0 R >> /XObject << /Cover 10 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R 9 0 R]',
  content: 'BT /F1 20 Tf 50 700 Td (You owe 10) Tj ET /Cover Do',
  more: [
    font('Helvetica'),
    field('name', ''),
    field('amount', '/V (10)'),
    field('approval', '').replace('/FT /Tx', '/FT /Sig'),
    '<< /Type /Annot /Subtype /Square /Rect [300 300 310 310] /C [1 0 0] >>',
    cover('1 g 0 0 200 200 re f'),
    '<< /Type /OCG /Name (Layer) >>',
    field('unseen', '/V (99)'),
    // Pages of another document, which lie hidden in this one.
    '<< /Type /Pages /Kids [14 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 13 0 R /MediaBox [0 0 612 792] /Contents 15 0 R >>',
    streamOf('0 0 612 792 re f'),
  ],
});

const signature = (subFilter = 'adbe.pkcs7.detached'): string =>
  `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${subFilter} /ByteRange [0 1 2 3] /Contents <00> >>`;
const newSignature = (rect: string, subFilter?: string): [number, string][] => [
  [1, catalog(PERMS, '17 0 R 31 0 R')],
  [3, page({ annots: '31 0 R' })],
  [30, signature(subFilter)],
  [
    31,
    `<< /Type /Annot /Subtype /Widget /FT /Sig /T (New) /V 30 0 R /P 3 0 R /F 4 /Rect [${rect}] /AP << /N 10 0 R >> >>`,
  ],
];
const emptyField = (rect: string, look = ''): [number, string][] =>
  newSignature(rect).flatMap(([number, text]): [number, string][] =>
    number === 30
      ? []
      : [
          [
            number,
            text.replace(/\/V 30 0 R|\/AP << \/N 10 0 R >>/g, (found) =>
              found.startsWith('/AP') ? look : '',
            ),
          ],
        ],
  );
const annotation = (subtype: string): [number, string][] => [
  [3, page({ annots: '30 0 R' })],
  [30, `<< /Type /Annot /Subtype /${subtype} /Rect [50 690 300 720] /P 3 0 R /Contents (You owe 99) >>`],
];
/** Stands for the permissions that the signed document has. */
export const PERMS = '%PERMS%';

export interface Case {
  what: string;
  /** Objects of the appended revision. */
  objects: [number, string][];
  kind: LaterChange;
  /** Which permissions allow it; 0 is none in so many words. */
  allowed: number[];
  page?: number;
  field?: string;
  /** Allowed by the standard though we warn of it. */
  lawful?: number[];
}

const NEVER: number[] = [];
const ALWAYS = [0, 1, 2, 3];

export const CASES: Case[] = [
  {
    what: 'a field is filled in',
    objects: [[6, field('name', '/V (Ada)')]],
    kind: 'form-fields',
    allowed: [0, 2, 3],
    page: 1,
    field: 'name',
  },
  {
    what: 'an empty field gets what is no signature',
    objects: [
      [8, field('approval', '/V 30 0 R').replace('/FT /Tx', '/FT /Sig')],
      [30, signature()],
    ],
    kind: 'signature',
    allowed: NEVER,
    page: 1,
    field: 'approval',
  },
  {
    what: 'what is no signature is added, hidden',
    objects: newSignature('0 0 0 0'),
    kind: 'signature',
    allowed: NEVER,
    field: 'New',
  },
  {
    what: 'sneaky signature: what is none is added and seen',
    objects: newSignature('50 600 300 720'),
    kind: 'signature',
    allowed: NEVER,
    page: 1,
    field: 'New',
  },
  {
    what: 'sneaky signature: written in its field',
    objects: newSignature('50 600 300 720').flatMap(([number, text]): [number, string][] =>
      number === 30 ? [] : [[number, text.replace('30 0 R', signature())]],
    ),
    kind: 'signature',
    allowed: NEVER,
    page: 1,
    field: 'New',
  },
  {
    what: 'sneaky signature: the one that is there, shown at another place',
    objects: newSignature('50 600 300 720').flatMap(([number, text]): [number, string][] =>
      number === 30 ? [] : [[number, text.replace('30 0 R', '16 0 R')]],
    ),
    kind: 'signature',
    allowed: NEVER,
    page: 1,
    field: 'New',
  },
  {
    what: 'sneaky signature: on a page, and not in the form',
    objects: newSignature('50 600 300 720').map(([number, text]): [number, string] => [
      number,
      number === 1 ? text.replace('17 0 R 31 0 R]', '17 0 R]') : text,
    ]),
    kind: 'signature',
    allowed: NEVER,
    page: 1,
    field: 'New',
  },
  {
    what: 'what is no document timestamp is added',
    objects: newSignature('0 0 0 0', 'ETSI.RFC3161'),
    kind: 'document-timestamp',
    allowed: NEVER,
    field: 'New',
  },
  {
    what: 'an empty field for a signature is added, hidden',
    objects: emptyField('0 0 0 0'),
    kind: 'signature',
    allowed: [0, 2, 3],
    field: 'New',
  },
  {
    what: 'an empty field for a signature is added and seen',
    objects: emptyField('50 600 300 720'),
    kind: 'signature',
    allowed: [0, 3],
    page: 1,
    field: 'New',
  },
  {
    what: 'an empty field for a signature is added that shows something',
    objects: emptyField('50 600 300 720', '/AP << /N 10 0 R >>'),
    kind: 'signature',
    allowed: NEVER,
    lawful: [3],
    page: 1,
    field: 'New',
  },
  {
    what: 'an empty field for a signature is added that a viewer is told to paint',
    objects: emptyField('50 600 300 720', '/MK << /BG [1 1 1] /CA (You owe 99) >>'),
    kind: 'signature',
    allowed: NEVER,
    lawful: [3],
    page: 1,
    field: 'New',
  },
  {
    what: 'proofs are added',
    objects: [
      [1, catalog(`/DSS << /Certs [30 0 R] >> ${PERMS}`, '17 0 R')],
      [30, streamOf('x')],
    ],
    kind: 'validation-data',
    allowed: ALWAYS,
  },
  {
    what: 'metadata are changed',
    objects: [
      [1, catalog(`/Metadata 30 0 R ${PERMS}`, '17 0 R')],
      [30, streamOf('<x/>', '/Type /Metadata /Subtype /XML')],
    ],
    kind: 'metadata',
    allowed: ALWAYS,
  },
  {
    what: 'a comment is added',
    objects: annotation('Circle'),
    kind: 'annotations',
    allowed: [0, 3],
    page: 1,
  },
  {
    what: 'evil annotation: FreeText',
    objects: annotation('FreeText'),
    kind: 'annotations',
    allowed: NEVER,
    page: 1,
    lawful: [3],
  },
  {
    what: 'evil annotation: Stamp',
    objects: annotation('Stamp'),
    kind: 'annotations',
    allowed: NEVER,
    page: 1,
    lawful: [3],
  },
  {
    what: 'evil annotation: Redact',
    objects: annotation('Redact'),
    kind: 'annotations',
    allowed: NEVER,
    page: 1,
    lawful: [3],
  },
  {
    what: 'a comment is taken away',
    objects: [[3, page().replace(' 9 0 R', '')]],
    kind: 'annotations',
    allowed: [3],
    page: 1,
  },
  {
    what: 'a comment is moved',
    objects: [[9, '<< /Type /Annot /Subtype /Square /Rect [50 690 300 720] /IC [1 1 1] >>']],
    kind: 'annotations',
    allowed: [3],
    page: 1,
  },
  {
    what: 'a comment becomes a stamp',
    objects: [[9, '<< /Type /Annot /Subtype /Stamp /Rect [50 690 300 720] >>']],
    kind: 'annotations',
    allowed: NEVER,
    page: 1,
    lawful: [3],
  },
  {
    what: 'incremental saving: other page content',
    objects: [[4, streamOf('0 0 612 400 re f')]],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'page content that became a list',
    objects: [
      [3, page({ contents: '[4 0 R 30 0 R]' })],
      [30, streamOf('0 0 612 400 re f')],
    ],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'page content that became an empty list',
    objects: [[3, page({ contents: '[]' })]],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'page content replaced by another type',
    objects: [
      [4, '[30 0 R]'],
      [30, streamOf('0 0 612 400 re f')],
    ],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'page content replaced by null',
    objects: [[4, 'null']],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'a smaller page',
    objects: [[3, page().replace('612 792', '612 100')]],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'shadow hide: what covered the page is taken away',
    objects: [[10, cover('')]],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'shadow hide: it is no longer among the resources',
    objects: [[3, page({ resources: '/Font << /F1 5 0 R >>' })]],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'shadow hide: a layer is switched off',
    objects: [[1, catalog(PERMS, '17 0 R').replace('/ON [11', '/OFF [11')]],
    kind: 'other',
    allowed: NEVER,
  },
  {
    what: 'shadow hide: a field that covered the page is hidden',
    objects: [[7, field('amount', '/V (10)').replace('/F 4', '/F 6')]],
    kind: 'form-fields',
    allowed: NEVER,
    field: 'amount',
  },
  {
    what: 'shadow replace: another font',
    objects: [[5, font('ZapfDingbats')]],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'shadow replace: another font of the form',
    objects: [
      [1, catalog(PERMS, '17 0 R', '/DR << /Font << /F1 30 0 R >> >>')],
      [30, font('ZapfDingbats')],
    ],
    kind: 'form-fields',
    allowed: NEVER,
  },
  {
    what: 'shadow hide and replace: another page tree',
    objects: [[1, catalog(PERMS, '17 0 R', '', '/Pages 13 0 R')]],
    kind: 'pages',
    allowed: NEVER,
  },
  {
    what: 'a page is added',
    objects: [
      [2, '<< /Type /Pages /Kids [3 0 R 30 0 R] /Count 2 >>'],
      [30, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'],
    ],
    kind: 'pages',
    allowed: NEVER,
    page: 2,
  },
  {
    what: 'a page is put before',
    objects: [
      [2, '<< /Type /Pages /Kids [30 0 R 3 0 R] /Count 2 >>'],
      [30, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'],
    ],
    kind: 'pages',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'attributes of the tree above the page',
    objects: [[2, '<< /Type /Pages /Kids [3 0 R] /Count 1 /Rotate 90 >>']],
    kind: 'page-content',
    allowed: NEVER,
    page: 1,
  },
  {
    what: 'a field is added',
    objects: [
      [1, catalog(PERMS, '17 0 R 30 0 R')],
      [3, page({ annots: '30 0 R' })],
      [30, field('extra', '/V (99)')],
    ],
    kind: 'form-fields',
    allowed: NEVER,
    page: 1,
    field: 'extra',
  },
  {
    what: 'a widget that no form knows is added',
    objects: [
      [3, page({ annots: '30 0 R' })],
      [30, field('extra', '/V (99)')],
    ],
    kind: 'form-fields',
    allowed: NEVER,
    page: 1,
    field: 'extra',
  },
  {
    what: 'a field is taken away',
    objects: [
      [1, catalog(PERMS, '17 0 R').replace('7 0 R', '')],
      [3, page().replace('7 0 R', '')],
    ],
    kind: 'form-fields',
    allowed: NEVER,
    field: 'amount',
  },
  {
    what: 'a field that no page shows is put on one',
    objects: [[3, page({ annots: '12 0 R' })]],
    kind: 'form-fields',
    allowed: NEVER,
    page: 1,
    field: 'unseen',
  },
  {
    what: 'a field is moved',
    objects: [[7, field('amount', '/V (10)').replace('50 500', '50 400')]],
    kind: 'form-fields',
    allowed: NEVER,
    page: 1,
    field: 'amount',
  },
  {
    what: 'a field becomes another kind',
    objects: [[7, field('amount', '/V (10)').replace('/Tx', '/Btn')]],
    kind: 'form-fields',
    allowed: NEVER,
    page: 1,
    field: 'amount',
  },
  {
    what: 'the appearance of the signature is changed',
    objects: [
      [
        17,
        '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /V 16 0 R /P 3 0 R /F 132 /Rect [0 0 300 300] /AP << /N 10 0 R >> >>',
      ],
    ],
    kind: 'signature',
    allowed: NEVER,
    field: 'Signature1',
  },
  {
    what: 'a file is attached',
    objects: [
      [
        1,
        catalog(
          `/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a) >>] >> >> ${PERMS}`,
          '17 0 R',
        ),
      ],
    ],
    kind: 'attachments',
    allowed: NEVER,
  },
  {
    what: 'a script is added',
    objects: [[1, catalog(`/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> ${PERMS}`, '17 0 R')]],
    kind: 'other',
    allowed: NEVER,
  },
];
