import { invalidParameter } from '../../contract/problems.ts';
import { attachmentsOf, renameAttachments } from '../../pdf/attachments/attachments.ts';
import { file, operation, pdfFile } from '../define.ts';
import { text } from '../fields.ts';
import { attachmentName, attachmentsNamed } from './_attachment-name.ts';

export default operation({
  summary: 'Rename an attached file',
  description: 'Only the name changes. Where several attachments share the name, all of them are renamed.',
  example: { attachmentName: 'note.txt', newName: 'readme.txt' },
  inputs: { fileInput: file('pdf') },
  params: {
    attachmentName,
    newName: text('The new name, without a path', {
      required: true,
      min: 1,
      max: 255,
      pattern: /^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u,
      expects: 'a file name of 1 to 255 characters without a path',
    }),
  },
  output: pdfFile('_attachment_renamed'),
  uses: ['qpdf'],
  async run({ fileInput }, params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const chosen = attachmentsNamed(doc, params.attachmentName);
    const { newName } = params;
    if (newName !== params.attachmentName && attachmentsOf(doc).some(({ filename }) => filename === newName))
      throw invalidParameter(`newName: another attachment is called ${JSON.stringify(newName)}.`);
    renameAttachments(doc, chosen, newName);
    return { content: doc.save() };
  },
});
