import { writeEdits } from '../../../pdf/editing/edit-writing.ts';
import { editedStrings } from '../../../pdf/editing/edited-document.ts';
import { editorDocument } from '../../../pdf/editing/editor-document.ts';
import { readEditorJson } from '../../../pdf/editing/editor-json.ts';
import { file, operation, pdfFile } from '../../define.ts';

export default operation({
  summary: 'Write edited text back into its PDF',
  description:
    'Takes the document and the JSON that convert/pdf/text-editor made of it, edited. Of textElements `text`, `x`, `y` ' +
    'and `textMatrix` are written: text changes in place, in its own font where that has the glyphs, else in an ' +
    'embedded one that looks alike; it moves; an element that is taken out of its list is gone. `zOrder` tells which ' +
    'text is meant. Pages that are left out, or have no textElements, stay as they are; so does everything else, and ' +
    'without an edit the very file comes back. Whatever else differs from the document is refused, data apart (font ' +
    'programs, images, content streams, raw dictionaries), which is not read: the lightweight JSON is enough. Texts ' +
    'that stand for changed content in tags (ActualText) change or go with it. This is no redaction: metadata, ' +
    'bookmarks, attachments and earlier revisions of the file may still say what the text said.',
  inputs: {
    fileInput: file('pdf'),
    editorJson: file('json', 'The JSON of convert/pdf/text-editor, edited; at most 128 MiB'),
  },
  params: {},
  output: pdfFile('_edited', {
    headers: { 'X-Edited-Texts': 'How many texts were changed, moved or removed' },
  }),
  uses: ['qpdf', 'text'],
  async run({ fileInput, editorJson }, _, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const given = readEditorJson(editorJson);
    let original = '';
    for await (const part of editorDocument(doc, { lightweight: true, image: async () => undefined }))
      original += part;
    const edited = editedStrings(JSON.parse(original), given);
    const count = [...edited.values()].reduce((sum, strings) => sum + strings.length, 0);
    const headers = { 'X-Edited-Texts': String(count) };
    if (count === 0) return { content: fileInput.content, headers };
    writeEdits(doc, edited, engine.text.layout);
    return { content: doc.save(), headers };
  },
});
