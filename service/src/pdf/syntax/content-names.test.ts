import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContentNames, namesInContent } from './content-names.ts';

type Expected = Partial<Record<keyof ContentNames, string[]>>;

const UNDERSTOOD: [string, Expected][] = [
  ['', {}],
  ['q /Im0 Do Q', { XObject: ['Im0'] }],
  ['BT /F1 12 Tf (a \\) /F9 1 Tf ( nested ) ) Tj ET', { Font: ['F1'] }],
  ['BT/F1 1 Tf<2F4631>Tj[(a)-3(b)]TJ ET', { Font: ['F1'] }],
  [
    '/GS0 gs /Cs8 cs /Cs9 CS /P1 scn 0.5 0.2 /P2 SCN /Sh1 sh',
    {
      ExtGState: ['GS0'],
      ColorSpace: ['Cs8', 'Cs9'],
      Pattern: ['P1', 'P2'],
      Shading: ['Sh1'],
    },
  ],
  ['/OC /MC0 BDC EMC /Span << /MCID 0 /Lang (en) >> BDC EMC /Tag /MC1 DP', { Properties: ['MC0', 'MC1'] }],
  ['/A#20B Do % /Not Do\n/C Do', { XObject: ['A B', 'C'] }],
  ['BI /W 1 /H 1 /BPC 8 /CS /MyCs ID \x01 EI\x80 /X Do \xff EI Q', { ColorSpace: ['MyCs'] }],
  ['BI /W 2 /D [1 0] ID ab\nEI\n/Im1 Do', { XObject: ['Im1'] }],
  ['1 0 0 -1 .5 +2 cm 3 w (x) \' 1 2 (y) " T* b* f*', {}],
];

for (const [content, expected] of UNDERSTOOD) {
  test(`names in ${JSON.stringify(content)}`, () => {
    const names = namesInContent(Buffer.from(content, 'latin1'));
    assert.ok(names);
    for (const [category, list] of Object.entries(expected)) {
      const found = names[category as keyof ContentNames];
      assert.ok(
        list.every((each) => found.has(each)),
        `${category}: ${[...found]}`,
      );
    }
    assert.equal(names.XObject.size, expected.XObject?.length ?? 0);
    assert.equal(names.Font.size, expected.Font?.length ?? 0);
  });
}

for (const content of [
  '(open',
  '<41',
  'q foo Q',
  '12Do',
  '{ 1 add }',
  'BI /W 1 ID abc',
  '/Im0 Do ) Q',
  '\x01\x02',
]) {
  test(`${JSON.stringify(content)} is doubtful`, () => {
    assert.equal(namesInContent(Buffer.from(content, 'latin1')), undefined);
  });
}
