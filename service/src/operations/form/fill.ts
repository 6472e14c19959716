import { z } from 'zod';
import { listOf, recordOf } from '../../contract/bounded-schema.ts';
import { flattenForm } from '../../pdf/annotations/flatten-pages.ts';
import { fillForm } from '../../pdf/forms/fill-form.ts';
import { namedValues } from '../../pdf/forms/fill-request.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag, json } from '../fields.ts';

const MAX_VALUES = 20_000;

const Values = recordOf(z.string(), z.unknown(), { max: MAX_VALUES });

const UNKNOWN_HEADER = 'X-Unknown-Form-Fields';
const MOST_TOLD = 20;
const LONGEST_TOLD = 64;

/** Names of a caller may hold anything; a header may not. */
const unknownNames = (names: readonly string[]): Record<string, string> =>
  names.length === 0
    ? {}
    : {
        [UNKNOWN_HEADER]: names
          .slice(0, MOST_TOLD)
          .map((name) => encodeURIComponent(name.slice(0, LONGEST_TOLD).toWellFormed()))
          .join(', '),
      };

export default operation({
  summary: 'Fill form fields',
  description:
    'Puts values into the fields of a form and draws them anew, so that every viewer shows them. Values go by full ' +
    'name, else by the last part of a name (to every field that ends so); null leaves a field as it is. Names that ' +
    'the form does not have are told in X-Unknown-Form-Fields, buttons and signatures are ignored; read-only fields are filled. A check box is turned ' +
    'on by true, 1, yes, on or the name of its state. A list that takes several options takes an array. Scripts of ' +
    'the form are not run, so calculated fields keep their values. An XFA form is dropped and its AcroForm kept.',
  example: { data: { name: 'Grace Hopper' }, flatten: true },
  inputs: { fileInput: file('pdf') },
  params: {
    data: json(
      'Values: {"field":"value"}, {"template":{...}} as form/fields gives it, {"fields":[{"name":"a","value":"b"}]}, or an array of these',
      z.union([Values, listOf(Values, { max: MAX_VALUES })]),
      { default: {}, expects: 'a JSON object of values by field name, or an array of such objects' },
    ),
    flatten: flag('Bake the form into the pages afterwards'),
  },
  output: pdfFile('_filled', {
    headers: {
      [UNKNOWN_HEADER]:
        'Names that the form does not have, percent-encoded, with commas between; at most 20. Absent where all were found',
    },
  }),
  uses: ['qpdf', 'text'],
  refuses: ['nothing_found'],
  check({ data }) {
    namedValues(data, 'data');
  },
  async run({ fileInput }, { data, flatten }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const unknown = fillForm(doc, namedValues(data, 'data'), 'data', engine.text.layout);
    if (flatten) flattenForm(doc);
    return { content: doc.save(), headers: unknownNames(unknown) };
  },
});
