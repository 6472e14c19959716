import { removeAttachments } from '../../pdf/attachments/attachments.ts';
import { file, operation, pdfFile } from '../define.ts';
import { attachmentName, attachmentsNamed } from './_attachment-name.ts';

export default operation({
  summary: 'Delete an attached file',
  description:
    'Removes the file from the document and from its pages, the marks that stand for it on pages included. ' +
    'Where several attachments share the name, all of them go.',
  example: { attachmentName: 'note.txt' },
  inputs: { fileInput: file('pdf') },
  params: { attachmentName },
  output: pdfFile('_attachment_deleted'),
  uses: ['qpdf'],
  async run({ fileInput }, params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    removeAttachments(doc, attachmentsNamed(doc, params.attachmentName));
    return { content: doc.save() };
  },
});
