import { z } from 'zod';
import { documentProperties } from '../../pdf/metadata/metadata.ts';
import { file, jsonResult, operation } from '../define.ts';

const text = (what: string) => z.string().nullable().describe(`${what}, or null`);
const date = (what: string) => z.string().nullable().describe(`${what} in ISO 8601, or null`);

export default operation({
  summary: 'Read the document properties',
  description:
    'Title, author and the other entries of the info dictionary. What is absent or unreadable is null.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.object({
      title: text('Title'),
      author: text('Author'),
      subject: text('Subject'),
      keywords: text('Keywords'),
      creator: text('Program the document was written with'),
      producer: text('Program that made the PDF'),
      creationDate: date('Date of creation'),
      modificationDate: date('Date of the last change'),
    }),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    return documentProperties(engine.qpdf.open(fileInput));
  },
});
