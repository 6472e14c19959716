// The data of all pages as one JSON text, written list by list: the pages' parts are read again for each.
import { readFileSync } from 'node:fs';
import { DATA_VERSION, type DocumentData, MOST_ENTRIES } from '../contract/document-data.ts';
import type { Content } from '../contract/files.ts';

type Lists = Pick<DocumentData, 'pairs' | 'tables' | 'totals' | 'dates' | 'addresses'>;
const NAMES = ['pairs', 'tables', 'totals', 'dates', 'addresses'] as const satisfies readonly (keyof Lists)[];

/** `pages` are the lists of each page as JSON; `fields` the values of form fields. */
export function* dataJson(
  pages: readonly Content[],
  fields: readonly DocumentData['pairs'][number][],
): Generator<string> {
  yield `{"schemaVersion":${DATA_VERSION},"pageCount":${pages.length}`;
  let truncated = false;
  for (const name of NAMES) {
    yield `,"${name}":[`;
    let count = 0;
    for (const [index, page] of pages.entries()) {
      const own = fields.filter((field) => field.page === index + 1);
      const list = name === 'pairs' ? withFields(listOf(page, name), own) : listOf(page, name);
      for (const entry of list) {
        if (count === MOST_ENTRIES) truncated = true;
        else yield `${count === 0 ? '' : ','}${JSON.stringify(entry)}`;
        count = Math.min(MOST_ENTRIES, count + 1);
      }
    }
    yield ']';
  }
  yield `,"truncated":${truncated}}\n`;
}

const listOf = <N extends keyof Lists>(page: Content, name: N): Lists[N] => {
  const lists: Lists = JSON.parse(
    'bytes' in page ? Buffer.from(page.bytes).toString('utf8') : readFileSync(page.path, 'utf8'),
  );
  return lists[name];
};

type Pair = DocumentData['pairs'][number];

/** What a field shows is written on the page too: the field's own word counts, with the label printed beside it. */
function withFields(texts: readonly Pair[], fields: readonly Pair[]): Pair[] {
  const isIn = ({ box: a }: Pair, { box: b }: Pair): boolean => {
    const [x, y] = [a.x + a.width / 2, a.y + a.height / 2];
    return x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height;
  };
  const free = texts.filter((text) => !fields.some((field) => isIn(text, field)));
  return [...free, ...fields].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
}
