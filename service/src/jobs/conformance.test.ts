import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, type Ran, runHere, runPipelineHere } from '../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../testing/documents/collection.ts';
import { sample } from '../../testing/documents/pdfa-documents.ts';
import { askProgram, missing, qpdfCheck, qpdfObjects } from '../../testing/oracles/programs.ts';

const skip = missing('pdfinfo', 'qpdf');

const PART_1 = sample({ part: '1', version: '1.4' });
const PART_2 = sample();
const PART_3 = sample({ part: '3' });

const told = (ran: Ran): string | undefined =>
  ran.state === 'made' ? ran.result.headers['X-Conformance'] : undefined;

const metadataOf = (bytes: Uint8Array): string => askProgram('pdfinfo', ['-meta', '{}'], bytes);

async function verdicts(bytes: Uint8Array): Promise<[standard: string, compliant: boolean][]> {
  const ran = await runHere('security/verify-pdf', { files: { fileInput: { name: 'a.pdf', bytes } } });
  const items = JSON.parse(made(ran).toString('utf8')) as { standard: string; compliant: boolean }[];
  return items.map(({ standard, compliant }) => [standard, compliant]);
}

const NOTE = { name: 'note.txt', bytes: Buffer.from('a note') };

type Step = [path: string, params?: Record<string, string>, files?: Record<string, typeof NOTE>];

const on = (bytes: Uint8Array, [path, params = {}, files = {}]: Step): Promise<Ran> =>
  runHere(path, { files: { fileInput: { name: 'paper.pdf', bytes }, ...files }, params });

const OPAQUE: Step[] = [
  ['security/add-watermark', { watermarkText: 'Draft', opacity: '1' }],
  ['misc/add-stamp', { stampType: 'text', stampText: 'Seen', pageNumbers: 'all', opacity: '1' }],
  ['misc/add-page-numbers'],
  ['misc/compress-pdf'],
  ['general/rotate-pdf', { angle: '90' }],
  ['misc/linearize-pdf'],
  ['misc/decompress-pdf'],
  ['misc/flatten'],
];
const FADED: Step = ['security/add-watermark', { watermarkText: 'Draft', opacity: '0.5' }];
const ATTACHED: Step = ['misc/add-attachments', {}, { attachments: NOTE }];
const ALL_STEPS = [...OPAQUE, FADED, ATTACHED];

test('opaque marks and rewriting keep what a document claims, in part 1 without object streams', {
  skip,
}, async (t) => {
  for (const [name, bytes] of [
    ['1b', PART_1],
    ['2b', PART_2],
    ['3b', PART_3],
  ] as const)
    for (const step of OPAQUE)
      await t.test(`${name} ${step[0]}`, async () => {
        const ran = await on(bytes, step);
        // Compression gives back a document that it cannot make smaller: nothing is said of what nobody touched.
        if (step[0] !== 'misc/compress-pdf') assert.equal(told(ran), `kept PDF/A-${name}`);
        assert.deepEqual(await verdicts(made(ran)), [[name, true]]);
        qpdfCheck(made(ran));
        if (name === '1b') assert.ok(!made(ran).includes('/ObjStm') && !made(ran).includes('/XRef'));
      });
});

test('what no longer conforms no longer claims to, and says which rules failed', { skip }, async () => {
  for (const [bytes, step, said] of [
    [PART_1, FADED, 'removed PDF/A-1b (6.2.3.3-1 6.4-3 6.4-5)'],
    [PART_1, ATTACHED, 'removed PDF/A-1b (6.1.11-1 6.1.11-2)'],
    [PART_2, ATTACHED, 'removed PDF/A-2b (6.8-5)'],
  ] as const) {
    const ran = await on(bytes, step);
    assert.equal(told(ran), said);
    assert.doesNotMatch(metadataOf(made(ran)), /pdfaid:(part|conformance)/);
    assert.deepEqual(await verdicts(made(ran)), [['not-pdfa', false]]);
    qpdfCheck(made(ran));
  }
  const faded = await on(PART_2, FADED);
  assert.equal(told(faded), 'kept PDF/A-2b');
  assert.equal(told(await on(PART_3, ATTACHED)), 'kept PDF/A-3b');
});

test('a document that claims nothing is told nothing', async () => {
  for (const step of ALL_STEPS)
    assert.equal(told(await on(readFileSync(fixture('everything.pdf')), step)), undefined);
});

test('a claim that was not true before is not passed on', { skip }, async () => {
  const ran = await on(sample({ catalog: '/OpenAction << /S /Launch /F (x) >>' }), ['general/rotate-pdf']);
  assert.match(told(ran) ?? '', /^removed PDF\/A-2b \(6\.5\.1-1\)$/);
  assert.doesNotMatch(metadataOf(made(ran)), /pdfaid:part/);
});

test('level a becomes level b where its tags go', { skip }, async () => {
  const tagged = sample({
    part: '2',
    conformance: 'A',
    catalog: '/MarkInfo << /Marked true >> /Lang (en) /StructTreeRoot 6 0 R',
    more: ['<< /Type /StructTreeRoot >>'],
  });
  assert.equal(told(await on(tagged, ['general/rotate-pdf'])), 'kept PDF/A-2a');
  const ran = await on(tagged, ['misc/scanner-effect']);
  assert.match(
    told(ran) ?? '',
    /^(kept PDF\/A-2[ub]|removed PDF\/A-2a \([^)]*\)), (kept PDF\/A-2[ub]|removed PDF\/A-2a \()/,
  );
  const [item] = await verdicts(made(ran));
  assert.match(item?.[0] ?? '', /^2[ub]$/);
  assert.equal(item?.[1], true);
});

test('encryption and the removal of metadata end a claim', { skip }, async () => {
  const locked = await on(PART_2, ['security/add-password', { password: 'secret' }]);
  assert.equal(told(locked), 'removed PDF/A-2b (encrypted)');
  const opened = askProgram(
    'qpdf',
    ['--password=secret', '--show-object=5', '--filtered-stream-data', '{}'],
    made(locked),
  );
  assert.doesNotMatch(opened, /pdfaid:part/);
  assert.equal(told(await on(PART_2, ['security/sanitize-pdf'])), 'removed PDF/A-2b');
});

test('a signed document is told of, not changed', { skip }, async () => {
  const file = (name: string) => ({ name, bytes: readFileSync(fixture(`keys/${name}`)) });
  const files = { privateKeyFile: file('signer-key.pem'), certFile: file('signer-cert.pem') };
  for (const [name, bytes] of [
    ['1b', PART_1],
    ['2b', PART_2],
  ] as const) {
    const ran = await on(bytes, ['security/cert-sign', { certType: 'PEM' }, files]);
    assert.equal(told(ran), `kept PDF/A-${name}`);
    assert.deepEqual(await verdicts(made(ran)), [[name, true]]);
    assert.deepEqual(made(ran).subarray(0, bytes.length), bytes);
  }
});

test('of several steps only the result counts; of several results all', { skip }, async () => {
  const ran = await runPipelineHere({
    files: { fileInput: { name: 'paper.pdf', bytes: PART_2 } },
    params: {
      steps: JSON.stringify([
        { op: 'security/add-watermark', params: { watermarkText: 'Draft' } },
        { op: 'general/rotate-pdf', params: { angle: 90 } },
      ]),
    },
  });
  assert.equal(told(ran), 'kept PDF/A-2b');
  const merged = await runHere('general/merge-pdfs', {
    files: {
      fileInput: [
        { name: 'a.pdf', bytes: PART_2 },
        { name: 'b.pdf', bytes: PART_2 },
      ],
    },
  });
  assert.equal(told(merged), 'kept PDF/A-2b');
  const parts = await on(made(merged), ['general/split-pages', { pageNumbers: 'all' }]);
  assert.equal(told(parts), 'kept PDF/A-2b');
});

test('output intents stay, those for printing too', { skip }, async () => {
  const press =
    '<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (CGATS TR 001) /RegistryName (http://www.color.org) >>';
  const bytes = sample({ catalog: `/OutputIntents [${press}]` });
  for (const step of [...OPAQUE, ['general/merge-pdfs', {}, { fileInput2: NOTE }] as Step]) {
    const ran =
      step[0] === 'general/merge-pdfs'
        ? await runHere(step[0], {
            files: {
              fileInput: [
                { name: 'a.pdf', bytes },
                { name: 'b.pdf', bytes },
              ],
            },
          })
        : await on(bytes, step);
    const kinds = Object.values(qpdfObjects(made(ran))).flatMap(
      ({ value }) => JSON.stringify(value ?? '').match(/"\/S":"\/GTS_PDFX"/g) ?? [],
    );
    assert.ok(kinds.length > 0, step[0]);
    assert.match(told(ran) ?? 'kept', /^kept/, step[0]);
  }
});

test('PDF/X other than X-4 cannot be told', { skip }, async () => {
  const bytes = sample({
    part: '',
    conformance: '',
    trailer: '/Info 6 0 R',
    more: ['<< /GTS_PDFXVersion (PDF/X-1a:2001) >>'],
  });
  assert.equal(told(await on(bytes, ['general/rotate-pdf'])), 'unverified PDF/X-1a:2001');
});

const EXPECTED = corpus('pdfa').filter((path) => path.includes('-pass-'));

test('documents of the collection that conform still do, or no longer say so', {
  skip: noCorpus() || skip,
}, async (t) => {
  for (const path of EXPECTED)
    await t.test(path.split('/').slice(-2).join('/'), async () => {
      for (const step of ALL_STEPS) {
        const ran = await on(readFileSync(path), step);
        const items = await verdicts(made(ran));
        const claims = items.filter(([standard]) => standard !== 'not-pdfa');
        assert.ok(
          claims.every(([, compliant]) => compliant),
          `${step[0]}: ${JSON.stringify(items)}`,
        );
        assert.match(told(ran) ?? 'kept', claims.length > 0 ? /kept/ : /removed/, step[0]);
      }
    });
});
