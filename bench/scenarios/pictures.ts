import type { Scenario } from '../scenario.ts';

// Inputs that need no document of their own: a comic of two pages, drawings and messages are small fixtures.
const PHOTO = 'fixtures/photo.jpg';
const DRAWING = 'fixtures/drawing.svg';

export const pictures: Scenario[] = [
  {
    name: 'img/pdf, one photograph, page as large as its pixels',
    op: 'convert/img/pdf',
    files: { fileInput: [PHOTO] },
    params: { fitOption: 'fitDocumentToImage' },
    rival: { program: 'img2pdf', args: [PHOTO, '-o', '{out}'] },
    requests: 200,
    connections: 4,
    goals: { throughputRatio: 1 },
  },
  {
    name: 'svg/pdf, a small drawing',
    op: 'convert/svg/pdf',
    files: { fileInput: [DRAWING] },
    params: {},
    rival: { program: 'rsvg-convert', args: ['--format=pdf', '-o', '{out}', DRAWING] },
    requests: 200,
    connections: 4,
  },
  {
    name: 'cbz/pdf, a comic of two pages',
    op: 'convert/cbz/pdf',
    files: { fileInput: ['fixtures/comic.cbz'] },
    params: {},
    rival: null,
    requests: 200,
    connections: 4,
  },
];
