import { existsSync } from 'node:fs';
import type { Scenario } from '../scenario.ts';
import { hundredPages } from './hundred-pages.ts';

const SMALL = 'fixtures/text-two-pages.pdf';
const LONG = hundredPages(SMALL);
const BOOK = '../shared/corpus/pdf/mixed-sizes/pdfcpu__TheGoProgrammingLanguageCh1.pdf';

const text = (name: string, path: string, requests: number): Scenario => ({
  name,
  op: 'convert/pdf/text',
  files: { fileInput: [path] },
  params: {},
  rival: { program: 'pdftotext', args: ['-q', path, '{out}'] },
  requests,
  connections: 2,
  goals: { throughputRatio: 1 },
});

export const reading: Scenario[] = [
  text('text, 2 pages', SMALL, 200),
  text('text, 100 pages', LONG, 40),
  ...(existsSync(BOOK) ? [text('text, a book of 59 pages', BOOK, 24)] : []),
  {
    name: 'markdown, 100 pages',
    op: 'convert/pdf/markdown',
    files: { fileInput: [LONG] },
    params: {},
    rival: { program: 'pdftotext', args: ['-q', LONG, '{out}'] },
    requests: 6,
    connections: 2,
    // Under ten times the time that plain text takes another program.
    goals: { throughputRatio: 0.1 },
  },
];
