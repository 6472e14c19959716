import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { failed, made, madeName } from '../../../../testing/calls/run-here.ts';
import { epubOf, mobiOf, xhtml } from '../../../../testing/documents/books.ts';
import { corpusFiles, noCorpus } from '../../../../testing/documents/collection.ts';
import { zipOf } from '../../../../testing/oracles/archives.ts';
import { assertOutOfReach, callsOf, noBrowser } from '../../../../testing/oracles/printing.ts';
import {
  askProgram,
  pdfinfo,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../../testing/oracles/programs.ts';
import { drawnPage } from '../../../../testing/oracles/rasters.ts';
import { probe as probeOffice } from '../../../engines/office/office.ts';

const skip = await noBrowser('pdfinfo', 'pdftotext', 'pdfimages', 'qpdf', 'pdftocairo');
const office = await probeOffice();
const noOffice = !office.available && 'not installed: LibreOffice';

const convert = callsOf('convert/ebook/pdf', 'book.epub');

interface OutlineItem {
  title: string;
  page: number;
  kids: OutlineItem[];
}

/** Bookmarks as qpdf reads them. */
function bookmarks(pdf: Uint8Array): OutlineItem[] {
  interface Raw {
    title: string;
    destpageposfrom1: number | null;
    kids: Raw[];
  }
  const { outlines } = JSON.parse(
    askProgram('qpdf', ['--json', '--json-key=outlines', '{}'], pdf, [0, 3]),
  ) as {
    outlines: Raw[];
  };
  const read = ({ title, destpageposfrom1, kids }: Raw): OutlineItem => ({
    title,
    page: destpageposfrom1 ?? 0,
    kids: kids.map(read),
  });
  return outlines.map(read);
}

const red = () =>
  sharp({
    create: {
      width: 300,
      height: 200,
      channels: 3,
      background: '#ff0000',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  })
    .png()
    .toBuffer();

const NAV = xhtml(
  '<nav epub:type="landmarks"><ol><li><a href="one.xhtml">Wrong</a></li></ol></nav>' +
    '<nav epub:type="toc"><ol><li><a href="one.xhtml">First &amp; foremost</a><ol><li><a href="text/two.xhtml#deep">Deep</a></li></ol></li>' +
    '<li><a href="text/two.xhtml">Second</a></li></ol></nav>',
);
const CHAPTERS = {
  'one.xhtml': xhtml(
    '<a id="here"/><h1>One</h1><p class="x">Go to <a href="text/two.xhtml#deep">deep</a>.</p>',
    '<link rel="stylesheet" href="css/a.css"/>',
  ),
  'text/two.xhtml': xhtml(
    '<h1>Two</h1><p>Words</p><div style="break-before:page"/><h2 id="deep">Deep</h2><p><img src="../pic.png" alt=""/></p><p><a href="../one.xhtml#here">back</a> <a href="https://example.org/">out</a></p><script>document.write("scripted")</script>',
  ),
};
const CSS = '@import "b.css"; body{color:#0000ff} #deep{text-transform:uppercase}';

test('an EPUB becomes pages with its style, images, bookmarks and links', { skip }, async () => {
  const files = { 'css/a.css': CSS, 'css/b.css': '.x{font-size:40px}', 'pic.png': await red() };
  const ran = await convert(await epubOf({ chapters: CHAPTERS, files, nav: NAV }));
  assert.equal(madeName(ran), 'book_convertedToPDF.pdf');
  const pdf = made(ran);
  qpdfCheck(pdf);
  const info = pdfinfo(pdf);
  assert.deepEqual([info.Title, info.Author, info.Pages], ['A Made Book', 'Ann Author', '3']);
  assert.deepEqual(bookmarks(pdf), [
    { title: 'First & foremost', page: 1, kids: [{ title: 'Deep', page: 3, kids: [] }] },
    { title: 'Second', page: 2, kids: [] },
  ]);
  const text = pdftotext(pdf);
  assert.match(text, /One\s+Go to deep[\s\S]*Two\s+Words[\s\S]*Deep/);
  assert.doesNotMatch(text, /scripted|Contents/);
  assert.match(askProgram('pdfimages', ['-list', '{}'], pdf), /^ +3 /m);
  // Style of one chapter is that of no other.
  const { data } = await drawnPage(pdf);
  let blue = 0;
  for (let at = 0; at < data.length; at += 3)
    if ((data[at + 2] ?? 0) > 200 && (data[at] ?? 0) < 60) blue += 1;
  assert.ok(blue > 200, `${blue} blue pixels`);
  const links = Object.values(qpdfObjects(pdf)).filter(
    ({ value }) => (value as Record<string, unknown> | null)?.['/Subtype'] === '/Link',
  );
  assert.equal(links.length, 3);
  const fonts = askProgram('pdffonts', ['{}'], pdf).trim().split('\n').slice(2);
  assert.ok(
    fonts.every((row) => / yes +(?:yes|no) +(?:yes|no) +\d+ +\d+$/.test(row)),
    fonts.join('\n'),
  );
});

test('a page of contents and page numbers come when asked for', { skip }, async () => {
  const epub = await epubOf({ chapters: CHAPTERS, files: { 'pic.png': await red() }, nav: NAV });
  const pdf = made(await convert(epub, { includeTableOfContents: 'true', includePageNumbers: 'true' }));
  qpdfCheck(pdf);
  assert.equal(pdfinfo(pdf).Pages, '4');
  assert.match(
    pdftotext(pdf, '-f', '4', '-layout'),
    /Contents\s+First & foremost +1\s+Deep +3\s+Second +2\s+4/,
  );
  assert.equal(bookmarks(pdf)[0]?.kids[0]?.page, 3);
});

test('contents of EPUB 2, a cover that no chapter shows, files without contents', { skip }, async () => {
  const ncx =
    '<ncx><navMap><navPoint><navLabel><text>Alpha</text></navLabel><content src="a.xhtml"/><navPoint><navLabel><text>Beta</text></navLabel><content src="b.xhtml"/></navPoint></navPoint></navMap></ncx>';
  const chapters = { 'a.xhtml': xhtml('<h1>A</h1>'), 'b.xhtml': xhtml('<h1>B</h1>') };
  const manifest = '<item id="cov" href="cover.png" media-type="image/png"/>';
  const metadata = '<meta name="cover" content="cov"/>';
  const covered = made(
    await convert(await epubOf({ chapters, ncx, manifest, metadata, files: { 'cover.png': await red() } })),
  );
  assert.equal(pdfinfo(covered).Pages, '3');
  assert.deepEqual(bookmarks(covered), [
    { title: 'Alpha', page: 2, kids: [{ title: 'Beta', page: 3, kids: [] }] },
  ]);
  const bare = made(await convert(await epubOf({ chapters })));
  assert.deepEqual(
    bookmarks(bare).map(({ title, page }) => [title, page]),
    [
      ['A', 1],
      ['B', 2],
    ],
  );
});

test('books with laid-out pages keep their page size', { skip }, async () => {
  const page = (words: string) =>
    xhtml(
      `<p style="position:absolute;left:20px;top:30px">${words}</p>`,
      '<meta name="viewport" content="width=400, height=600"/>',
    );
  const epub = await epubOf({
    chapters: { 'a.xhtml': page('left'), 'b.xhtml': page('right') },
    metadata: '<meta property="rendition:layout">pre-paginated</meta>',
  });
  const pdf = made(await convert(epub));
  assert.deepEqual([pdfinfo(pdf).Pages, pdfinfo(pdf)['Page size']?.split(' pts')[0]], ['2', '300 x 450']);
  assert.match(pdftotext(pdf, '-f', '2'), /right/);
});

test('optimizeForEbook makes images smaller', { skip }, async () => {
  const large = await sharp({
    create: {
      width: 1500,
      height: 900,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 10 },
    },
  })
    .png()
    .toBuffer();
  const epub = await epubOf({
    chapters: { 'a.xhtml': xhtml('<p><img src="p.png"/></p>') },
    files: { 'p.png': large },
  });
  const plain = made(await convert(epub));
  const lean = made(await convert(epub, { optimizeForEbook: 'true' }));
  assert.ok(lean.length < plain.length / 2, `${lean.length} of ${plain.length}`);
  const row =
    askProgram('pdfimages', ['-list', '{}'], lean).trim().split('\n').slice(2)[0]?.trim().split(/\s+/) ?? [];
  assert.ok(Number(row[3]) <= 1240, row.join(' '));
});

test('MOBI, FB2 (plain and zipped) and text become PDF', { skip }, async () => {
  const text = Buffer.from(
    '<html><body><h1>Kindle chapter</h1><p>Some words</p><mbp:pagebreak/><h1>Next</h1></body></html>',
  );
  const mobi = made(await convert(mobiOf({ text, compression: 'palmdoc' }), {}, 'b.mobi'));
  assert.deepEqual([pdfinfo(mobi).Title, pdfinfo(mobi).Pages], ['Kindle Book', '2']);
  assert.deepEqual(
    bookmarks(mobi).map(({ title, page }) => [title, page]),
    [
      ['Kindle chapter', 1],
      ['Next', 2],
    ],
  );
  const fb2 =
    '<?xml version="1.0" encoding="utf-8"?><FictionBook><description><title-info><book-title>Книга</book-title></title-info></description><body><section><title><p>Глава</p></title><p>Слова<a href="#n1">1</a></p></section></body><body name="notes"><section id="n1"><title><p>1</p></title><p>Сноска</p></section></body></FictionBook>';
  for (const [name, bytes] of [
    ['b.fb2', Buffer.from(fb2)],
    ['b.fb2.zip', await zipOf({ 'b.fb2': fb2 })],
  ] as const) {
    const pdf = made(await convert(bytes, {}, name));
    assert.match(pdftotext(pdf), /Глава\s+Слова1[\s\S]*Сноска/);
    assert.equal(bookmarks(pdf)[0]?.title, 'Глава');
  }
  const txt = made(await convert('Chapter 1\n\nHello & <you>\n  indented', {}, 'b.txt'));
  assert.match(pdftotext(txt), /Chapter 1\s+Hello & <you>/);
  assert.equal(pdfinfo(txt).Title, 'b');
});

/** The least that a document of Word must hold: two headings, the second on another page. */
const docx = () => {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const paragraph = (words: string, style = '') =>
    `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${words}</w:t></w:r></w:p>`;
  const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${main}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${rel}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${rel}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `<w:styles ${w}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>`,
    'word/document.xml': `<w:document ${w}><w:body>${paragraph('Opening', 'Heading1')}${paragraph('words')}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${paragraph('Closing', 'Heading1')}</w:body></w:document>`,
  });
};

test('a document of Word becomes PDF, with contents and numbers', { skip: skip || noOffice }, async () => {
  const file = await docx();
  assert.equal(pdfinfo(made(await convert(file, {}, 'b.docx'))).Pages, '2');
  const pdf = made(
    await convert(file, { includeTableOfContents: 'true', includePageNumbers: 'true' }, 'b.docx'),
  );
  qpdfCheck(pdf);
  assert.equal(pdfinfo(pdf).Pages, '3');
  assert.match(pdftotext(pdf, '-f', '3', '-layout'), /Contents\s+Opening +1\s+Closing +2\s+3/);
  assert.match(pdftotext(pdf, '-l', '1'), /words\s+1/);
});

const encrypted = (algorithm: string) =>
  `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="OPS/a.xhtml"/></CipherData></EncryptedData></encryption>`;
const one = { chapters: { 'a.xhtml': xhtml('<p>x</p>') } };
const REFUSED: [string, string, () => Promise<Uint8Array | string>, RegExp][] = [
  [
    'an encrypted EPUB',
    'a.epub',
    () =>
      epubOf({
        ...one,
        more: { 'META-INF/encryption.xml': encrypted('http://www.w3.org/2001/04/xmlenc#aes256-cbc') },
      }),
    /DRM/,
  ],
  ['an encrypted MOBI', 'a.mobi', async () => mobiOf({ text: Buffer.from('x'), encryption: 2 }), /DRM/],
  ['an EPUB without chapters', 'a.epub', () => epubOf({ chapters: {} }), /no chapters/],
  ['a ZIP of other things', 'a.epub', () => zipOf({ 'a.txt': 'x' }), /epub, mobi/],
  ['a broken ZIP', 'a.epub', async () => Buffer.from('PK\x03\x04broken', 'latin1'), /ZIP/],
  ['a PDF', 'a.epub', async () => '%PDF-1.4', /epub, mobi/],
  ['text under another name', 'a.epub', async () => 'words', /epub, mobi/],
  ['nothing', 'a.txt', async () => '', /epub, mobi/],
];
for (const [what, name, bytes, words] of REFUSED) {
  test(`${what} is refused`, async () => {
    const { reason, detail } = failed(await convert(await bytes(), {}, name));
    assert.equal(reason, 'unsupported_file_type', detail);
    assert.match(detail, words);
  });
}

test('fonts that are only obfuscated are no DRM', { skip }, async () => {
  const more = {
    'META-INF/encryption.xml': encrypted('http://www.idpf.org/2008/embedding').replace('a.xhtml', 'f.ttf'),
  };
  assert.equal(pdfinfo(made(await convert(await epubOf({ ...one, more })))).Pages, '1');
});

test('neither the network nor files of this machine can be reached from a book', { skip }, async () => {
  await assertOutOfReach(async ({ web, secret }) => {
    const body = [web, `file://${secret}`, secret, `../../../../../../../..${secret}`]
      .map(
        (
          at,
        ) => `<img src="${at}/i.png" srcset="${at}/s 1x"/><iframe src="${at}"></iframe><object data="${at}" type="text/plain"></object>
          <p style="background:url('${at}/p')">x</p><p style="background:u\\72l(${at}/q)">x</p><video src="${at}/v" poster="${at}/w"/><embed src="${at}"/>
          <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${at}/s" width="9" height="9"/><use href="${at}/u#a"/><script href="${at}/j"/></svg>
          <script src="${at}/j.js"></script><img src="x" onerror="fetch('${at}/e')"/><form action="${at}"><input type="image" src="${at}/n"/></form>`,
      )
      .join('');
    const head = [web, `file://${secret}`]
      .map(
        (
          at,
        ) => `<link rel="stylesheet" href="${at}/c.css"/><link rel="prefetch" href="${at}/f"/><base href="${at}/"/><meta http-equiv="refresh" content="0;url=${at}/r"/>
        <style>@import "${at}/i.css"; @import url(${at}/k.css); @font-face{font-family:f;src:url(${at}/f)} p{background:url(${at}/b);font-family:f}</style>`,
      )
      .join('');
    return made(await convert(await epubOf({ chapters: { 'a.xhtml': xhtml(body, head) } })));
  });
});

const WORDS: Record<string, RegExp> = {
  'EpubReader__1.epub': /Chapter 1[\s\S]*Chapter 3/,
  'epubcheck__ocf-minimal-valid.epub': /Call me Ishmael/,
  'tika__test.fb2': /ЧАСТЬ ПЕРВАЯ/,
  'tika__testEPUB.epub': /Subchapter 2\.2/,
};
test('books of the collection convert, with bookmarks', { skip: skip || noCorpus() }, async (t) => {
  for (const { name, path } of corpusFiles('ebook')) {
    await t.test(name, async () => {
      const pdf = made(await convert(readFileSync(path), {}, name));
      qpdfCheck(pdf);
      assert.match(pdftotext(pdf), WORDS[name] ?? /[\s\S]/);
      assert.ok(bookmarks(pdf).length > 0);
    });
  }
});
