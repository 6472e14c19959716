import type { Scenario } from '../scenario.ts';

const SMALL = 'fixtures/text-two-pages.pdf';

export const structure: Scenario[] = [
  {
    name: 'page-count, 2 pages',
    op: 'analysis/page-count',
    files: { fileInput: [SMALL] },
    params: {},
    rival: { program: 'qpdf', args: ['--show-npages', SMALL] },
    requests: 400,
    connections: 8,
    goals: { throughputRatio: 2, medianMs: 10 },
  },
  {
    name: 'rotate, 2 pages',
    op: 'general/rotate-pdf',
    files: { fileInput: [SMALL] },
    params: { angle: '90' },
    rival: { program: 'qpdf', args: ['--rotate=+90', SMALL, '{out}'] },
    requests: 400,
    connections: 8,
    goals: { throughputRatio: 2, medianMs: 10 },
  },
  {
    name: 'merge two, 2 pages each',
    op: 'general/merge-pdfs',
    files: { fileInput: [SMALL, SMALL] },
    params: {},
    rival: { program: 'qpdf', args: ['--empty', '--pages', SMALL, SMALL, '--', '{out}'] },
    requests: 300,
    connections: 8,
    goals: { throughputRatio: 2, medianMs: 10 },
  },
];
