import type { Scenario } from '../scenario.ts';

const EVERYTHING = 'fixtures/everything.pdf';
const TYPE1 = 'fixtures/type1-fonts.pdf';

/** What is usually typed; its result is not validated, and rarely valid without a prologue of one's own. */
const GHOSTSCRIPT = [
  '-dPDFA=2',
  '-dBATCH',
  '-dNOPAUSE',
  '-dQUIET',
  '-sColorConversionStrategy=RGB',
  '-sDEVICE=pdfwrite',
  '-dPDFACompatibilityPolicy=1',
  '-sOutputFile={out}',
];

export const archiving: Scenario[] = [
  {
    name: 'pdfa-2b, four pages, validated, against gs',
    op: 'convert/pdf/pdfa',
    files: { fileInput: [EVERYTHING] },
    params: {},
    rival: { program: 'gs', args: [...GHOSTSCRIPT, EVERYTHING] },
    requests: 30,
    connections: 4,
  },
  {
    name: 'pdfa-2b, Type 1 fonts, validated, against gs',
    op: 'convert/pdf/pdfa',
    files: { fileInput: [TYPE1] },
    params: {},
    rival: { program: 'gs', args: [...GHOSTSCRIPT, TYPE1] },
    requests: 30,
    connections: 4,
  },
  {
    name: 'pdfa-2b, four pages, against ocrmypdf without OCR',
    op: 'convert/pdf/pdfa',
    files: { fileInput: [TYPE1] },
    params: {},
    rival: {
      program: 'ocrmypdf',
      args: ['--quiet', '--skip-text', '--output-type', 'pdfa-2', '--optimize', '0', TYPE1, '{out}'],
    },
    requests: 12,
    connections: 2,
  },
];
