import { z } from 'zod';
import { FIELD_KINDS } from '../../pdf/forms/form-fields.ts';
import { listPlacedFields } from '../../pdf/forms/form-listing.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'List form fields with coordinates',
  description:
    'Every field of a form with the places where it is seen, in points from the top-left corner of the page as ' +
    'displayed (crop box, rotation applied). Sorted by page, top to bottom, left to right; fields on no page come ' +
    'last. A document without a form gives an empty list.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.array(
      z.object({
        name: z.string().describe('Full name'),
        label: z.string().describe('Name for people'),
        type: z.enum(FIELD_KINDS),
        value: z
          .string()
          .optional()
          .describe('Text; the state of a check box; several selected options joined by commas'),
        options: z.array(z.string()).describe('Values to choose from; states of a check box'),
        displayOptions: z.array(z.string()).describe('What is shown for each option'),
        required: z.boolean(),
        readOnly: z.boolean(),
        multiSelect: z.boolean(),
        multiline: z.boolean(),
        tooltip: z.string().optional(),
        widgets: z.array(
          z.object({
            pageIndex: z.int().describe('Counts from 0'),
            x: z.number(),
            y: z.number(),
            width: z.number(),
            height: z.number(),
            exportValue: z.string().optional().describe('Value of the field when this button is on'),
            fontSize: z.number().optional().describe('In points; 0: chosen to fit'),
          }),
        ),
      }),
    ),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    return listPlacedFields(engine.qpdf.open(fileInput));
  },
});
