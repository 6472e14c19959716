import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEml } from './eml.ts';
import { readTnef } from './tnef.ts';

const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer);
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const pad = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

const attribute = (level: number, id: number, value: Buffer) =>
  Buffer.concat([
    Buffer.of(level),
    u32(id),
    u32(value.length),
    value,
    u16(value.reduce((sum, byte) => (sum + byte) & 0xffff, 0)),
  ]);
const varied = (type: number, id: number, value: Buffer, named = Buffer.alloc(0)) =>
  Buffer.concat([u16(type), u16(id), named, u32(1), u32(value.length), pad(value)]);
const unicode = (id: number, text: string) => varied(0x1f, id, Buffer.from(`${text}\0`, 'utf16le'));
const properties = (...list: Buffer[]) => Buffer.concat([u32(list.length), ...list]);
const tnef = (...list: Buffer[]) => Buffer.concat([u32(0x223e9f78), u16(1), ...list]);
const file = (title: string, data: string, ...more: Buffer[]) =>
  Buffer.concat([
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${title}\0`, 'latin1')),
    attribute(2, 0x0006800f, Buffer.from(data)),
    attribute(2, 0x00069005, properties(...more)),
  ]);

const GUID = Buffer.alloc(16, 7);
/** Numbers, names of a program's own and lists stand before what is looked for. */
const OTHERS = [
  Buffer.concat([u16(3), u16(0x0017), u32(1)]),
  Buffer.concat([u16(0x40), u16(0x0039), Buffer.alloc(8)]),
  Buffer.concat([u16(11), u16(0x8001), GUID, u32(0), u32(5), u32(1)]),
  varied(
    0x1f,
    0x8002,
    Buffer.from('x\0', 'utf16le'),
    Buffer.concat([GUID, u32(1), u32(6), pad(Buffer.from('ab\0', 'utf16le'))]),
  ),
  Buffer.concat([u16(0x1003), u16(0x3000), u32(2), u32(1), u32(2)]),
];
const packed = tnef(
  attribute(1, 0x00069007, Buffer.concat([u32(1251), u32(0)])),
  attribute(
    1,
    0x00069003,
    properties(...OTHERS, varied(0x102, 0x1013, Buffer.from('<p>\xcf\xf0</p>', 'latin1'))),
  ),
  file('REPORT~1.PDF', '%PDF-1.4', unicode(0x3707, 'Bericht März.pdf'), unicode(0x370e, 'application/pdf')),
  file('\xcf.txt', 'plain'),
);
const mail = (type: string, body: Buffer, text: string[] = []) =>
  Buffer.from(
    [
      'From: a@b.c',
      'Content-Type: multipart/mixed; boundary=B',
      '',
      ...text,
      '--B',
      `Content-Type: ${type}; name="winmail.dat"`,
      'Content-Transfer-Encoding: base64',
      '',
      body.toString('base64'),
      '--B--',
    ].join('\r\n'),
  );

test('body and files come out of winmail.dat', async () => {
  const message = readEml(mail('application/ms-tnef', packed));
  assert.equal(message.html, '<p>Пр</p>');
  assert.deepEqual(
    message.files.map(({ name, mediaType, bytes }) => [name, mediaType, Buffer.from(bytes).toString()]),
    [
      ['Bericht März.pdf', 'application/pdf', '%PDF-1.4'],
      ['П.txt', 'application/octet-stream', 'plain'],
    ],
  );
});

test('a body beside winmail.dat stays where there is none in it', async () => {
  const text = ['--B', 'Content-Type: text/plain', '', 'beside'];
  const message = readEml(mail('application/octet-stream', tnef(file('a.txt', 'x')), text));
  assert.match(message.text ?? '', /beside/);
  assert.deepEqual(
    message.files.map(({ name }) => name),
    ['a.txt'],
  );
});

test('broken ones end, with what was there before', () => {
  assert.equal(readTnef(Buffer.from('no such thing')), undefined);
  for (let length = 6; length < packed.length; length += 1) readTnef(packed.subarray(0, length));
  const endless = properties(...OTHERS);
  endless.writeUInt32LE(0xffffffff, 0);
  assert.deepEqual(readTnef(tnef(attribute(1, 0x00069003, endless)))?.files, []);
  const many = Buffer.concat([u32(1), u16(0x1001), u16(0x3000), u32(0xffffffff)]);
  assert.deepEqual(readTnef(tnef(attribute(1, 0x00069003, many)))?.files, []);
});
