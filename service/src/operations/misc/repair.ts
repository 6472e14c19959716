import { Problem } from '../../contract/problems.ts';
import { RECOVERY_BYTES, scanForObjects } from '../../pdf/repair/brute-force-scan.ts';
import { repairDocument } from '../../pdf/repair/repairs.ts';
import { file, operation, pdfFile } from '../define.ts';

export default operation({
  summary: 'Repair a damaged PDF',
  description:
    'Rebuilds cross-references, streams and the page tree from what can still be read of the file. Where no ' +
    'page can be recovered, the file is refused.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: pdfFile('_repaired'),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const lost = () => new Problem('invalid_pdf', `No page of ${fileInput.name} could be recovered.`);
    const open = () => {
      try {
        return engine.qpdf.open(fileInput);
      } catch (error) {
        if (!(error instanceof Problem) || error.reason !== 'invalid_pdf') throw error;
        const bytes = fileInput.size <= RECOVERY_BYTES ? scanForObjects(fileInput.bytes()) : undefined;
        if (!bytes) throw lost();
        return engine.qpdf.open(fileInput.with({ bytes }));
      }
    };
    const doc = open();
    if (repairDocument(doc) === 0) throw lost();
    return { content: doc.save() };
  },
});
