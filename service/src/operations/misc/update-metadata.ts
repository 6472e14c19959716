import { z } from 'zod';
import { recordOf } from '../../contract/bounded-schema.ts';
import { LIMITS } from '../../contract/limits.ts';
import { metadataChanges } from '../../pdf/metadata/metadata-request.ts';
import { changeMetadata, deleteMetadata, TRAPPED } from '../../pdf/metadata/metadata-update.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, flag, json, text } from '../fields.ts';

const entry = (what: string) => text(`${what}; absent keeps it, empty clears it`, { emptyIsValue: true });

const customValue = z.string().refine((value) => [...value].length <= LIMITS.textCharacters);
const customEntries = recordOf(
  z.string().min(1).max(254),
  z.union([customValue, z.number(), z.boolean(), z.null()]),
  { max: 200 },
);

export default operation({
  summary: 'Change or delete metadata',
  description:
    'Sets, clears or keeps the entries of the info dictionary; XMP metadata is kept in step. In text fields ' +
    'the word undefined keeps an entry, like leaving the field out. modificationDate too is kept unless sent.',
  example: { title: 'Annual report', author: 'Grace Hopper' },
  inputs: { fileInput: file('pdf') },
  params: {
    title: entry('Title'),
    author: entry('Author'),
    subject: entry('Subject'),
    keywords: entry('Keywords'),
    creator: entry('Program the document was written with'),
    producer: entry('Program that made the PDF'),
    creationDate: entry('Date of creation, yyyy/MM/dd HH:mm:ss (UTC) or ISO 8601'),
    modificationDate: entry('Date of the last change, yyyy/MM/dd HH:mm:ss (UTC) or ISO 8601'),
    trapped: choice('Whether the document was trapped for printing; absent keeps it', TRAPPED, {}),
    deleteAll: flag('Wipe the info dictionary, XMP and PieceInfo; all other fields are ignored'),
    allRequestParams: json(
      'Custom entries: pairs customKey1 and customValue1, any other key directly; an empty value removes',
      customEntries,
      {
        expects: 'an object of at most 200 entries, keys of 1 to 127 and values of at most 10000 characters',
        bracketed: true,
      },
    ),
  },
  output: pdfFile('_metadata'),
  uses: ['qpdf'],
  check(params) {
    if (!params.deleteAll) metadataChanges(params);
  },
  async run({ fileInput }, params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    if (params.deleteAll) deleteMetadata(doc);
    else changeMetadata(doc, metadataChanges(params));
    return { content: doc.save({ keepModificationDate: true }) };
  },
});
