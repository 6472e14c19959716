import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { burn } from '@kenjiuno/msgreader/lib/Burner.js';
import sharp from 'sharp';
import { failed, made, madeName } from '../../../../testing/calls/run-here.ts';
import { corpusFiles, noCorpus } from '../../../../testing/documents/collection.ts';
import { assertOutOfReach, callsOf, noBrowser } from '../../../../testing/oracles/printing.ts';
import { askProgram, pdfinfo, pdftotext, qpdfCheck } from '../../../../testing/oracles/programs.ts';
import { drawnPage } from '../../../../testing/oracles/rasters.ts';

const skip = await noBrowser('pdfinfo', 'pdftotext', 'pdfdetach', 'qpdf', 'pdftocairo');
const convert = callsOf('convert/eml/pdf', 'mail.eml');

const lines = (...given: string[]) => given.join('\r\n');
const attachment = (
  name: string,
  bytes: Uint8Array | string,
  type = 'application/octet-stream',
  more: string[] = [],
) =>
  lines(
    '--B',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    ...more,
    '',
    Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n'),
  );
const HEAD = [
  'From: "Ann <b>Bold</b>" <ann@example.org>',
  'To: bob@example.org',
  'Cc: carol@example.org',
  'Bcc: dave@example.org',
  'Subject: Plans & <script>alert(1)</script>',
  'Date: Sat, 22 Nov 2008 15:04:59 +1100',
  'MIME-Version: 1.0',
];
const mixed = (html: string, ...files: string[]) =>
  lines(
    ...HEAD,
    'Content-Type: multipart/mixed; boundary=B',
    '',
    '--B',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    ...files,
    '--B--',
  );

test('headers are shown as text, whatever they hold', { skip }, async () => {
  const ran = await convert(lines(...HEAD, '', 'Hello  there\r\n  indented'));
  assert.equal(madeName(ran), 'mail.eml.pdf');
  const pdf = made(ran);
  qpdfCheck(pdf);
  const text = pdftotext(pdf, '-layout');
  for (const words of [
    'Ann <b>Bold</b>',
    'bob@example.org',
    'carol@',
    'dave@',
    '15:04:59',
    '<script>alert(1)',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`);
  assert.equal(pdfinfo(pdf).Title, 'Plans & <script>alert(1)</script>');
});

test('without all recipients neither copies are told', { skip }, async () => {
  const text = pdftotext(made(await convert(lines(...HEAD, '', 'x'), { includeAllRecipients: 'false' })));
  assert.match(text, /bob@/);
  assert.doesNotMatch(text, /carol@|dave@/);
});

test('an HTML body is laid out, with the images the message carries', { skip }, async () => {
  const red = { create: { width: 60, height: 60, channels: 3, background: '#ff0000' } } as const;
  const image = await sharp(red).png().toBuffer();
  const html =
    '<style>.big{font-size:30px}</style><p class=big>Größe</p><table><tr><td>cell</td></tr></table>' +
    '<img src="cid:pic@x"><script>document.write("scripted")</script>';
  const eml = mixed(html, attachment('red.png', image, 'image/png', ['Content-ID: <pic@x>']));
  const pdf = made(await convert(eml));
  const text = pdftotext(pdf);
  assert.match(text, /Größe[\s\S]*cell/);
  assert.doesNotMatch(text, /scripted|red\.png/);
  const { data } = await drawnPage(pdf);
  let reds = 0;
  for (let at = 0; at < data.length; at += 3)
    if ((data[at] ?? 0) > 240 && (data[at + 1] ?? 0) < 20 && (data[at + 2] ?? 0) < 20) reds += 1;
  assert.ok(reds > 1000, `${reds} red pixels`);
});

test('attachments are listed, embedded where asked for, and large ones only listed', { skip }, async () => {
  const large = Buffer.alloc(1024 ** 2 + 1, 'x');
  const eml = mixed(
    '<p>x</p>',
    attachment('a.txt', 'one'),
    attachment('a.txt', 'two'),
    attachment('large.bin', large),
  );
  const listed = made(await convert(eml));
  assert.match(askProgram('pdfdetach', ['-list', '{}'], listed), /^0 embedded/);
  assert.match(pdftotext(listed), /a\.txt[\s\S]*large\.bin/);
  const embedded = made(await convert(eml, { includeAttachments: 'true', maxAttachmentSizeMB: '1' }));
  qpdfCheck(embedded);
  const names = askProgram('pdfdetach', ['-list', '{}'], embedded);
  assert.match(names, /2 embedded files[\s\S]*a\.txt[\s\S]*a_1\.txt/);
  assert.match(pdftotext(embedded), /large\.bin[\s\S]*not embedded/);
});

test('downloadHtml returns the page itself, safe on its own', async () => {
  const eml = mixed(
    '<p onclick=x>Hi<img src="cid:p"></p><script>y</script>',
    attachment('p.png', 'x', 'image/png', ['Content-ID: <p>']),
  );
  const ran = await convert(eml, { downloadHtml: 'true' });
  assert.equal(madeName(ran), 'mail.eml.html');
  assert.ok(ran.state === 'made');
  assert.equal(ran.result.mediaType, 'text/html; charset=utf-8');
  assert.equal(ran.result.headers['Content-Security-Policy'], 'sandbox');
  const html = ran.bytes.toString();
  assert.match(html, /<img src="data:image\/png;base64,eA=="/);
  assert.doesNotMatch(html, /<script|onclick/);
});

test('a message in a message and an invitation are shown', { skip }, async () => {
  const inner = lines('From: eve@example.org', 'Subject: Inner one', '', 'inner words');
  const event = lines(
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'SUMMARY:Meeting of all',
    'DTSTART:20260102T150000Z',
    'END:VEVENT',
    'END:VCALENDAR',
  );
  const eml = mixed(
    '<p>x</p>',
    lines('--B', 'Content-Type: message/rfc822', '', inner),
    attachment('i.ics', event, 'text/calendar'),
  );
  const text = pdftotext(made(await convert(eml)));
  for (const words of [
    'eve@example.org',
    'Inner one',
    'inner words',
    'Meeting of all',
    '2026-01-02 15:00 UTC',
    'i.ics',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`);
});

/** A message of Outlook's kind that holds a subject and a body in RTF. */
function rtfMsg(rtf: string): Uint8Array {
  const subject = Buffer.from('Rich words', 'utf16le');
  const packed = Buffer.alloc(16 + rtf.length);
  packed.writeUInt32LE(12 + rtf.length, 0);
  packed.writeUInt32LE(rtf.length, 4);
  packed.write('MELA', 8, 'latin1');
  packed.write(rtf, 16, 'latin1');
  const properties = Buffer.alloc(32 + 32);
  for (const [index, [tag, size]] of (
    [
      [0x0037001f, subject.length + 2],
      [0x10090102, packed.length],
    ] as const
  ).entries()) {
    properties.writeUInt32LE(tag, 32 + 16 * index);
    properties.writeUInt32LE(6, 36 + 16 * index);
    properties.writeUInt32LE(size, 40 + 16 * index);
  }
  const document = (name: string, bytes: Buffer) => ({
    name,
    type: 2,
    binaryProvider: () => Uint8Array.from(bytes),
    length: bytes.length,
  });
  return burn([
    { name: 'Root Entry', type: 5, length: 0, children: [1, 2, 3] },
    document('__properties_version1.0', properties),
    document('__substg1.0_0037001F', subject),
    document('__substg1.0_10090102', packed),
  ]);
}

test('a body that is there only as RTF is read', { skip }, async () => {
  const ran = await convert(rtfMsg(String.raw`{\rtf1\ansi First \b line\b0\par Caf\'e9}`), {}, 'note.msg');
  assert.equal(madeName(ran), 'note.msg.pdf');
  assert.match(pdftotext(made(ran)), /Rich words[\s\S]*First line\nCafé/);
});

const REFUSED: [string, Uint8Array | string][] = [
  ['plain text', 'Dear Bob,\nno message at all.\n'],
  ['a PDF', '%PDF-1.4\n'],
  ['nothing', ''],
  ['another compound file', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])],
  ['a broken msg', Buffer.from(rtfMsg('{\\rtf1 x}')).subarray(0, 600)],
];
for (const [what, bytes] of REFUSED) {
  test(`${what} is refused, naming what is taken`, async () => {
    const { reason, detail } = failed(await convert(bytes));
    assert.equal(reason, 'unsupported_file_type');
    assert.match(detail, /mail\.eml.*eml and msg/);
  });
}

test('neither the network nor files of this machine can be reached from a message', { skip }, async () => {
  await assertOutOfReach(async ({ web, secret }) => {
    const html = [web, `file://${secret}`, secret]
      .map(
        (
          at,
        ) => `<img src="${at}/i.png" srcset="${at}/s.png 1x"><iframe src="${at}"></iframe><object data="${at}"></object>
          <link rel="stylesheet" href="${at}/c.css"><link rel="prefetch" href="${at}"><link rel="dns-prefetch" href="${at}">
          <style>@import "${at}/i.css"; @font-face{font-family:f;src:url(${at}/f)} p{background:url(${at}/b);font-family:f}</style>
          <p style="background:url('${at}/p')">x</p><video src="${at}/v" poster="${at}/w"></video><table background="${at}/t"></table>
          <svg><image href="${at}/s"/><use href="${at}/u#a"/></svg><meta http-equiv="refresh" content="0;url=${at}/r">
          <script src="${at}/j.js"></script><img src=x onerror="fetch('${at}/e')"><input type=image src="${at}/n"><base href="${at}/">
          <embed src="${at}/m"><audio src="${at}/a"></audio><body background="${at}/y">`,
      )
      .join('');
    return made(await convert(mixed(html)));
  });
});

/** Words that must be in the PDF. */
const WORDS: Record<string, RegExp> = {
  'mail__attachment_pdf.eml': /broken\.pdf/,
  'mail__japanese_attachment.eml': /てすと\.txt/,
  'james-mime4j__multi-nested.eml': /Part 1 of the outer[\s\S]*Part 5 of the outer/,
  'tika__testMSG_att_doc.msg': /test pièce jointe 1[\s\S]*contenu[\s\S]*pj1\.txt/,
  'mail__content_transfer_encoding_text-html.eml': /Approval Form/,
};
test('messages of the collection convert', { skip: skip || noCorpus() }, async (t) => {
  for (const { name, path } of corpusFiles('mail')) {
    await t.test(name, async () => {
      const pdf = made(await convert(readFileSync(path), { includeAttachments: 'true' }, name));
      qpdfCheck(pdf);
      assert.match(pdftotext(pdf), WORDS[name] ?? /\w/);
    });
  }
});
