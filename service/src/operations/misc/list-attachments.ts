import { z } from 'zod';
import { attachmentsOf, sizeOf } from '../../pdf/attachments/attachments.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'List attached files',
  description: 'Files attached to the document and to its pages, each once. Without any the list is empty.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.array(
      z.object({
        filename: z.string().describe('Name of the file'),
        size: z.int().nullable().describe('Size in bytes'),
        contentType: z.string().nullable().describe('Media type, as stated or by the name'),
        description: z.string().nullable(),
        creationDate: z.string().nullable().describe('ISO 8601'),
        modificationDate: z.string().nullable().describe('ISO 8601'),
      }),
    ),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    return attachmentsOf(doc).map((attachment) => ({
      filename: attachment.filename,
      size: sizeOf(doc, attachment),
      contentType: attachment.contentType,
      description: attachment.description,
      creationDate: attachment.creationDate,
      modificationDate: attachment.modificationDate,
    }));
  },
});
