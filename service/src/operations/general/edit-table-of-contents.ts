import { z } from 'zod';
import { listOf } from '../../contract/bounded-schema.ts';
import { invalidParameter } from '../../contract/problems.ts';
import { outlineOf } from '../../pdf/structure/bookmarks.ts';
import { readOutline, writeOutline } from '../../pdf/structure/outlines.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag, json } from '../fields.ts';

const MAX_ENTRIES = 10_000;
const MAX_LEVELS = 32;
const MAX_TITLE = 1000;

const Bookmark = z.object({
  title: z
    .string()
    .min(1)
    .max(2 * MAX_TITLE)
    .refine((title) => [...title].length <= MAX_TITLE, `At most ${MAX_TITLE} characters`)
    .meta({ maxLength: MAX_TITLE }),
  pageNumber: z.int(),
  get children() {
    return listOf(Bookmark, { max: MAX_ENTRIES }).default([]);
  },
});
type Entry = z.output<typeof Bookmark>;

export default operation({
  summary: 'Edit the table of contents',
  description:
    'Replaces the bookmarks of a document, or adds to them. general/extract-bookmarks gives the present ones in the same shape.',
  example: { bookmarkData: [{ title: 'One', pageNumber: 1, children: [{ title: 'Two', pageNumber: 2 }] }] },
  inputs: { fileInput: file('pdf') },
  params: {
    bookmarkData: json('The bookmarks; an empty list removes all', listOf(Bookmark, { max: MAX_ENTRIES }), {
      required: true,
      expects: `a JSON list of bookmarks such as [{"title":"Ch 1","pageNumber":1,"children":[]}], at most ${MAX_ENTRIES} with ${MAX_LEVELS} levels, titles of 1 to ${MAX_TITLE} characters, page numbers whole`,
    }),
    replaceExisting: flag('false appends after the bookmarks the document has', { default: true }),
  },
  output: pdfFile('_with_toc'),
  uses: ['qpdf'],
  refuses: ['page_out_of_range'],
  check({ bookmarkData }) {
    const { entries, levels } = measure(bookmarkData);
    if (entries > MAX_ENTRIES) {
      throw invalidParameter(`bookmarkData has ${entries} entries; at most ${MAX_ENTRIES} are taken.`);
    }
    if (levels > MAX_LEVELS) {
      throw invalidParameter(`bookmarkData has ${levels} levels; at most ${MAX_LEVELS} are taken.`);
    }
  },
  async run({ fileInput }, { bookmarkData, replaceExisting }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const added = outlineOf(doc, bookmarkData, 'bookmarkData');
    if (replaceExisting) writeOutline(doc, added);
    else if (added.length > 0) writeOutline(doc, [...readOutline(doc), ...added]);
    return { content: doc.save() };
  },
});

function measure(bookmarks: readonly Entry[]): { entries: number; levels: number } {
  let entries = bookmarks.length;
  let levels = 0;
  for (const { children } of bookmarks) {
    const below = measure(children);
    entries += below.entries;
    levels = Math.max(levels, below.levels);
  }
  return { entries, levels: bookmarks.length === 0 ? 0 : levels + 1 };
}
