import { copiesOf, withCopies } from '../documents.ts';
import { onEverySize, type Scenario } from '../scenario.ts';

const REQUESTS = { '2 pages': 400, '100 pages': 100, '1,000 pages': 16, '50 MB': 8 };
/** Each call makes as many files as there are pages. */
const FEW_REQUESTS = { '2 pages': 200, '100 pages': 24, '1,000 pages': 4, '5,000 pages': 2 };

/** All against qpdf, started for each document. */
export const structure: Scenario[] = [
  ...onEverySize({
    work: 'page-count',
    op: 'analysis/page-count',
    params: {},
    rival: (path) => ({ program: 'qpdf', args: ['--show-npages', path] }),
    requests: REQUESTS,
    goals: {
      '2 pages': { aloneRatio: 1.5, throughputRatio: 2, medianMs: 10 },
      '100 pages': { aloneRatio: 3 },
      '1,000 pages': { aloneRatio: 1.5 },
      '50 MB': { aloneRatio: 1 },
    },
  }),
  ...onEverySize({
    work: 'rotate',
    op: 'general/rotate-pdf',
    params: { angle: '90' },
    rival: (path) => ({ program: 'qpdf', args: ['--rotate=+90', path, '{out}'] }),
    requests: REQUESTS,
    goals: {
      '2 pages': { aloneRatio: 1.5, throughputRatio: 2, medianMs: 10 },
      '100 pages': { aloneRatio: 1.5 },
      '1,000 pages': { aloneRatio: 1.5 },
      '50 MB': { aloneRatio: 1 },
    },
  }),
  ...onEverySize({
    work: 'remove-pages',
    op: 'general/remove-pages',
    params: { pageNumbers: '1' },
    rival: (path) => ({ program: 'qpdf', args: [path, '--pages', path, '2-z', '--', '{out}'] }),
    requests: REQUESTS,
    goals: {
      '2 pages': { aloneRatio: 1.5 },
      '100 pages': { aloneRatio: 1.5 },
      '1,000 pages': { aloneRatio: 1.5 },
      '50 MB': { aloneRatio: 1 },
    },
  }),
  ...onEverySize({
    work: 'add-password',
    op: 'security/add-password',
    params: { password: 'secret' },
    rival: (path) => ({
      program: 'qpdf',
      args: ['--encrypt', 'secret', 'owner', '256', '--', path, '{out}'],
    }),
    requests: REQUESTS,
    goals: {
      '2 pages': { aloneRatio: 1 },
      '100 pages': { aloneRatio: 1.5 },
      '1,000 pages': { aloneRatio: 1.5 },
      '50 MB': { aloneRatio: 1 },
    },
  }),
  ...onEverySize({
    work: 'linearize',
    op: 'misc/linearize-pdf',
    params: {},
    rival: (path) => ({ program: 'qpdf', args: ['--linearize', path, '{out}'] }),
    requests: REQUESTS,
    goals: {
      '2 pages': { aloneRatio: 1.2 },
      '100 pages': { aloneRatio: 1.5 },
      '1,000 pages': { aloneRatio: 1.5 },
      '50 MB': { aloneRatio: 1 },
    },
  }),
  ...onEverySize({
    work: 'merge two',
    op: 'general/merge-pdfs',
    params: {},
    rival: (path) => ({
      program: 'qpdf',
      args: ['--empty', '--pages', ...withCopies(path, 2), '--', '{out}'],
    }),
    times: 2,
    requests: REQUESTS,
    goals: {
      '2 pages': { aloneRatio: 1.5, throughputRatio: 2, medianMs: 10 },
      '100 pages': { aloneRatio: 1.2 },
      '1,000 pages': { aloneRatio: 1.2 },
      '50 MB': { aloneRatio: 1 },
    },
  }),
  ...onEverySize({
    work: 'split',
    op: 'general/split-pages',
    params: { pageNumbers: 'all' },
    rival: (path) => ({ program: 'qpdf', args: ['--split-pages', path, '{out}'] }),
    requests: FEW_REQUESTS,
    goals: {
      '2 pages': { aloneRatio: 1.5 },
      '100 pages': { aloneRatio: 1.2 },
      '1,000 pages': { aloneRatio: 1.2 },
      '5,000 pages': { aloneRatio: 1 },
    },
  }),
  ...[2, 25, 100].map(
    (files): Scenario => ({
      name: `merge ${files} files`,
      op: 'general/merge-pdfs',
      get files() {
        return { fileInput: copiesOf(files) };
      },
      params: {},
      get rival() {
        return { program: 'qpdf', args: ['--empty', '--pages', ...copiesOf(files), '--', '{out}'] };
      },
      requests: Math.ceil(800 / files),
      connections: 8,
      grows: { work: 'merge files of two pages', pages: 2 * files },
      goals: { aloneRatio: 1.2 },
    }),
  ),
];
