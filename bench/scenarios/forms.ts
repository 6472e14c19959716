import type { Scenario } from '../scenario.ts';

const FORM = 'fixtures/everything.pdf';

// No program fills a form by itself; qpdf draws the fields of one anew, which is the larger part of the work.
export const forms: Scenario[] = [
  {
    name: 'fill a form, Latin text',
    op: 'form/fill',
    files: { fileInput: [FORM] },
    params: { data: '{"name":"Augusta Ada King","agreed":false}' },
    rival: { program: 'qpdf', args: ['--generate-appearances', FORM, '{out}'] },
    requests: 300,
    connections: 8,
    goals: { throughputRatio: 1.5, medianMs: 15 },
  },
  {
    name: 'fill a form, any script',
    op: 'form/fill',
    files: { fileInput: [FORM] },
    params: { data: '{"name":"Ада Лавлейс 你好 שלום"}' },
    rival: { program: 'qpdf', args: ['--generate-appearances', FORM, '{out}'] },
    requests: 200,
    connections: 8,
  },
  {
    name: 'flatten, 4 pages',
    op: 'misc/flatten',
    files: { fileInput: [FORM] },
    params: {},
    rival: {
      program: 'qpdf',
      args: ['--generate-appearances', '--flatten-annotations=all', FORM, '{out}'],
    },
    requests: 300,
    connections: 8,
  },
];
