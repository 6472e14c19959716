// Small models made by hand.
import type {
  Block,
  Box,
  Figure,
  Flow,
  Heading,
  LaidOutDocument,
  Line,
  List,
  Page,
  Paragraph,
  Run,
  Table,
  TextStyle,
} from '../../src/layout/model.ts';

export const STYLE: TextStyle = {
  font: 'Arial',
  size: 10,
  bold: false,
  italic: false,
  monospace: false,
  color: '#000000',
};

export const run = (text: string, more: Partial<Run> & { look?: Partial<TextStyle> } = {}): Run => {
  const { look = {}, ...rest } = more;
  return { text, style: { ...STYLE, ...look }, ...rest };
};

const box = (y: number, height = 10, x = 72, width = 400): Box => ({ x, y, width, height });

function flow(runs: Run[], at: Box, more: Partial<Flow> = {}): Flow {
  const line: Line = { runs, box: at, turn: 0, direction: more.direction ?? 'ltr' };
  return { runs, lines: [line], align: 'left', direction: 'ltr', ...more };
}

export const paragraph = (text: string | Run[], y: number, more: Partial<Flow> = {}): Paragraph => ({
  kind: 'paragraph',
  ...flow(typeof text === 'string' ? [run(text)] : text, box(y), more),
  box: box(y),
  page: 1,
  firstLineIndent: 0,
  indent: 0,
  spaceBefore: 0,
});

export const heading = (text: string, level: Heading['level'], y: number): Heading => ({
  kind: 'heading',
  level,
  ...flow([run(text, { look: { size: 20 - 2 * level, bold: true } })], box(y, 18)),
  box: box(y, 18),
  page: 1,
});

export const list = (ordered: boolean, markers: string[], y: number, inner?: List): List => ({
  kind: 'list',
  ordered,
  start: 1,
  box: box(y, 14 * markers.length),
  page: 1,
  items: markers.map((marker, index) => ({
    marker,
    blocks: [paragraph(`item ${marker}`, y + 14 * index), ...(inner && index === 0 ? [inner] : [])],
  })),
});

/** Two columns; the first cell reaches over both, the next over two rows. */
export function table(y: number): Table {
  const borders = { top: true, right: true, bottom: true, left: true };
  const cell = (
    column: number,
    text: string,
    more: Partial<Table['rows'][number]['cells'][number]> = {},
  ) => ({
    column,
    columnSpan: 1,
    rowSpan: 1,
    blocks: text === '' ? [] : [paragraph(text, y)],
    align: 'left' as const,
    borders,
    ...more,
  });
  return {
    kind: 'table',
    box: box(y, 60),
    page: 1,
    columnEdges: [72, 200, 400],
    headerRows: 1,
    ruled: true,
    rows: [
      { height: 20, cells: [cell(0, 'Head of both', { columnSpan: 2, fill: '#eeeeee' })] },
      { height: 20, cells: [cell(0, 'Deep', { rowSpan: 2 }), cell(1, 'one', { align: 'right' })] },
      { height: 20, cells: [cell(1, 'two')] },
    ],
  };
}

/** One grey pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

export const figure = (y: number): Figure => ({
  kind: 'figure',
  box: box(y, 50, 72, 80),
  page: 1,
  alternative: 'A grey <square>',
  image: { format: 'png', width: 1, height: 1, bytes: async () => PIXEL },
});

export const page = (number: number, blocks: Block[], more: Partial<Page> = {}): Page => ({
  number,
  width: 595,
  height: 842,
  rotation: 0,
  body: { x: 72, y: 72, width: 450, height: 600 },
  columns: 1,
  blocks: blocks.map((block) => ({ ...block, page: number })),
  headersAndFooters: { header: [], footer: [] },
  ...more,
});

export const line = (text: string, y: number, x = 72): Line => ({
  runs: [run(text)],
  box: { x, y, width: 100, height: 10 },
  turn: 0,
  direction: 'ltr',
});

export const document = (pages: Page[], more: Partial<LaidOutDocument> = {}): LaidOutDocument => ({
  title: 'A title & more',
  author: 'Ada',
  language: 'en-GB',
  pages,
  outline: [],
  notes: [],
  ...more,
});

/** Something of every kind, over two pages. */
export const everything = (): LaidOutDocument =>
  document(
    [
      page(
        1,
        [
          heading('First chapter', 1, 72),
          paragraph(
            [
              run('Plain, '),
              run('bold', { look: { bold: true } }),
              run(' and a link', { link: { url: 'https://example.org/?a=1&b=2' } }),
            ],
            100,
          ),
          paragraph(
            [
              run('Called'),
              run('1', { look: { position: 'superscript', size: 7 }, note: 0 }),
              run(' and page two', { link: { page: 2 } }),
            ],
            130,
          ),
          list(false, ['•', '•'], 150, list(true, ['(a)', '(b)'], 164)),
          list(true, ['3.', '4.'], 220),
          list(true, ['§ 1', '§ 4'], 260),
          table(300),
          figure(400),
        ],
        { headersAndFooters: { header: [line('Running title', 30)], footer: [line('Page 7', 800)] } },
      ),
      page(
        2,
        [
          heading('Second chapter', 1, 72),
          paragraph('\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd', 100, {
            direction: 'rtl',
            align: 'right',
          }),
          {
            kind: 'code',
            box: { x: 72, y: 130, width: 200, height: 24 },
            page: 2,
            lines: [line('let a = 1 < 2;', 130), line('  b();', 142)],
            text: 'let a = 1 < 2;\n  b();',
          },
        ],
        { headersAndFooters: { header: [line('Running title', 30)], footer: [line('Page 8', 800)] } },
      ),
    ],
    { notes: [{ ...flow([run('A note with words.')], box(700)) }] },
  );
