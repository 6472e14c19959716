import type { Scenario } from '../scenario.ts';

const SMALL = 'fixtures/text-two-pages.pdf';

export const geometry: Scenario[] = [
  {
    name: 'two pages on one sheet',
    op: 'general/multi-page-layout',
    files: { fileInput: [SMALL] },
    params: {},
    rival: {
      program: 'gs',
      args: [
        ...['-q', '-dSAFER', '-sDEVICE=pdfwrite', '-sPAPERSIZE=a4', '-dFIXEDMEDIA', '-sNupControl=2x1'],
        ...['-o', '{out}', SMALL],
      ],
    },
    requests: 200,
    connections: 8,
    goals: { throughputRatio: 2, medianMs: 15 },
  },
  {
    name: 'sections, 2 pages in 4 pieces each',
    op: 'general/split-pdf-by-sections',
    files: { fileInput: [SMALL] },
    params: { horizontalDivisions: '1' },
    rival: { program: 'mutool', args: ['poster', '-x', '2', '-y', '2', SMALL, '{out}'] },
    requests: 200,
    connections: 8,
    goals: { throughputRatio: 2, medianMs: 15 },
  },
  {
    name: 'crop, content outside removed, 2 pages',
    op: 'general/crop',
    files: { fileInput: [SMALL] },
    params: { x: '50', y: '50', width: '400', height: '500' },
    // Draws the pages anew, clipped: what lies outside may still be in the file.
    rival: {
      program: 'pdftocairo',
      args: [
        ...['-pdf', '-x', '50', '-y', '292', '-W', '400', '-H', '500'],
        ...['-paperw', '400', '-paperh', '500', SMALL, '{out}'],
      ],
    },
    requests: 200,
    connections: 8,
    goals: { throughputRatio: 2, medianMs: 40 },
  },
];
