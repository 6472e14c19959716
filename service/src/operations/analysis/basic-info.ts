import { z } from 'zod';
import { pdfVersion } from '../../pdf/pdf-version.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'Get page count, PDF version and file size',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.object({
      pageCount: z.int().describe('Number of pages'),
      pdfVersion: z.number().describe("PDF version; the catalog's wins over the header's"),
      fileSize: z.int().describe('Size of the file in bytes'),
    }),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    return {
      pageCount: doc.pageCount,
      pdfVersion: pdfVersion(doc, doc.headerVersion),
      fileSize: fileInput.size,
    };
  },
});
