import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { askProgram, missing } from '../../../../testing/oracles/programs.ts';
import { writtenPage } from '../../../../testing/oracles/reading.ts';

const PARSE = 'import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])';

const xml = (fileInput: string | { name: string; bytes: Uint8Array }) =>
  runHere('convert/pdf/xml', { files: { fileInput } });

test('pages, blocks, lines and spans have the shape and places that are promised', async () => {
  const content = '1 0 0 rg BT /F 12 Tf 72 700 Td (Hello & goodbye) Tj ET';
  const ran = await xml({ name: 'small.pdf', bytes: writtenPage(content) });
  assert.equal(madeName(ran), 'small.xml');
  assert.equal(ran.state === 'made' && ran.result.mediaType, 'application/octet-stream');
  const text = made(ran).toString('utf8').replace(/>\n/g, '>');
  assert.match(
    text,
    /^<\?xml version="1.0" encoding="UTF-8"\?><document pages="1"><metadata title="" author=""[^>]*\/><page number="1" width="612" height="792" rotation="0"><block x="72" y="83" width="[\d.]+" height="12"><line><span font="Helvetica" size="12" bold="false" italic="false" color="#ff0000">Hello &amp; goodbye<\/span><\/line><\/block><\/page><\/document>\s*$/,
  );
});

test('another reader finds it well-formed', { skip: missing('python3') }, async () => {
  for (const name of ['reading.pdf', 'everything.pdf', 'images-in-forms.pdf'])
    askProgram('python3', ['-c', PARSE, '{}'], made(await xml(fixture(name))));
});

test('lists keep their markers and images have places', async () => {
  const text = made(await xml(fixture('reading.pdf'))).toString('utf8');
  assert.match(text, />1\. First open the box\.</);
  assert.match(text, /A Field Guide to Reading — draft edition/);
  assert.match(
    made(await xml(fixture('images-in-forms.pdf'))).toString('utf8'),
    /<image x="[\d.]+" y="[\d.]+" width="[\d.]+" height="[\d.]+"\/>/,
  );
});
