import { z } from 'zod';
import { listOf } from '../../contract/bounded-schema.ts';
import { FIELD_KINDS } from '../../pdf/forms/form-fields.ts';
import { modifyFields } from '../../pdf/forms/modify-fields.ts';
import { file, operation, pdfFile } from '../define.ts';
import { json } from '../fields.ts';

const Text = z.string().max(10_000);

const Update = z.object({
  targetName: Text.min(1).describe('Full name of the field, as it is before any of the updates'),
  name: Text.min(1).nullish().describe('New name; without periods, or with the name of its group before it'),
  label: Text.nullish().describe('Name for people (TM); blank clears it'),
  type: z.enum(FIELD_KINDS).nullish().describe('Recreates the field in the same place'),
  required: z.boolean().nullish(),
  multiSelect: z.boolean().nullish().describe('For listbox'),
  options: listOf(Text, { max: 10_000 })
    .nullish()
    .describe('Of a combobox or listbox; export values of a radio or checkbox field, one per button'),
  defaultValue: z
    .union([Text, z.number(), z.boolean()])
    .nullish()
    .describe('Value after a reset; blank clears it. A recreated field starts with it'),
  tooltip: Text.nullish().describe('Shown when the pointer rests on the field (TU); blank clears it'),
});

export default operation({
  summary: 'Modify form fields',
  description:
    'Changes fields by full name. What is absent or null stays as it is; unknown targets are skipped. The label is ' +
    "the field's mapping name (TM), the tooltip its alternate name (TU). Another type recreates the field in the same " +
    'place, with its name, frame and, where the new type can hold it, its text. Values that new options do not ' +
    'have are cleared. An XFA form is dropped and its AcroForm kept.',
  example: { updates: [{ targetName: 'name', label: 'Full name' }] },
  inputs: { fileInput: file('pdf') },
  params: {
    updates: json('The changes, in order', listOf(Update, { min: 1, max: 5000 }), {
      required: true,
      expects:
        'a JSON list of 1 to 5000 changes such as [{"targetName":"a","name":"b","label":"B","type":"text","required":true,"options":[],"defaultValue":"","tooltip":""}]',
    }),
  },
  output: pdfFile('_updated'),
  uses: ['qpdf', 'text'],
  refuses: ['nothing_found'],
  async run({ fileInput }, { updates }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    modifyFields(doc, updates, 'updates', engine.text.layout);
    return { content: doc.save() };
  },
});
