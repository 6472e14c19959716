import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { askProgram, missing } from '../../../testing/oracles/programs.ts';

const show = async (bytes: Uint8Array, name = 'a.pdf') => {
  const ran = await runHere('misc/show-javascript', { files: { fileInput: { name, bytes } } });
  assert.equal(madeName(ran), `${name}.js`);
  return made(ran).toString('utf8');
};

const js = (code: string, more = '') => `<< /S /JavaScript /JS (${code}) ${more} >>`;

/** Scripts in every place, as text and as streams, in chains, on a widget that is its own field and on one that is not. */
const EVERYWHERE = onePage({
  catalog: `/OpenAction 5 0 R /AA << /WC ${js('wc')} >> /Outlines 10 0 R
    /Names << /JavaScript << /Names [(start) ${js('doc')} <feff00fc> << /S /JavaScript /JS 6 0 R >>] >> >>
    /AcroForm << /Fields [7 0 R 8 0 R] /XFA [(template) 12 0 R] >>`,
  page: `/AA << /O ${js('po')} /C << /S /GoTo >> >> /Annots [7 0 R 9 0 R << /Subtype /Link /A ${js('link')} >>]`,
  more: [
    `<< /S /GoTo /D [3 0 R /Fit] /Next [${js('n1', `/Next ${js('n2')}`)} 5 0 R] >>`,
    streamOf('stream code', ''),
    `<< /Subtype /Widget /FT /Tx /T (total) /A ${js('press')} /AA << /C ${js('calc')} >> >>`,
    `<< /FT /Tx /T (group) /Kids [9 0 R] /AA << /V ${js('valid')} >> >>`,
    `<< /Subtype /Widget /Parent 8 0 R /T (part) /AA << /U << /S /Rendition /JS (render) >> >> >>`,
    '<< /First 11 0 R /Last 11 0 R >>',
    `<< /Title (One) /Parent 10 0 R /A ${js('mark')} >>`,
    streamOf(
      '<template><event><script contentType="application/x-javascript"><![CDATA[xfa < 1]]></script></event></template>',
    ),
  ],
});

test('every script is shown under its key or its place', async () => {
  const shown = await show(EVERYWHERE);
  const scripts = [...shown.matchAll(/\/\/ File: a\.pdf, Script: (.*)\n(.*)\n\n/g)].map(([, place, code]) => [
    place,
    code,
  ]);
  assert.deepEqual(scripts, [
    ['start', 'doc'],
    ['\u00fc', 'stream code'],
    ['OpenAction', 'n1'],
    ['OpenAction', 'n2'],
    ['Document WC', 'wc'],
    ['Bookmark One', 'mark'],
    ['Page 1 O', 'po'],
    ['Field total A', 'press'],
    ['Field total C', 'calc'],
    ['Field group.part U', 'render'],
    ['Page 1 Link A', 'link'],
    ['Field group V', 'valid'],
    ['XFA 1', 'xfa < 1'],
  ]);
  assert.equal(shown.replace(/\/\/ File: .*\n.*\n\n/g, ''), '', 'nothing between them');
});

test('a document without scripts says so', async () => {
  assert.equal(await show(onePage(), 'plain.pdf'), '// plain.pdf: no JavaScript\n');
});

test('text is UTF-8 without a mark, whatever the document uses', async () => {
  const shown = await show(onePage({ catalog: '/OpenAction << /S /JavaScript /JS <feff65e5672c> >>' }));
  assert.equal(shown, '// File: a.pdf, Script: OpenAction\n\u65e5\u672c\n\n');
  const lone = await show(onePage({ catalog: '/OpenAction << /S /JavaScript /JS <feffd800> >>' }));
  assert.match(lone, /\ufffd/);
});

test('a place cannot break out of its line', async () => {
  const bytes = onePage({ catalog: `/Names << /JavaScript << /Names [(a\\nalert\\(1\\)) ${js('x')}] >> >>` });
  assert.equal(await show(bytes), '// File: a.pdf, Script: a alert(1)\nx\n\n');
});

test('cycles and wrong types end', async () => {
  const bytes = onePage({
    catalog:
      '/OpenAction 5 0 R /AA 7 /Names << /JavaScript [1] >> /AcroForm << /Fields [5 0 R 3 0 R] /XFA 9 >>',
    page: '/AA << /O 5 0 R /C 3 >> /Annots 5 0 R',
    more: ['<< /S /JavaScript /JS 3 0 R /Next [5 0 R 6 0 R] /Kids [5 0 R] >>', '<< /JS (x) /Next 5 0 R >>'],
  });
  assert.match(await show(bytes), /Script: OpenAction\nx\n/);
});

test('poppler finds the same scripts in a collection', {
  skip: noCorpus() || missing('pdfinfo'),
}, async () => {
  for (const path of corpus('pdf/js')) {
    const bytes = readFileSync(path);
    const shown = await show(bytes);
    const code = askProgram('pdfinfo', ['-js', '{}'], bytes).replace(
      /^Name Dictionary.*|^Field.*|^Page.*|^Document.*/gm,
      '',
    );
    const words = new Set(code.split(/\W+/).filter((word) => word.length > 3));
    for (const word of words) assert.ok(shown.includes(word), `${path}: ${word}`);
  }
});
