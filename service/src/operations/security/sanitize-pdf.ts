import { claimsOf } from '../../pdf/metadata/claims.ts';
import { sanitize } from '../../pdf/security/sanitizing.ts';
import { CLAIMS_HEADER, file, operation, pdfFile } from '../define.ts';
import { flag } from '../fields.ts';

export default operation({
  summary: 'Remove scripts, attachments, metadata and risky actions',
  description:
    'What is named true is removed wherever the document holds it; actions that follow a removed one in a chain ' +
    'stay, and links that lead nowhere any more go. The file is rewritten in full: no earlier revision and no ' +
    'unused object stays. Media that is embedded as a file goes with the embedded files.',
  example: { removeJavaScript: true, removeMetadata: true },
  inputs: { fileInput: file('pdf') },
  params: {
    removeJavaScript: flag('Scripts in names, document, page, annotation and field actions, and XFA', {
      default: true,
    }),
    removeEmbeddedFiles: flag('Attachments and file attachment annotations', { default: true }),
    removeXMPMetadata: flag('XMP of document, pages and objects', { default: true }),
    removeMetadata: flag('Info dictionary and PieceInfo', { default: true }),
    removeActions: flag(
      'Launch, GoToR, GoToE, SubmitForm, ImportData, Rendition, Movie, Sound, RichMedia, 3D and OpenAction',
      { default: true },
    ),
    removeLinks: flag('Links to web addresses'),
    removeFonts: flag('Fonts of pages; this destroys the text'),
  },
  output: pdfFile('_sanitized'),
  uses: ['qpdf'],
  async run({ fileInput }, params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const claims = params.removeXMPMetadata ? claimsOf(doc) : [];
    sanitize(doc, {
      javaScript: params.removeJavaScript,
      embeddedFiles: params.removeEmbeddedFiles,
      xmp: params.removeXMPMetadata,
      metadata: params.removeMetadata,
      actions: params.removeActions,
      links: params.removeLinks,
      fonts: params.removeFonts,
    });
    // A date of modification would be metadata again.
    const content = doc.save(params.removeMetadata ? { keepModificationDate: true } : {});
    if (claims.length === 0) return { content };
    return { content, headers: { [CLAIMS_HEADER]: claims.map(({ name }) => `removed ${name}`).join(', ') } };
  },
});
