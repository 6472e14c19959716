import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XmpPacket } from './xmp.ts';

const PACKET = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<!-- keep me -->
<rdf:Description rdf:about="" xmlns:xap="http://ns.adobe.com/xap/1.0/" xap:ModifyDate="2020-01-01T00:00:00Z" xap:CreatorTool='A &amp; "B"'/>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
 <dc:title><rdf:Alt><rdf:li xml:lang="de">Titel</rdf:li><rdf:li xml:lang="x-default">T&#x69;tle</rdf:li></rdf:Alt></dc:title>
 <dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li><![CDATA[<Bob>]]></rdf:li></rdf:Seq></dc:creator>
 <pdfaid:part>2</pdfaid:part>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;

const parse = (text: string) => {
  const packet = XmpPacket.parse(Buffer.from(text));
  assert.ok(packet);
  return packet;
};
const reread = (packet: XmpPacket) => parse(Buffer.from(packet.bytes()).toString());

test('properties are found under any prefix, as attributes, elements, alternatives and lists', () => {
  const packet = parse(PACKET);
  assert.equal(packet.get('xmp:ModifyDate'), '2020-01-01T00:00:00Z');
  assert.equal(packet.get('xmp:CreatorTool'), 'A & "B"');
  assert.equal(packet.get('dc:title'), 'Title');
  assert.deepEqual(packet.values('dc:creator'), ['Ann', '<Bob>']);
  assert.equal(packet.get('pdfaid:part'), '2');
  assert.equal(packet.get('pdf:Producer'), undefined);
});

test('a packet that was not changed is written as it stood', () => {
  assert.equal(Buffer.from(parse(PACKET).bytes()).toString(), PACKET);
});

test('set replaces a value where it stands and adds one that was missing', () => {
  const packet = parse(PACKET);
  packet.set('xmp:ModifyDate', '2026-11-14T00:00:00Z');
  packet.set('dc:title', 'A <b> & "c" \u{1f600} \u05e9\u05dc\u05d5\u05dd \u0001');
  packet.set('pdf:Producer', 'P');
  packet.set('dc:subject', 'one', 'two');
  const again = reread(packet);
  assert.equal(again.get('xmp:ModifyDate'), '2026-11-14T00:00:00Z');
  assert.deepEqual(again.values('dc:title'), ['A <b> & "c" \u{1f600} \u05e9\u05dc\u05d5\u05dd']);
  assert.equal(again.get('pdf:Producer'), 'P');
  assert.deepEqual(again.values('dc:subject'), ['one', 'two']);
  const text = Buffer.from(packet.bytes()).toString();
  assert.match(text, /<!-- keep me -->/);
  assert.match(text, /<pdfaid:part>2<\/pdfaid:part>/);
});

test('remove takes every place of a property', () => {
  const packet = parse(PACKET.replace('<pdfaid:part>', '<dc:title>again</dc:title><pdfaid:part>'));
  packet.remove('dc:title');
  packet.remove('xmp:ModifyDate');
  packet.remove('pdf:Keywords');
  const again = reread(packet);
  assert.equal(again.has('dc:title'), false);
  assert.equal(again.has('xmp:ModifyDate'), false);
  assert.equal(again.get('xmp:CreatorTool'), 'A & "B"');
});

test('our prefix bound to something else is bound anew', () => {
  const packet = parse(
    '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="urn:other"><dc:x/></r:RDF>',
  );
  packet.set('dc:title', 'T');
  assert.equal(reread(packet).get('dc:title'), 'T');
  assert.match(Buffer.from(packet.bytes()).toString(), /<r:Description r:about=""/);
});

test('UTF-16 packets are read', () => {
  const little = Buffer.from(
    `\ufeff${PACKET.replace('<?xpacket', '<?xml version="1.0" encoding="UTF-16"?><?xpacket')}`,
    'utf16le',
  );
  const big = Buffer.from(little).swap16();
  for (const bytes of [little, big]) {
    const packet = XmpPacket.parse(bytes);
    assert.equal(packet?.get('dc:title'), 'Title');
    assert.doesNotMatch(Buffer.from(packet?.bytes() ?? []).toString(), /UTF-16/);
  }
});

const notXmp: Record<string, string> = {
  empty: '',
  text: 'hello',
  'no RDF': '<a/>',
  'other RDF': '<rdf:RDF xmlns:rdf="urn:x"/>',
  unclosed: '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
  'crossed tags': '<a><b></a></b>',
  'open quote': '<a b="',
  'open comment': '<!-- ',
  'document type': `<!DOCTYPE a [<!ENTITY b "c">]>${PACKET}`,
  deep: '<a>'.repeat(100_000),
  'many tags': '<'.repeat(200_000),
};
for (const [what, text] of Object.entries(notXmp)) {
  test(`what is no XMP is undefined: ${what}`, () => {
    assert.equal(XmpPacket.parse(Buffer.from(text)), undefined);
  });
}

test('entities that are not of XML stay as they are', () => {
  const packet = parse(PACKET.replace('T&#x69;tle', '&xxe;&#xffffff;&#xd800;&lt;'));
  assert.equal(packet.get('dc:title'), '&xxe;&#xffffff;\ufffd<');
});
