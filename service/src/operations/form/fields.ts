import { z } from 'zod';
import { FIELD_KINDS } from '../../pdf/forms/form-fields.ts';
import { listFields } from '../../pdf/forms/form-listing.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'List form fields',
  description:
    'Every field of a form with its type, value, options and page, in the order of the form. `template` holds the ' +
    'fields that can be filled with their present values: edit it and send it to form/fill. The label is the ' +
    "field's mapping name (TM), else its tooltip (TU), else its own name in words. A document without a form gives " +
    'empty lists.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.object({
      fields: z.array(
        z.object({
          name: z.string().describe('Full name'),
          label: z.string().describe('Name for people'),
          type: z.enum(FIELD_KINDS),
          value: z
            .string()
            .optional()
            .describe('Text; the state of a check box; several selected options joined by commas'),
          options: z.array(z.string()).describe('Values to choose from; states of a check box'),
          required: z.boolean(),
          pageIndex: z.int().describe('Counts from 0; -1: on no page'),
          multiSelect: z.boolean(),
          tooltip: z.string().optional(),
          pageOrder: z.int().describe('Place in reading order on its page, from 0'),
        }),
      ),
      template: z
        .record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]))
        .describe('Values by full name, ready for form/fill'),
    }),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    return listFields(engine.qpdf.open(fileInput));
  },
});
