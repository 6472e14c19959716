import { z } from 'zod';
import { listOf } from '../../contract/bounded-schema.ts';
import { invalidParameter } from '../../contract/problems.ts';
import { deleteFields } from '../../pdf/forms/delete-fields.ts';
import { fieldsOfForm } from '../../pdf/forms/fill-form.ts';
import { file, operation, pdfFile } from '../define.ts';
import { json } from '../fields.ts';

const MAX_NAMES = 10_000;

const Name = z.string().min(1);
const Entry = z.union([
  Name,
  z.object({ name: Name }),
  z.object({ targetName: Name }),
  z.object({ fieldName: Name }),
  z.object({ field: Name }),
]);
const Entries = listOf(Entry, { max: MAX_NAMES });
const Names = z.union([Entries, z.object({ fields: Entries }), Name, z.number()]);

export default operation({
  summary: 'Delete form fields',
  description:
    'Deletes fields by full name, with their widgets and all fields below them; parents left empty go too, and so ' +
    'does a form left empty. Names that the form does not have are skipped. An XFA form is dropped and its AcroForm ' +
    'kept.',
  example: { names: ['name'] },
  inputs: { fileInput: file('pdf') },
  params: {
    names: json(
      'The fields: ["a","b"], [{"name":"a"}] (also targetName, fieldName, field), {"fields":[...]}, or one plain name',
      Names,
      {
        required: true,
        plainText: true,
        expects: `a JSON list of 1 to ${MAX_NAMES} field names such as ["a","b"] or [{"name":"a"}], or one plain name`,
      },
    ),
  },
  output: pdfFile('_updated'),
  uses: ['qpdf'],
  refuses: ['nothing_found'],
  check({ names }) {
    if (listed(names).length === 0) throw invalidParameter('names lists no field; send at least one.');
  },
  async run({ fileInput }, { names }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    fieldsOfForm(doc);
    deleteFields(doc, new Set(listed(names)));
    return { content: doc.save() };
  },
});

function listed(names: z.output<typeof Names>): string[] {
  // A field may be called 7: as plain text that is JSON for a number.
  if (typeof names !== 'object') return [String(names)];
  const entries = Array.isArray(names) ? names : names.fields;
  return entries.flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
}
