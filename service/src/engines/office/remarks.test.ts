// Comments, notes and tracked changes, in every format that has them: such documents are converted as any other.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { docx, flatOdf, type OdfType } from '../../../testing/documents/office-documents.ts';
import {
  bytesOf,
  given,
  officeForTests,
  textOf,
  withoutOffice,
} from '../../../testing/oracles/office-program.ts';
import { askProgram, missing } from '../../../testing/oracles/programs.ts';
import type { OfficeKind, OfficeTarget } from './office.ts';

const AUTHOR = '<dc:creator>Ann Author</dc:creator><dc:date>2024-01-02T10:00:00</dc:date>';
const annotation = (place = ''): string =>
  `<office:annotation office:name="a1" ${place}>${AUTHOR}<text:p>A remark</text:p></office:annotation>`;
const change = (id: string, kind: string, words = ''): string =>
  `<text:changed-region text:id="${id}"><text:${kind}><office:change-info>${AUTHOR}</office:change-info>${words}</text:${kind}></text:changed-region>`;
const frame = (words: string): string =>
  `<draw:frame svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame>`;

interface Remarked {
  type: OdfType;
  kind: OfficeKind;
  body: string;
  shown: RegExp;
  /**
   * Formats that LibreOffice writes it in first, so that the document is one of its own. Each costs two starts of
   * LibreOffice, so one of a family stands for it where another remark goes through them all.
   */
  formats: readonly OfficeTarget[];
}

const REMARKED: Record<string, Remarked> = {
  'a text with a comment': {
    type: 'text',
    kind: 'fodt',
    body: `<text:p>Words ${annotation()}remarked upon<office:annotation-end office:name="a1"/> here</text:p>`,
    shown: /Words remarked upon here/,
    formats: ['odt', 'docx', 'doc', 'rtf'],
  },
  'a text with tracked changes and a footnote': {
    type: 'text',
    kind: 'fodt',
    body:
      `<text:tracked-changes>${change('c1', 'insertion')}${change('c2', 'deletion', '<text:p>gone</text:p>')}</text:tracked-changes>` +
      '<text:p>old <text:change-start text:change-id="c1"/>new<text:change-end text:change-id="c1"/> <text:change text:change-id="c2"/></text:p>' +
      '<text:p>noted<text:note text:id="f1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>below</text:p></text:note-body></text:note></text:p>',
    shown: /old new[\s\S]*noted[\s\S]*below/,
    formats: ['docx'],
  },
  'a sheet with a comment': {
    type: 'spreadsheet',
    kind: 'fods',
    body: `<table:table table:name="S"><table:table-row><table:table-cell office:value-type="string">${annotation()}<text:p>in a cell</text:p></table:table-cell></table:table-row></table:table>`,
    shown: /in a cell/,
    formats: ['xlsx', 'xls'],
  },
  'slides with a comment and notes': {
    type: 'presentation',
    kind: 'fodp',
    body: `<draw:page draw:name="one">${annotation('svg:x="1cm" svg:y="1cm"')}${frame('on a slide')}<presentation:notes>${frame('to be said')}</presentation:notes></draw:page>`,
    shown: /on a slide/,
    formats: ['pptx', 'ppt'],
  },
};

describe('remarks', { skip: withoutOffice || missing('pdftotext', 'qpdf') }, () => {
  const office = officeForTests();
  for (const [what, { type, kind, body, shown, formats }] of Object.entries(REMARKED)) {
    const source = flatOdf(type, { body });
    test(`${what} (${kind}) becomes PDF`, async () => {
      assert.match(textOf(await office.convert(given(`x.${kind}`, source), kind, 'pdf')), shown);
    });
    for (const format of formats) {
      test(`${what} (${format} by LibreOffice) becomes PDF`, async () => {
        const written = bytesOf(await office.convert(given(`x.${kind}`, source), kind, format));
        const pdf = await office.convert(given(`x.${format}`, written), format as OfficeKind, 'pdf');
        assert.match(textOf(pdf), shown);
      });
    }
  }

  test('a Word document with a comment by another program becomes PDF, tagged as any other', async () => {
    const body =
      '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>Words remarked upon</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>';
    const comments =
      '<?xml version="1.0"?><w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="0" w:author="Ann" w:date="2024-01-02T10:00:00Z" w:initials="A"><w:p><w:r><w:t>A remark</w:t></w:r></w:p></w:comment></w:comments>';
    const bytes = await docx(body, [{ id: 'rId9', type: 'comments', target: 'comments.xml' }], {
      'word/comments.xml': comments,
    });
    const pdf = await office.convert(given('x.docx', bytes), 'docx', 'pdf');
    assert.match(textOf(pdf), /Words remarked upon/);
    const written = askProgram(
      'qpdf',
      ['--qdf', '--object-streams=disable', '{}', '-'],
      bytesOf(pdf),
      [0, 3],
    );
    assert.match(written, /\/StructTreeRoot/);
  });
});
