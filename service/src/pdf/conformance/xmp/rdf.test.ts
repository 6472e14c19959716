import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packetOf } from '../../../../testing/documents/pdfa-documents.ts';
import { readRdfPacket } from './rdf.ts';

const TITLE = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A title</rdf:li></rdf:Alt></dc:title>';
const PACKET = packetOf(TITLE);
const NAMED = '<rdf:Description rdf:about=""';

const isSound = (packet: string): boolean => readRdfPacket(Buffer.from(packet)).isSound;

/** The packet with the first of these words replaced. */
function changed(was: string, is: string): string {
  assert.ok(PACKET.includes(was), was);
  return PACKET.replace(was, is);
}

test('packets that are no well-formed XML 1.0 are told, though a lenient reader makes them out', () => {
  assert.equal(isSound(PACKET), true);
  for (const [was, is] of [
    ['A title', 'A & title'],
    ['A title', 'A &title; '],
    ['A title', '&#x110000;'],
    ['A title', 'A ]]> title'],
    ['A title', '<!-- a -- b -->'],
    ['A title', '\uffff'],
    [NAMED, `${NAMED} rdf:about=""`],
    [NAMED, '<rdf:Description rdf:about="<"'],
    [NAMED, '<rdf:Description rdf:about="&"'],
    [' xmlns:dc=', ''],
    [' xmlns:xmp=', 'xmlns:xmp='],
    [NAMED, `${NAMED} xmlns:zz=""`],
    [NAMED, `${NAMED} zz:foo="x"`],
    ['<x:xmpmeta', 'words<x:xmpmeta'],
    ['<x:xmpmeta', '\u00a0<x:xmpmeta'],
    ['<x:xmpmeta', '<![CDATA[ ]]><x:xmpmeta'],
    ['<x:xmpmeta', '<?xml version="1.0"?><x:xmpmeta'],
    ['<?xpacket begin', '<?xml version="2.0"?><?xpacket begin'],
  ] as const)
    assert.equal(isSound(changed(was, is)), false, is);
});

test('well-formed packets are taken however they are written', () => {
  for (const [was, is] of [
    ['A title', 'A &#x41;&amp;&#65; > title'],
    ['A title', '<![CDATA[A & title]]>'],
    ['A title', 'A\x05title'],
    ['<x:xmpmeta', '\x05\0<!-- a comment --><x:xmpmeta'],
    ['<?xpacket begin', '<?xml version="1.0" encoding="UTF-8"?>\n<?xpacket begin'],
    ['<?xpacket end', '<?other?><?xpacket end'],
    [NAMED, "<rdf:Description\n rdf:about = ''"],
    [NAMED, '<rdf:Description about=""'],
    ['<rdf:RDF', '<rdf:RDF x:any="thing"'],
  ] as const)
    assert.equal(isSound(changed(was, is)), true, is);
});

test('what RDF does not let stand on a node, on a property or between them is told', () => {
  const second = '</rdf:Description><rdf:Description rdf:about="b" xmlns:xmp="http://ns.adobe.com/xap/1.0/">';
  for (const [was, is] of [
    ['</rdf:RDF>', 'words</rdf:RDF>'],
    ['</rdf:RDF>', '<?instruction?></rdf:RDF>'],
    ['<dc:title>', 'words<dc:title>'],
    ['<dc:title>', '<?instruction?><dc:title>'],
    ['<dc:title>', '<dc:title about="">'],
    ['<dc:title>', '<dc:title xmp:Nickname="x">'],
    ['<dc:title>', '<dc:title rdf:resource="x">'],
    ['<dc:title>', '<dc:title rdf:datatype="x">'],
    ['<rdf:li ', '<rdf:li rdf:ID="x" '],
    ['<rdf:li ', '<rdf:li xml:space="preserve" '],
    ['<rdf:Alt>', '<rdf:Alt rdf:parseType="Resource">'],
    [NAMED, `${NAMED} rdf:resource="x"`],
    [NAMED, `${NAMED} rdf:bagID="x"`],
    [NAMED, `${NAMED} rdf:ID="x"`],
    [NAMED, `${NAMED} foo="x"`],
    [TITLE, `${TITLE}<nobodys/>`],
    [NAMED, '<rdf:Description rdf:about="a"'],
  ] as const) {
    const packet = changed(was, is);
    const isDescribedTwice = is.includes('about="a"');
    assert.equal(isSound(isDescribedTwice ? packet.replace(TITLE, TITLE + second) : packet), false, is);
  }
  assert.equal(isSound(changed(TITLE, TITLE + second)), true);
});

test('an unknown term of RDF on a description is a property nobody defined', () => {
  const { properties } = readRdfPacket(Buffer.from(changed('rdf:about', 'rdf:aboux')));
  assert.deepEqual(
    properties.map(({ local }) => local),
    ['aboux', 'title'],
  );
});

test('the header is what stands before the packet, all of it; its end says nothing', () => {
  const header = (packet: string): object => readRdfPacket(Buffer.from(packet)).header;
  assert.deepEqual(header(changed('end="w"', 'end="w" bytes="1"')), {});
  assert.deepEqual(header(changed('<x:xmpmeta', '<?xpacket begin="" bytes="1"?><x:xmpmeta')), { bytes: '1' });
});
