// Pages made to cost much: each is read in seconds of processor time, whatever stands on it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../testing/calls/run-here.ts';
import { onePage } from '../../testing/documents/written-pdf.ts';

/** Numbers that look like chance and are the same each time. */
function numbers(): (below: number) => number {
  let seed = 7;
  return (below) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.round((seed / 0x7fffffff) * below * 100) / 100;
  };
}

const at = numbers();
const times = (count: number, write: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => write(i)).join('\n');
const text = (size: number, x: number, y: number, words: string): string =>
  `BT /F ${size} Tf ${x} ${y} Td (${words}) Tj ET`;

const HOSTILE: Record<string, string> = {
  'tiny curves with names among them': times(20_000, (i) => {
    const [x, y] = [at(580), at(780)];
    const curve = `${x} ${y} m ${x + 2} ${y + 3} ${x + 4} ${y} ${x + 5} ${y + 5} c S`;
    return i % 10 === 0 ? `${curve} ${text(4, at(560), at(780), `Name ${i}`)}` : curve;
  }),
  'single letters': times(20_000, (i) => text(5, at(580), at(780), 'abcdefghij'[i % 10] as string)),
  'lines that cross each other': times(4000, () => text(8, at(400), at(780), 'words that cross each other')),
  'boxes in boxes': times(
    4000,
    (i) => `${10 + i * 0.07} ${10 + i * 0.09} ${580 - i * 0.14} ${770 - i * 0.18} re S`,
  ),
  'boxes with words': times(1500, (i) => {
    const [x, y] = [at(500), at(750)];
    return `${x} ${y} ${20 + at(80)} ${10 + at(30)} re S ${text(4, x + 2, y + 2, `in a box ${i}`)}`;
  }),
  'words over rules': times(4000, (i) => {
    const [x, y] = [at(550), at(780)];
    return `${text(5, x, y, `word ${i}`)} ${x} ${y - 1} m ${x + 11} ${y - 1} l S`;
  }),
  'large letters beside small ones': times(
    2000,
    () => `${text(30, at(560), at(780), 'T')} ${text(6, at(560), at(780), 'he words')}`,
  ),
};

/** Of processor time; a machine under load takes as much. */
const SECONDS = 12;

for (const [name, content] of Object.entries(HOSTILE)) {
  test(`${name} cost a few seconds at most`, async () => {
    const bytes = onePage({
      content,
      page: '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>',
    });
    const before = process.cpuUsage();
    for (const format of ['word', 'presentation'])
      made(await runHere(`convert/pdf/${format}`, { files: { fileInput: { name: 'a.pdf', bytes } } }));
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < SECONDS * 1e6, `${(user + system) / 1e6} s`);
  });
}
