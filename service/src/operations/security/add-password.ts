import { checkPassword } from '../../pdf/security/passwords.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag, integer, secret } from '../fields.ts';
import { encrypt } from './_encrypting.ts';

const deny = (what: string) => flag(`Deny ${what}`);

export default operation({
  summary: 'Encrypt a PDF with a password and permissions',
  description:
    'Without passwords, only the permissions are set, also where none is denied. A document that is encrypted already is encrypted anew.',
  example: { password: 'correct horse battery staple', keyLength: 256 },
  inputs: { fileInput: file('pdf') },
  params: {
    password: secret('Password to open the document', {}),
    ownerPassword: secret('Password for full rights; a random one when absent, so that permissions hold', {}),
    keyLength: integer('Key length in bits: 40 is RC4 (weak, for old readers), 128 and 256 are AES', {
      default: 256,
      min: 40,
      max: 256,
      oneOf: [40, 128, 256],
    }),
    preventAssembly: deny('inserting, rotating and deleting pages'),
    preventExtractContent: deny('copying text and images'),
    preventExtractForAccessibility: deny(
      'reading by aids for disabled people (the file says so; PDF 2.0 asks readers to allow it all the same)',
    ),
    preventFillInForm: deny('filling in form fields'),
    preventModify: deny('changing the content'),
    preventModifyAnnotations: deny('adding and changing annotations'),
    preventPrinting: deny('printing'),
    preventPrintingFaithful: deny('printing in full quality'),
  },
  output: pdfFile('_passworded'),
  uses: ['qpdf'],
  check({ password, ownerPassword, keyLength }) {
    checkPassword('password', password, keyLength);
    checkPassword('ownerPassword', ownerPassword, keyLength);
  },
  async run({ fileInput }, { password, ownerPassword, keyLength, ...denied }, { engine }) {
    const content = encrypt(engine, fileInput, {
      keyLength: keyLength as 40 | 128 | 256,
      userPassword: password ?? '',
      ownerPassword,
      allow: {
        assembly: !denied.preventAssembly,
        extract: !denied.preventExtractContent,
        accessibility: !denied.preventExtractForAccessibility,
        fillForms: !denied.preventFillInForm,
        modify: !denied.preventModify,
        annotate: !denied.preventModifyAnnotations,
        print: !denied.preventPrinting,
        printFaithful: !denied.preventPrintingFaithful,
      },
    });
    const onlyPermissions = password === undefined && ownerPassword === undefined;
    return onlyPermissions ? { content, suffix: '_permissions' } : { content };
  },
});
