import { createHash } from 'node:crypto';
import { InputFile } from '../../../contract/files.ts';
import { MIB } from '../../../contract/limits.ts';
import { safeName, uniqueNames } from '../../../contract/names.ts';
import { momentToTell } from '../../../contract/reproducible.ts';
import type { QpdfDocument } from '../../../engines/qpdf/qpdf-document.ts';
import type { MailFile } from '../../../mail/message.ts';
import { attach } from '../../../pdf/attachments/attachments.ts';
import { embeddedFileEntries } from '../../../pdf/attachments/embedded-data.ts';
import { file, operation, pdfFile } from '../../define.ts';
import { flag, integer } from '../../fields.ts';

export default operation({
  summary: 'Make a PDF of a mail message',
  description:
    'Shows sender, recipients, date and subject, then the body, then the list of attachments. Of an HTML body scripts, ' +
    'forms and everything that would be loaded from outside are left out; pictures that the message carries are shown.',
  example: { includeAttachments: true },
  inputs: { fileInput: file(['eml', 'msg'], 'Message') },
  params: {
    includeAttachments: flag('Embed the attachments of the message in the PDF'),
    maxAttachmentSizeMB: integer('Larger attachments are listed, not embedded', {
      default: 10,
      min: 1,
      max: 100,
    }),
    includeAllRecipients: flag('Show CC and BCC', { default: true }),
    downloadHtml: flag('Return the HTML instead of the PDF, as `<full name>.html`'),
  },
  output: pdfFile('', {
    alternatives: ['html'],
    headers: { 'Content-Security-Policy': '`sandbox`, where HTML is returned' },
  }),
  uses: ['qpdf', 'browser'],
  makes: ({ downloadHtml }) => (downloadHtml ? 'html' : 'pdf'),
  async run({ fileInput }, params, { engine }) {
    const { includeAttachments, maxAttachmentSizeMB, includeAllRecipients, downloadHtml } = params;
    const { readMessage } = await import('../../../mail/read-message.ts');
    const { mailPage } = await import('../../../mail/page.ts');
    const message = readMessage(fileInput);
    const isLarge = (each: MailFile): boolean => each.bytes.length > maxAttachmentSizeMB * MIB;
    const { html, listed } = mailPage(message, {
      allRecipients: includeAllRecipients,
      note: (each) =>
        !includeAttachments || downloadHtml
          ? ''
          : isLarge(each)
            ? `not embedded: over ${maxAttachmentSizeMB} MB`
            : 'embedded',
      address: (each) => (downloadHtml ? dataAddress(each) : `pictures/${message.files.indexOf(each)}`),
    });
    if (downloadHtml) {
      const headers = { 'Content-Security-Policy': 'sandbox' };
      return {
        content: { bytes: Buffer.from(html) },
        name: `${fileInput.name}.html`,
        kind: 'html' as const,
        headers,
      };
    }
    const content = await engine.browser.print({
      html,
      scripts: false,
      resource: async (path) => message.files[Number(/^pictures\/(\d+)$/.exec(path)?.[1] ?? -1)],
    });
    const name = `${fileInput.name}.pdf`;
    if (!includeAttachments) return { content, name };
    const doc = engine.qpdf.open(new InputFile(name, content));
    embed(
      doc,
      listed.filter((each) => !isLarge(each)),
    );
    return { content: doc.save(), name };
  },
});

const dataAddress = ({ mediaType, bytes }: MailFile): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;

function embed(doc: QpdfDocument, files: readonly MailFile[]): void {
  if (files.length === 0) return;
  const now = momentToTell();
  const names = uniqueNames(files.map(({ name }) => safeName(name)));
  attach(
    doc,
    files.map(({ bytes }, index) => {
      const filename = names[index] ?? 'attachment';
      const entries = embeddedFileEntries(
        { name: filename, size: bytes.length, md5: createHash('md5').update(bytes).digest() },
        now,
      );
      return { filename, data: doc.addStream(entries, bytes) };
    }),
  );
}
