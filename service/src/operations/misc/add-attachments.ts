import { createHash } from 'node:crypto';
import { piecesOf } from '../../contract/file-bytes.ts';
import type { Content, InputFile } from '../../contract/files.ts';
import { MIB } from '../../contract/limits.ts';
import { invalidParameter } from '../../contract/problems.ts';
import { momentToTell } from '../../contract/reproducible.ts';
import { attach } from '../../pdf/attachments/attachments.ts';
import { embeddedFileEntries } from '../../pdf/attachments/embedded-data.ts';
import { standardOf } from '../../pdf/conformance/standards.ts';
import {
  CONFORMANCE_HEADER,
  conformanceHeaders,
  convertToPdfa,
  refuseNonconforming,
} from '../../procedures/pdfa-conversion.ts';
import { file, files, operation, pdfFile } from '../define.ts';
import { flag } from '../fields.ts';

const MOST_EACH_MB = 50;
const MOST_TOGETHER_MB = 200;
const PDFA_3B = standardOf('3b');

export default operation({
  summary: 'Attach files to a PDF',
  description:
    'Files are embedded under their names; one of an equal name is replaced. Portfolios stay portfolios. The ' +
    `files may have at most ${MOST_EACH_MB} MB each and ${MOST_TOGETHER_MB} MB together. A result made PDF/A-3b is ` +
    'validated; a document that cannot be made to conform is refused (422 conformance_failed, naming the clauses).',
  inputs: {
    fileInput: file('pdf'),
    attachments: files('any', 'Files to embed', { max: 500 }),
  },
  params: {
    convertToPdfA3b: flag('Make the result PDF/A-3b, as base_with_attachments_PDFA-3b.pdf'),
  },
  output: pdfFile('_with_attachments', { headers: CONFORMANCE_HEADER }),
  uses: ['qpdf'],
  mayUse: ['ghostscript', 'pdfium', 'text', 'verapdf'],
  async run({ fileInput, attachments }, { convertToPdfA3b }, { engine, log }) {
    checkSizes(attachments);
    const doc = engine.qpdf.open(fileInput);
    const now = momentToTell();
    const made = attachments.map((each) => ({
      filename: each.name,
      data: engine.qpdf.addFile(
        doc,
        embeddedFileEntries({ name: each.name, size: each.size, md5: md5Of(each.content) }, now),
        each,
      ),
    }));
    attach(doc, made);
    if (!convertToPdfA3b) return { content: doc.save() };
    const { content, verdict, lostText } = await convertToPdfa(engine, doc, {
      standard: PDFA_3B,
      pdfUa: false,
      title: fileInput.base,
      log,
    });
    refuseNonconforming(PDFA_3B.name, verdict);
    return {
      content,
      suffix: '_with_attachments_PDFA-3b',
      headers: conformanceHeaders(verdict.compliant, lostText),
    };
  },
});

function checkSizes(attachments: readonly InputFile[]): void {
  const large = attachments.find(({ size }) => size > MOST_EACH_MB * MIB);
  if (large) {
    throw invalidParameter(`attachments: ${large.name} is larger than ${MOST_EACH_MB} MB.`);
  }
  const total = attachments.reduce((sum, { size }) => sum + size, 0);
  if (total <= MOST_TOGETHER_MB * MIB) return;
  throw invalidParameter(`attachments must have at most ${MOST_TOGETHER_MB} MB together.`);
}

function md5Of(content: Content): Uint8Array {
  const hash = createHash('md5');
  for (const piece of piecesOf(content)) hash.update(piece);
  return hash.digest();
}
