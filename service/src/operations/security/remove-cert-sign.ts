import { flattenSignatures } from '../../pdf/security/flatten-signatures.ts';
import { file, operation, pdfFile } from '../define.ts';

export default operation({
  summary: 'Remove digital signatures',
  description:
    'Removes all signatures, their fields and the certification entries (Perms, DSS). What a signature showed ' +
    'stays as page content, fields that wait for a signature stay fields. An unsigned document is returned unchanged.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: pdfFile('_unsigned'),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    return { content: flattenSignatures(doc, { signedOnly: true }) ? doc.save() : fileInput.content };
  },
});
