import { pdfVersion } from '../../pdf/pdf-version.ts';
import {
  complianceReport,
  formReport,
  metadataReport,
  otherReport,
  pageModeOf,
  securityReport,
  trappedOf,
} from '../../pdf/reports/document-report.ts';
import { pageReport } from '../../pdf/reports/page-report.ts';
import { pageResources } from '../../pdf/reports/page-resources-report.ts';
import { structureReport } from '../../pdf/reports/structure-report.ts';
import { textFigures } from '../../pdf/text/text-figures.ts';
import { validateDeclared } from '../../procedures/validation.ts';
import { file, jsonResult, operation } from '../define.ts';
import { documentInfo } from './_document-info.ts';

export default operation({
  summary: 'Report everything about a PDF',
  description:
    'Metadata, figures, encryption, permissions, form fields, attachments, scripts, layers, bookmarks, tags and every ' +
    'page. Members without a value are left out. PDF/A and PDF/UA that a document declares are validated, as ' +
    'security/verify-pdf does, and listed under SummaryData. PDF/E, PDF/VT, PDF/B and PDF/SEC tell what the ' +
    'document declares.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(documentInfo, { name: 'response.json' }),
  uses: ['qpdf', 'pdfium'],
  mayUse: ['verapdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    using view = engine.pdfium.openLike(fileInput, doc);
    const figures = doc.pages().map((_, index) => textFigures(view.pageChars(index)));
    const resources = doc.pages().map((_, index) => pageResources(doc, doc.page(index)));
    const sum = (member: 'words' | 'paragraphs' | 'characters') =>
      figures.reduce((total, each) => total + each[member], 0);
    const marked = new Map(
      doc.pages().map((ref, index) => [ref.key, figures[index]?.markedTexts ?? new Map()]),
    );
    const language = doc.text(doc.catalog.get('Lang'));
    const { encryption, permissions, restricted } = securityReport(doc);
    const { flags, verdicts } = complianceReport(doc, await validateDeclared(engine, doc, fileInput));
    const imageKeys = resources.flatMap((each) => each.imageKeys);
    const summary = {
      ...(encryption.IsEncrypted ? { encrypted: true } : {}),
      ...(restricted.length > 0
        ? { restrictedPermissions: restricted, restrictedPermissionsCount: restricted.length }
        : {}),
      ...(verdicts.length > 0 ? { Compliance: verdicts } : {}),
    };
    return {
      Metadata: metadataReport(doc),
      BasicInfo: {
        FileSizeInBytes: fileInput.size,
        WordCount: sum('words'),
        ParagraphCount: sum('paragraphs'),
        CharacterCount: sum('characters'),
        ...(language ? { Language: language } : {}),
        'Number of pages': doc.pageCount,
        TotalImages: imageKeys.length,
        UniqueImages: new Set(imageKeys).size,
      },
      DocumentInfo: {
        'PDF version': pdfVersion(doc, doc.headerVersion),
        Trapped: trappedOf(doc),
        'Page Mode': pageModeOf(doc),
      },
      Compliancy: flags,
      Encryption: encryption,
      Permissions: permissions,
      FormFields: formReport(doc),
      Other: { ...otherReport(doc), StructureTree: structureReport(doc, marked) },
      PerPageInfo: Object.fromEntries(
        resources.map((each, index) => [
          `Page ${index + 1}`,
          pageReport(doc, doc.page(index), each, figures[index]?.characters ?? 0),
        ]),
      ),
      ...(Object.keys(summary).length > 0 ? { SummaryData: summary } : {}),
    };
  },
});
