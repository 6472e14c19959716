import { z } from 'zod';
import { LIMITS } from '../../contract/limits.ts';
import { mergeDocuments, raiseVersion } from '../../pdf/merge/merge.ts';
import { MERGE_SORTS, orderForMerge } from '../../pdf/merge/merge-order.ts';
import { pdfVersion } from '../../pdf/pdf-version.ts';
import { flattenSignatures } from '../../pdf/security/flatten-signatures.ts';
import { files, operation, pdfFile } from '../define.ts';
import { choice, flag, json, text } from '../fields.ts';

export default operation({
  summary: 'Merge PDFs into one',
  description:
    'Pages follow one another in the chosen order. Bookmarks, links, named destinations, form fields, page labels, layers, tags, attachments and scripts of all files are kept; form fields and destinations whose name another file has used get a new one (`name_2`). Metadata and viewer settings are those of the first file.',
  example: { sortType: 'orderProvided', generateToc: true },
  inputs: { fileInput: files('pdf', 'The documents, in the order they are to follow one another') },
  params: {
    sortType: choice(
      'Order of the files: names and titles ascending, dates of the PDF newest first; ties as sent',
      MERGE_SORTS,
      { default: 'orderProvided' },
    ),
    fileOrder: text(
      'File names in the order wanted, one per line; overrides sortType, files not listed follow',
      {},
    ),
    removeCertSign: flag('Remove signature fields, which merging breaks; what they show stays on the page', {
      default: true,
    }),
    generateToc: flag('One top-level bookmark per file, with its own bookmarks below'),
    clientFileIds: json('Ignored; accepted from existing clients', z.unknown(), { expects: 'JSON' }),
  },
  output: pdfFile('_merged_unsigned'),
  uses: ['qpdf'],
  async run({ fileInput }, { sortType, fileOrder, removeCertSign, generateToc }, { engine, progress }) {
    const opened = fileInput.map((file) => ({ file, title: file.base, doc: engine.qpdf.open(file) }));
    const [first, ...others] = orderForMerge(opened, sortType, fileOrder);
    const { doc } = first;
    const version = Math.max(...opened.map((each) => pdfVersion(each.doc, each.doc.headerVersion)));
    // Copies read their data from the files themselves: a document that was taken in only holds memory.
    let taken = 0;
    mergeDocuments(first, others, {
      outlineByFile: generateToc,
      taken: (other) => {
        engine.qpdf.close(other.doc);
        taken += 1;
        progress(taken, others.length);
      },
    });
    if (removeCertSign) flattenSignatures(doc);
    raiseVersion(doc, doc.headerVersion, version);
    for (const other of others) doc.sourceBytes += other.file.size;
    // Packing objects makes large results smaller; on small ones it takes longer than all the rest.
    const isWorthPacking = version >= 1.5 && others.length > 0 && doc.sourceBytes > LIMITS.messageBytes;
    const content = doc.save(isWorthPacking ? { objectStreams: 'generate' } : {});
    return { content, suffix: removeCertSign ? '_merged_unsigned' : '_merged' };
  },
});
