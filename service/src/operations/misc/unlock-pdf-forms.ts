import { unlockForm } from '../../pdf/forms/unlock-form.ts';
import { file, operation, pdfFile } from '../define.ts';

export default operation({
  summary: 'Remove write protection from form fields',
  description:
    'Clears the read-only flags and locks of all fields, asks viewers to draw fields anew, and lifts readOnly in an ' +
    'XFA form. A document without a form comes back unchanged.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: pdfFile('_unlocked_forms'),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    if (!unlockForm(doc)) return { content: fileInput.content };
    return { content: doc.save() };
  },
});
