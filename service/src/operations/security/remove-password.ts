import { file, operation, pdfFile } from '../define.ts';
import { secret } from '../fields.ts';

export default operation({
  summary: 'Remove the password and all restrictions',
  description: 'A document that is not encrypted is returned unchanged. inputPassword is taken as well.',
  example: { password: 'secret' },
  inputs: { fileInput: file('pdf') },
  params: { password: secret('User or owner password of the document', {}) },
  output: pdfFile('_password_removed'),
  uses: ['qpdf'],
  async run({ fileInput }, { password }, { engine }) {
    const doc = engine.qpdf.open(fileInput, { passwords: password === undefined ? [] : [password] });
    return { content: doc.isEncrypted ? doc.save() : fileInput.content };
  },
});
