import { z } from 'zod';
import { readBookmarks } from '../../pdf/structure/bookmarks.ts';
import { file, jsonResult, operation } from '../define.ts';

const Bookmark = z.object({
  title: z.string(),
  pageNumber: z.int().min(1),
  get children() {
    return z.array(Bookmark);
  },
});

export default operation({
  summary: 'List bookmarks',
  description:
    'The outline in the shape general/edit-table-of-contents takes as bookmarkData. An entry that leads to no page of the document has pageNumber 1; a document without outline gives an empty list.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(z.array(Bookmark)),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    return readBookmarks(engine.qpdf.open(fileInput));
  },
});
