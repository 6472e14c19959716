import { z } from 'zod';
import { formSummary } from '../../pdf/forms/form-summary.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'Tell whether a document has a form',
  description: 'Counts root form fields, and tells whether there is an XFA form or a signature.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.object({
      fieldCount: z.int().describe('Number of root fields; 0 without a form'),
      hasXFA: z.boolean().describe('Whether there is an XFA form'),
      isSignaturesExist: z.boolean().describe('Whether a signature field is signed'),
    }),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const { rootFields, hasXfa, isSigned } = formSummary(engine.qpdf.open(fileInput));
    return { fieldCount: rootFields, hasXFA: hasXfa, isSignaturesExist: isSigned };
  },
});
