import { z } from 'zod';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'Count pages',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(z.object({ pageCount: z.int().describe('Number of pages') })),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    return { pageCount: engine.qpdf.open(fileInput).pageCount };
  },
});
