import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCalendar } from './calendar.ts';
import { cleanHtml } from './clean-html.ts';
import { cleanDeclarations, cleanSheet } from './clean-style.ts';
import { looksLikeEml, readEml } from './eml.ts';
import { readRtf } from './rtf.ts';

const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1');
const clean = (html: string) =>
  cleanHtml(html, (source) => (source === 'cid:pic%40x' ? 'pictures/0' : undefined)).html;

const HOSTILE: [string, string, string][] = [
  ['scripts', 'a<script>alert(1)</script>b', 'ab'],
  ['handlers', '<p onclick="x()" onerror=y>t</p>', '<p>t</p>'],
  ['addresses that run', '<a href="javascript:x()">t</a><a href=" JaVaScRiPt:x()">u</a>', '<a>t</a><a>u</a>'],
  ['data addresses in links', '<a href="data:text/html,x">t</a>', '<a>t</a>'],
  ['forms, their words kept', '<form action="http://x/"><input name=a><button>send</button></form>', 'send'],
  ['frames and objects', '<iframe src=x></iframe><object data=x>o</object><embed src=x>t', 't'],
  [
    'pictures from outside, their words kept',
    '<img src="http://x/a.png" alt="logo"><img src=//x/b>',
    '<span>logo</span>',
  ],
  ['other files of this machine', '<img src="file:///etc/passwd"><img src="/etc/passwd">', ''],
  ['sheets from outside', '<link rel=stylesheet href=http://x/a.css><base href=http://x/>t', 't'],
  ['drawings with scripts', '<svg><script>x</script><image href="http://x"/></svg>t', 't'],
  ['refreshing', '<meta http-equiv=refresh content="0;url=http://x">t', 't'],
  ['comments for one program', '<!--[if mso]><b>x</b><![endif]-->t', 't'],
  [
    'broken nesting that hides a script',
    '<p title="</p><script>x</script>">t',
    '<p title="&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;">t</p>',
  ],
  ['style that covers', '<b style="position:fixed;top:0;color:red">t</b>', '<b style="color:red">t</b>'],
  ['style that loads', '<b style="background:url(http://x);margin:1px">t</b>', '<b style="margin:1px">t</b>'],
  ['escaped style', '<b style="backgr\\6fund:u\\72l(http://x)">t</b>', '<b>t</b>'],
  ['own elements of Word', '<o:p>t</o:p>', 't'],
];
for (const [what, given, expected] of HOSTILE) {
  test(`a body without ${what}`, () => assert.equal(clean(given), expected));
}

test('images of the message, links, tables and words stay', () => {
  assert.equal(
    clean('<table width="5"><tr><td bgcolor=red><img src="cid:pic%40x" alt="a&quot;b"></td></tr></table>'),
    '<table width="5"><tbody><tr><td bgcolor="red"><img src="pictures/0" alt="a&quot;b"></td></tr></tbody></table>',
  );
  assert.equal(clean('<a href="https://x/?a=1&amp;b">t</a>'), '<a href="https://x/?a=1&amp;b">t</a>');
});

test('direction, language and looks of the page stay with its words', () => {
  assert.equal(
    clean(
      '<html dir="rtl" lang="he"><body bgcolor=#eee text="red" style="margin:0;position:fixed" onload=x>t</body></html>',
    ),
    '<div dir="rtl" lang="he"><div style="background-color:#eee;color:red;margin:0">t</div></div>',
  );
  assert.equal(clean('<body bgcolor="red;position:fixed">t'), 't');
});

test('nesting without end is cut', () => {
  assert.ok(clean(`${'<div>'.repeat(50_000)}x`).length < 10_000);
});

test('sheets keep looks, and nothing that loads', () => {
  assert.equal(
    cleanSheet(
      '@import url(http://x/a.css); @font-face{src:url(x)} /* } */ body{color:red;position:fixed} .a>p{margin:0;}',
    ),
    ':scope{color:red}\n.a>p{margin:0}',
  );
  assert.equal(
    cleanSheet('@media print{p{color:red}} p{background:url("x")}'),
    '@media print{p{color:red}}\np{}',
  );
  assert.ok(!cleanSheet('p{color:red}</style><script>x</script>{}').includes('<'));
  assert.equal(cleanDeclarations('font-family:"a;b", serif;content:"x"'), 'font-family:"a;b", serif');
});

const CHARSETS: [string, string, string, string][] = [
  ['iso-2022-jp', '7bit', '\x1b$B$3$s$K$A$O\x1b(B', 'こんにちは'],
  ['windows-1251', '8bit', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
  ['windows-1252', 'quoted-printable', '=80 =93q=94', '€ “q”'],
  ['iso-8859-15', '8bit', '\xa4', '€'],
  ['gb2312', 'base64', 'xOO6ww==', '你好'],
  ['shift_jis', '8bit', '\x93\xfa\x96{', '日本'],
  ['koi8-r', '8bit', '\xf0\xf2', 'ПР'],
  ['utf-8', 'base64', 'w6TDtsO8', 'äöü'],
];
for (const [charset, coding, body, expected] of CHARSETS) {
  test(`${charset}, ${coding}`, async () => {
    const headers = [`Content-Type: text/plain; charset=${charset}`, `Content-Transfer-Encoding: ${coding}`];
    const message = readEml(mail('From: a@b.c', ...headers, '', body));
    assert.equal(message.text?.trim(), expected);
  });
}

test('encoded words, long names of files, flowed text', async () => {
  const message = readEml(
    mail(
      'From: =?ISO-8859-1?Q?J=FCrgen_=22X=22?= <j@x.de>',
      'To: Team: a@b.c, =?utf-8?B?w6Q=?= <d@e.f>;, g@h.i',
      'Subject: =?iso-2022-jp?B?GyRCJUYlOSVIGyhC?= =?UTF-8?Q?=C3=A4?=',
      'Content-Type: multipart/mixed; boundary=B',
      '',
      '--B',
      'Content-Type: text/plain; format=flowed',
      '',
      'one ',
      'line',
      'two',
      '--B',
      'Content-Type: application/pdf',
      "Content-Disposition: attachment; filename*0*=UTF-8''%e2%82%ac; filename*1=-rate.pdf",
      '',
      'x',
      '--B',
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      'Content-Disposition: attachment',
      '',
      'x',
      '--B--',
    ),
  );
  assert.equal(message.from, 'Jürgen "X" <j@x.de>');
  assert.equal(message.to, 'Team: a@b.c, ä <d@e.f>;, g@h.i');
  assert.equal(message.subject, 'テストä');
  assert.match(message.text ?? '', /^one line\ntwo/);
  assert.deepEqual(
    message.files.map(({ name }) => name),
    ['€-rate.pdf', 'winmail.dat'],
  );
});

test('headers cannot bring lines of their own', async () => {
  const message = readEml(mail('Subject: =?utf-8?Q?a=0D=0ABcc:_x=00?=', 'From: a@b.c', '', 'x'));
  assert.doesNotMatch(message.subject, /[\r\n\0]/);
  assert.equal(message.bcc, '');
});

test('messages in messages are read, to a depth', async () => {
  let inner = 'Subject: deepest\r\nFrom: a@b.c\r\n\r\nend';
  for (let level = 0; level < 40; level += 1)
    inner = `Subject: level ${level}\r\nFrom: a@b.c\r\nContent-Type: message/rfc822\r\n\r\n${inner}`;
  const message = readEml(Buffer.from(inner));
  assert.equal(message.subject, 'level 39');
  assert.match(message.text ?? '', /level 38/);
});

test('what is no message is not taken for one', () => {
  for (const text of [
    '',
    'Hello world\n',
    'Dear Sir: how are you\n\nx',
    '%PDF-1.4\n',
    '<html></html>',
    'key: value\nother: x\n\n',
  ])
    assert.equal(looksLikeEml(Buffer.from(text)), false, text);
  for (const text of ['Subject: x\n\n', 'From x@y Mon\nTo: b\n\n', 'x-odd:1\nReceived: x\n y\n\n'])
    assert.equal(looksLikeEml(Buffer.from(text)), true, text);
});

test('text comes out of RTF, with its code pages', () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fnil Arial;}{\f1\fswiss\fcharset204 Arial Cyr;}}{\*\generator X;}\uc1 Caf\'e9 \u8364?\par \f1 \'cf\'f0\f0\line a\{b\tab c{\pict 0102}}`;
  assert.equal(readRtf(rtf).text, 'Café €\nПр\na{b\tc');
});

test('HTML that was wrapped in RTF comes out as it went in', () => {
  const rtf = String.raw`{\rtf1\ansi\fromhtml1 \deff0{\fonttbl{\f0 Arial;}}{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 {\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 bold \'e4{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0 {\*\htmltag72 </p>}\htmlrtf\par}\htmlrtf0}`;
  assert.equal(readRtf(rtf).html, '<p><b>bold ä</b></p>');
});

test('hostile RTF ends', () => {
  for (const rtf of ['{'.repeat(100_000), '\\'.repeat(1000), `{\\rtf1 ${"\\'".repeat(1000)}`, '\\u', '}}}}'])
    assert.equal(typeof (readRtf(rtf).text ?? ''), 'string');
});

test('an invitation tells what, when and where', () => {
  const lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'SUMMARY:Talk\\, long',
    ' er',
    'DTSTART;TZID=Europe/Berlin:20260102T150000',
    'DTEND:20260102T160000Z',
    'ORGANIZER;CN="A: B":mailto:a@b.c',
    'END:VEVENT',
    'SUMMARY:outside',
  ];
  assert.deepEqual(
    readCalendar(Buffer.from(lines.join('\r\n'))).map(({ value }) => value),
    ['Talk, longer', '2026-01-02 15:00 Europe/Berlin', '2026-01-02 16:00 UTC', 'A: B <a@b.c>'],
  );
});
