import { z } from 'zod';
import { cropBox, heightOf, widthOf } from '../../pdf/geometry/boxes.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'List page sizes',
  description: 'The size of the crop box of each page, in points. The rotation of a page is not applied.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z
      .array(
        z.object({
          width: z.number().describe('Width in points'),
          height: z.number().describe('Height in points'),
        }),
      )
      .describe('One item per page'),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    return doc.pages().map((_ref, index) => {
      const box = cropBox(doc, doc.page(index));
      return { width: widthOf(box), height: heightOf(box) };
    });
  },
});
