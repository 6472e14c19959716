import { z } from 'zod';
import { encryptionInfo } from '../../pdf/security/encryption-info.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'Describe encryption and permissions',
  description: 'Describes the file as sent. keyLength and permissions are present only when it is encrypted.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.object({
      isEncrypted: z.boolean().describe('Whether the file is encrypted'),
      keyLength: z.int().optional().describe('Length of the key in bits'),
      permissions: z
        .object({
          preventPrinting: z.boolean().describe('Printing is denied'),
          preventModify: z.boolean().describe('Changing the document is denied'),
          preventExtractContent: z.boolean().describe('Copying text and images is denied'),
          preventModifyAnnotations: z.boolean().describe('Changing annotations is denied'),
        })
        .optional(),
    }),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const encryption = encryptionInfo(engine.qpdf.open(fileInput));
    if (!encryption) return { isEncrypted: false };
    const { keyLength, allows } = encryption;
    return {
      isEncrypted: true,
      keyLength,
      permissions: {
        preventPrinting: !allows.print,
        preventModify: !allows.modify,
        preventExtractContent: !allows.extract,
        preventModifyAnnotations: !allows.annotate,
      },
    };
  },
});
