import { existsSync } from 'node:fs';
import { onEverySize, type Scenario } from '../scenario.ts';

const BOOK = '../shared/corpus/pdf/mixed-sizes/pdfcpu__TheGoProgrammingLanguageCh1.pdf';

const pdftotext = (path: string) => ({ program: 'pdftotext', args: ['-q', path, '{out}'] });

export const reading: Scenario[] = [
  ...onEverySize({
    work: 'text',
    op: 'convert/pdf/text',
    rival: pdftotext,
    requests: { '2 pages': 200, '100 pages': 24, '1,000 pages': 4, '50 MB': 8 },
    // Pages of a long document are spread over two workers.
    goals: { '2 pages': { aloneRatio: 1.5 }, '100 pages': { aloneRatio: 1.6 } },
  }),
  ...onEverySize({
    work: 'text by one worker',
    op: 'convert/pdf/text',
    rival: pdftotext,
    workers: 1,
    requests: { '2 pages': 100, '100 pages': 24, '1,000 pages': 2 },
    goals: { '100 pages': { aloneRatio: 1 } },
  }),
  ...(existsSync(BOOK)
    ? [
        {
          name: 'text, a book of 59 pages',
          op: 'convert/pdf/text',
          files: { fileInput: [BOOK] },
          params: {},
          rival: pdftotext(BOOK),
          requests: 24,
          connections: 8,
          goals: { throughputRatio: 1 },
        },
      ]
    : []),
  ...onEverySize({
    work: 'markdown',
    op: 'convert/pdf/markdown',
    rival: pdftotext,
    requests: { '2 pages': 100, '100 pages': 4, '1,000 pages': 1 },
    // Under ten times the time that plain text takes another program.
    goals: { '100 pages': { throughputRatio: 0.1 } },
  }),
];
