import type { Scenario } from '../scenario.ts';

const INVOICE = 'fixtures/invoice.html';

export const pages: Scenario[] = [
  {
    name: 'html/pdf, a small page',
    op: 'convert/html/pdf',
    files: { fileInput: [INVOICE] },
    params: {},
    rival: {
      program: 'chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--print-to-pdf={out}', INVOICE],
    },
    requests: 80,
    connections: 4,
    goals: { throughputRatio: 5, perSecond: 10 },
  },
  {
    name: 'markdown/pdf, the readme of the fixtures',
    op: 'convert/markdown/pdf',
    files: { fileInput: ['fixtures/README.md'] },
    params: {},
    rival: null,
    requests: 40,
    connections: 4,
    goals: { perSecond: 5 },
  },
];
