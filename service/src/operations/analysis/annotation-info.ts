import { z } from 'zod';
import { countAnnotations } from '../../pdf/annotations/annotations-count.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'Count annotations',
  description: 'Counts the annotations of all pages, in total and by type.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.object({
      totalCount: z.int().describe('Annotations on all pages'),
      typeBreakdown: z
        .record(z.string(), z.int())
        .describe('How many of each /Subtype, such as Link or Widget'),
    }),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const { total, bySubtype } = countAnnotations(engine.qpdf.open(fileInput));
    return { totalCount: total, typeBreakdown: Object.fromEntries(bySubtype) };
  },
});
