import { onEverySize, type Scenario } from '../scenario.ts';

const pdftoppm = (path: string) => ({
  program: 'sh',
  runs: 'pdftoppm',
  args: ['-c', 'mkdir "$1" && pdftoppm -r 150 -png "$0" "$1/page"', path, '{out}'],
});
const mutool = (path: string) => ({
  program: 'sh',
  runs: 'mutool',
  args: ['-c', 'mkdir "$1" && mutool draw -q -r 150 -o "$1/%d.png" "$0"', path, '{out}'],
});
const drawing = { op: 'convert/pdf/img', params: { dpi: '150', imageFormat: 'png' } };

export const rasters: Scenario[] = [
  ...onEverySize({
    ...drawing,
    work: 'pdf/img against pdftoppm',
    rival: pdftoppm,
    requests: { '2 pages': 40, '100 pages': 1 },
    goals: { '2 pages': { aloneRatio: 5 }, '100 pages': { aloneRatio: 5 } },
  }),
  ...onEverySize({
    ...drawing,
    work: 'pdf/img against mutool',
    rival: mutool,
    requests: { '2 pages': 40, '100 pages': 1 },
    goals: { '2 pages': { aloneRatio: 1.1 }, '100 pages': { aloneRatio: 1.1 } },
  }),
];
