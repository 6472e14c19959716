import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../testing/processor-time.ts';
import { readEml } from './eml.ts';
import { joinFlowedLines } from './mail-text.ts';
import type { Message } from './message.ts';
import { mailPage } from './page.ts';

const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1');
const inUtf8 = (text: string) => Buffer.from(text).toString('latin1');
const pageOf = (message: Message) =>
  mailPage(message, {
    allRecipients: true,
    note: () => '',
    address: (file) => `pictures/${message.files.indexOf(file)}`,
  });

/** Type, coding, body as it travels, and its words. */
const BODIES: [string, string, string, string][] = [
  ['text/plain', '8bit', 'Gr\xfc\xdfe aus K\xf6ln', 'Grüße aus Köln'],
  ['text/plain', 'quoted-printable', 'Gr=FC=DFe', 'Grüße'],
  ['text/plain', 'base64', Buffer.from('Gr\xfc\xdfe', 'latin1').toString('base64'), 'Grüße'],
  ['text/plain', '8bit', inUtf8('Grüße 日本'), 'Grüße 日本'],
  ['text/plain; charset=us-ascii', '8bit', inUtf8('Grüße 日本'), 'Grüße 日本'],
  ['text/plain; charset="unknown-8bit"', '8bit', 'Gr\xfc\xdfe', 'Grüße'],
  ['text/plain', '7bit', '\x1b$B$3$s$K$A$O\x1b(B', 'こんにちは'],
  ['text/html', '8bit', '<meta charset=windows-1251>\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
  ['text/plain; charset=utf-7', '7bit', 'Hi Mom -+Jjo--! +AOk- 1 +- 1', 'Hi Mom -☺-! é 1 + 1'],
  ['text/plain; charset="UTF-7"', 'quoted-printable', '+AOk- =3D +2D3eAA-', 'é = 😀'],
  ['text/html; charset=unicode-1-1-utf-7', '7bit', '+ADw-p+AD4-caf+AOk-+ADw-/p+AD4-', 'café'],
  ['text/plain; charset=utf-8; format=flowed', '8bit', inUtf8('ä \r\nb\r\n> q \r\n> r'), 'ä b\n> q r'],
];
for (const [type, coding, body, words] of BODIES) {
  test(`${type}, ${coding}: ${words.replace(/\n/g, ' / ')}`, async () => {
    const headers = ['From: a@b.c', `Content-Type: ${type}`, `Content-Transfer-Encoding: ${coding}`];
    const { text, html } = readEml(mail(...headers, '', body));
    assert.ok((text ?? html ?? '').includes(words), text ?? html);
  });
}

test('headers that name no characters are read by those of the body', async () => {
  const cyrillic = ['Content-Type: text/plain; charset=windows-1251', 'Content-Transfer-Encoding: 8bit'];
  const subject = 'Subject: \xcf\xf0\xe8\xe2\xe5\xf2';
  assert.equal(readEml(mail('From: a@b.c', subject, ...cyrillic, '', 'x')).subject, 'Привет');
  assert.equal(readEml(mail('From: a@b.c', 'Subject: Gr\xfc\xdfe', '', 'x')).subject, 'Grüße');
  const word = 'Subject: =?utf-7?Q?caf+AOk-_=3D?=';
  assert.equal(readEml(mail('From: a@b.c', word, '', 'x')).subject, 'café =');
});

test('names of files in sections, in other characters and with comments', () => {
  const NAMES: [string, string][] = [
    ["attachment; filename*0*=UTF-8''%e2%82; filename*1*=%ac; filename*2=%20.pdf", '€%20.pdf'],
    ["attachment; filename=plain.pdf; filename*=iso-8859-1'en'%fcber.pdf", 'über.pdf'],
    ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
    ['attachment; filename=bare.pdf (as it was)', 'bare.pdf'],
    ['attachment; filename="=?utf-8?Q?caf=C3=A9.pdf?="', 'café.pdf'],
    [inUtf8("attachment; filename*=UTF-8''Größe%20x.pdf"), 'Größe x.pdf'],
    ['attachment', 'attachment-1.pdf'],
  ];
  for (const [disposition, name] of NAMES) {
    const { files } = readEml(
      mail('From: a@b.c', 'Content-Type: application/pdf', `Content-Disposition: ${disposition}`, '', 'x'),
    );
    assert.equal(files[0]?.name, name);
  }
});

test('a message within a message that travelled in Base64 is shown', () => {
  const inner = Buffer.from('From: "Eve" <eve@y.z>\r\nSubject: within\r\n\r\nwords').toString('base64');
  const coded = ['Content-Type: message/rfc822', 'Content-Transfer-Encoding: base64'];
  const { text } = readEml(mail('From: a@b.c', ...coded, '', inner));
  assert.match(text ?? '', /From: {4}Eve <eve@y\.z>\nSubject: within\n-+\n\nwords/);
});

test('Base64 that is padded in every line is read to its end', () => {
  const coded = ['Content-Type: application/pdf', 'Content-Transfer-Encoding: base64'];
  const { files } = readEml(mail('From: a@b.c', ...coded, '', 'b25l', 'dHdv', 'YQ==', 'Yg=='));
  assert.equal(Buffer.from(files[0]?.bytes ?? []).toString(), 'onetwoab');
});

test('flowed lines are joined where they are quoted as deep, signatures are not', () => {
  assert.equal(
    joinFlowedLines('> one \n> two\n>> deeper \n> back\n stuffed \n line\n-- \nname', false),
    '> one two\n>> deeper \n> back\nstuffed line\n-- \nname',
  );
  assert.equal(joinFlowedLines('half- \nword', true), 'half-word');
});

const IMAGE = ['Content-Type: image/png', 'Content-Transfer-Encoding: base64'];

test('images are found by the address they lie at', async () => {
  const image = (location: string) => ['--R', ...IMAGE, `Content-Location: ${location}`, '', 'AAAA'];
  const message = readEml(
    mail(
      'From: a@b.c',
      'Content-Type: multipart/related; boundary=R',
      'Content-Location: http://site.example/dir/',
      '',
      '--R',
      'Content-Type: text/html',
      'Content-Location: page.html',
      '',
      '<img src="img/0.png"><img src="/1.png"><img src="http://other.example/2.png?a=1&amp;b=2"><img src="3.png">',
      ...image('img/0.png'),
      ...image('http://site.example/1.png'),
      ...image('http://other.example/2.png?a=1&b=2'),
      '--R--',
    ),
  );
  const { html, listed } = pageOf(message);
  for (const index of [0, 1, 2]) assert.ok(html.includes(`<img src="pictures/${index}"`), html);
  assert.doesNotMatch(html, /3\.png|example/);
  assert.deepEqual(listed, []);
});

test('an address within the base that a body names is found, and so is one without any', async () => {
  const message = readEml(
    mail(
      'From: a@b.c',
      'Content-Type: multipart/related; boundary=R',
      '',
      '--R',
      'Content-Type: text/html',
      '',
      '<base href="http://b.example/x/"><img src="pic.png"><img src="rel.png">',
      ...['--R', ...IMAGE, 'Content-Location: http://b.example/x/pic.png', '', 'AAAA'],
      ...['--R', ...IMAGE, 'Content-Location: rel.png', '', 'AAAA', '--R--'],
    ),
  );
  assert.equal(pageOf(message).html.match(/<img src="pictures/g)?.length, 2);
});

test('parts whose boundary is not named, or another one, are read', async () => {
  for (const type of ['multipart/mixed', 'multipart/mixed; boundary="other"']) {
    const { text, html } = readEml(
      mail(
        'From: a@b.c',
        `Content-Type: ${type}`,
        '',
        'preamble',
        '------=_Next',
        'Content-Type: text/plain',
        '',
        'first words',
        '------=_Next',
        'Content-Type: text/html',
        '',
        '<b>second</b>',
      ),
    );
    assert.match(text ?? '', /first words/);
    assert.match(html ?? '', /<b>second<\/b>/);
    assert.doesNotMatch(text ?? '', /preamble|_Next/);
  }
  const bare = readEml(mail('From: a@b.c', 'Content-Type: multipart/mixed', '', 'only words'));
  assert.match(bare.text ?? '', /only words/);
});

test('a message within a message keeps its date, one that is attached every byte', async () => {
  const inner = ['From: x@y', 'Date: Mon, 4 Mar 2024 10:00:00 +0500', 'Subject: \xfc', '', 'k\xf6ln'];
  const message = readEml(
    mail(
      'From: a@b.c',
      'Content-Type: multipart/mixed; boundary=N',
      ...['', '--N', 'Content-Type: message/rfc822', '', ...inner],
      ...['--N', 'Content-Type: message/rfc822', 'Content-Disposition: attachment; filename=o.eml', ''],
      ...[...inner, '--N--'],
    ),
  );
  assert.match(message.text ?? '', /Mon, 4 Mar 2024 10:00:00 \+0500\n/);
  assert.match(message.text ?? '', /Subject: ü[\s\S]*köln/);
  assert.deepEqual(
    message.files.map(({ bytes }) => Buffer.from(bytes).toString('latin1').trimEnd()),
    [inner.join('\r\n')],
  );
});

test('an image between two bodies is shown between them, and listed', async () => {
  const message = readEml(
    mail(
      'From: a@b.c',
      'Content-Type: multipart/mixed; boundary=M',
      ...['', '--M', 'Content-Type: text/html', '', '<p>before</p>'],
      ...['--M', ...IMAGE, 'Content-Disposition: inline; filename=i.png', '', 'AAAA'],
      ...['--M', 'Content-Type: text/html', '', '<p>after</p>', '--M--'],
    ),
  );
  const { html, listed } = pageOf(message);
  assert.match(html, /before[\s\S]*<img src="pictures\/0"[\s\S]*after/);
  assert.equal(html.match(/<img /g)?.length, 1);
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['i.png'],
  );
});

test('hostile parts are read in time', async () => {
  const nested = (depth: number): string[] =>
    Array.from({ length: depth }, (_, level) => [
      `Content-Type: multipart/mixed; boundary=b${level}`,
      '',
      `--b${level}`,
    ]).flat();
  const startedAt = processorMs();
  for (const lines of [
    nested(90),
    ['Content-Type: multipart/mixed; boundary=b', '', ...Array(10_000).fill('--b')],
    ['Content-Type: multipart/mixed', '', ...Array(10_000).fill('--b')],
    ['X: a', ...Array(100_000).fill(' folded'), '', 'x'],
    ['Content-Transfer-Encoding: quoted-printable', '', `${' '.repeat(500_000)}x`],
    ['Content-Type: text/plain; format=flowed', '', ...Array(100_000).fill('> ')],
    ['Content-Type: text/plain; charset=utf-7', '', '+'.repeat(1_000_000)],
    [`Content-Type: text/plain${'; a="'.repeat(10_000)}`, '', 'x'],
  ])
    try {
      readEml(mail('From: a@b.c', ...lines));
    } catch (error) {
      assert.match(String(error), /than anybody would send/);
    }
  assert.ok(processorMs() - startedAt < 10_000);
});
