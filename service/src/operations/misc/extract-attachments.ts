import { writeFileSync } from 'node:fs';
import type { Content } from '../../contract/files.ts';
import { LIMITS, MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import { attachmentsOf } from '../../pdf/attachments/attachments.ts';
import { embeddedData } from '../../pdf/attachments/embedded-data.ts';
import { archive, file, type MadeEntry, operation } from '../define.ts';

const MOST_EACH = 50 * MIB;
const MOST_TOGETHER = 200 * MIB;

export default operation({
  summary: 'Extract attached files',
  description:
    'Files attached to the document and to its pages, each once. A file over 50 MB, or beyond 200 MB in all, is ' +
    'left out. A document without attachments is refused.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: archive('_attachments', 'any'),
  uses: ['qpdf'],
  refuses: ['nothing_found'],
  async run({ fileInput }, _params, { engine, newFile, log }) {
    const keep = (bytes: Uint8Array): Content => {
      if (bytes.length <= LIMITS.spoolBytes) return { bytes };
      const path = newFile('bin');
      writeFileSync(path, bytes);
      return { path };
    };
    const doc = engine.qpdf.open(fileInput);
    const attachments = attachmentsOf(doc);
    if (attachments.length === 0) throw new Problem('nothing_found', `${fileInput.name} has no attachments.`);
    const entries: MadeEntry[] = [];
    let total = 0;
    for (const { filename, data } of attachments) {
      const bytes = embeddedData(doc, data, Math.min(MOST_EACH, MOST_TOGETHER - total));
      if (!bytes) {
        log.info('attachment skipped', { reason: 'too large' });
        continue;
      }
      total += bytes.length;
      entries.push({ name: filename, content: keep(bytes) });
    }
    if (entries.length > 0) return entries;
    throw new Problem('nothing_found', `Every attachment of ${fileInput.name} is larger than 50 MB.`);
  },
});
