// Formulas as text, Markdown and Word tell them, on pages set by TeX in its old fonts and in one of OpenType.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { onePage } from '../../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
import { schemaFaults } from '../../../../testing/oracles/office-schemas.ts';
import { writtenPage } from '../../../../testing/oracles/reading.ts';
import { processorMs } from '../../../../testing/processor-time.ts';

type Input = string | { name: string; bytes: Uint8Array };

const convert = async (to: string, fileInput: Input): Promise<Buffer> =>
  made(await runHere(`convert/pdf/${to}`, { files: { fileInput }, params: {} }));
const markdown = async (file: Input): Promise<string> => (await convert('markdown', file)).toString('utf8');
const text = async (file: Input): Promise<string> => (await convert('text', file)).toString('utf8');

const INLINE = ['x_{i}\\in\\mathbb{R}', '\\hat{\\beta}\\le\\bar{y}', 'f(x)=\\frac{1}{1+e^{-x}}'];

/** What was written in the source, but for room between signs. */
const DISPLAYED = [
  'f(x)=\\frac{1}{\\sigma\\sqrt{2\\pi}}\\exp\\left(-\\frac{1}{2}\\left(\\frac{x-\\mu}{\\sigma}\\right)^{2}\\right)\\tag{1}',
  'S_{T_{i}}=\\frac{1}{N}\\sum_{j=1}^{N}(f(A)_{j}-f(B)_{j})^{2}+\\prod_{k\\ne i}\\frac{x_{i}-x_{k}}{2}-\\lim_{n\\to\\infty}a_{n}',
  '\\int_{0}^{\\infty}e^{-at}t^{b-1}dt=\\sqrt[3]{\\frac{a^{2}+b^{2}}{c}}\\ne\\oint_{C}\\nabla\\phi\\cdot d\\mathbf{s}',
  'A=\\begin{pmatrix}a_{11} & a_{12} \\\\ a_{21} & a_{22}\\end{pmatrix},\\quad \\rho(z)=\\begin{cases}a^{2}z & \\mathrm{if}z\\le a \\\\ 0 & \\mathrm{otherwise}\\end{cases}',
  '\\binom{n}{k}+\\widehat{xy}+\\vec{v}+\\overline{x+y}\\notin\\mathcal{L}\\cup\\mathfrak{g}\\Longrightarrow\\Vert w\\Vert\\le\\left[\\sin\\alpha\\right]',
  'b_{0}+\\frac{a_{1}}{b_{1}+\\frac{a_{2}}{b_{2}+\\frac{a_{3}}{b_{3}}}}',
];

const plain = (latex: string): string =>
  latex.replace(/\\left(?=[([])|\\right(?=[)\]])/g, '').replaceAll('\\Longrightarrow', '\\implies');

for (const name of ['formulas.pdf', 'formulas-opentype.pdf']) {
  test(`${name}: formulas are LaTeX in Markdown, and prose is none`, async () => {
    const written = await markdown(fixture(name));
    const displayed = [...written.matchAll(/^\$\$(.*)\$\$$/gm)].map(([, latex = '']) => plain(latex));
    assert.deepEqual(displayed, DISPLAYED.map(plain));
    const inline = [...written.replace(/\$\$.*?\$\$/gs, '').matchAll(/(?<![\\$])\$([^$]+)\$/g)].map(
      ([, latex]) => latex,
    );
    assert.deepEqual(inline, INLINE);
    assert.match(written, /The price was \\\$5 and the year 2026; nobody wrote/);
    assert.doesNotMatch(written, /!\[/);
  });

  test(`${name}: text has letters in the order they are read`, async () => {
    const read = await text(fixture(name));
    assert.match(read, /f\(x\) = 1\/\(σ√\(2π\)\) exp\(−1\/2\(\(x − μ\)\/σ\)2\) \(1\)/u);
    assert.match(read, /let f\(x\) = 1\/\(1 \+ e−x\) as\s+before/u);
    assert.match(read, /b0 \+ a1\/\(b1 \+ a2\/\(b2 \+ a3\/b3\)\)/);
  });

  test(`${name}: formulas are OMML in Word, by the rules of the format`, async () => {
    const docx = await convert('word', fixture(name));
    assert.deepEqual(await schemaFaults(docx), []);
    const xml =
      (await zipEntries(docx)).find((entry) => entry.name === 'word/document.xml')?.bytes.toString('utf8') ??
      '';
    const count = (part: string): number => xml.split(part).length - 1;
    assert.equal(count('<m:oMathPara'), DISPLAYED.length - 1, 'the numbered one stands between tabs');
    assert.equal(count('<m:oMath>') + count('<m:oMath xmlns'), DISPLAYED.length + INLINE.length);
    for (const element of [
      'm:f',
      'm:rad',
      'm:nary',
      'm:sSub',
      'm:sSup',
      'm:d',
      'm:m',
      'm:acc',
      'm:bar',
      'm:limLow',
    ])
      assert.ok(count(`<${element}>`) > 0, element);
  });
}

test('signs in prose, dates, numbers, notes and units make no formula', async () => {
  const lines = [
    'On 12/03/2026 the ISBN 978-3-16-148410-0 cost 5 x 3 = 15 (or less), i.e. 20 % off.',
    'Sulfuric acid, H2SO4, and 2-(4-isobutylphenyl)propanoic acid; see f(x) and a/b [3].',
    'if (a < b && c >= 0) { return a * b + c; } // not a formula',
    'From A to B: 3 + 4; call +49 (0)30 1234-567, x = y is typed as it stands.',
  ];
  const content = lines
    .map((line, i) => `BT /F 11 Tf 60 ${700 - i * 30} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`)
    .join('\n');
  const written = await markdown({ name: 'prose.pdf', bytes: writtenPage(content) });
  assert.doesNotMatch(written, /\$/);
});

/** A page with a font that is named as TeX's, which draws nothing of its own. */
const mathPage = (content: string): Buffer =>
  onePage({
    content,
    page: '/Resources << /Font << /F 5 0 R /M 6 0 R >> >>',
    more: [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /FirstChar 97 /LastChar 122 /Widths [' +
        `${'500 '.repeat(26)}] >>`,
    ],
  });

test('a page full of letters and bars is read within bounds', async () => {
  let content = '';
  for (let row = 0; row < 90; row += 1)
    for (let column = 0; column < 60; column += 1)
      content +=
        `BT /M 7 Tf ${20 + column * 9} ${770 - row * 8} Td (x) Tj ET\n` +
        `${20 + column * 9} ${767 - row * 8} 6 0.4 re f\n`;
  const started = processorMs();
  await markdown({ name: 'many.pdf', bytes: mathPage(content) });
  assert.ok(processorMs() - started < 20_000);
});

test('fractions nested without end are shown as they are', async () => {
  let content =
    'BT /F 10 Tf 60 700 Td (Words before a display that stands in from them, for a while.) Tj ET\n';
  for (let level = 0; level < 60; level += 1)
    content += `BT /M 4 Tf ${300 - level} ${600 - level * 6} Td (x) Tj ET\n${300 - level * 2} ${597 - level * 6} ${4 + level * 4} 0.3 re f\n`;
  const written = await markdown({ name: 'nested.pdf', bytes: mathPage(content) });
  assert.equal(written.split('frac').length < 40, true);
});

test('systems of equations are no tables; formulas in a table with a line under its head stay there', async () => {
  const at = (font: string, x: number, y: number, text: string): string =>
    `BT /${font} 11 Tf ${x} ${y} Td (${text}) Tj ET\n`;
  let content = at(
    'F',
    60,
    700,
    'Words before a system of equations that stands in from them, line by line.',
  );
  for (let row = 0; row < 5; row += 1) {
    const y = 660 - row * 18;
    content += at('F', 200, y, `${row + 2}`) + at('M', 214, y, 'x') + at('F', 240, y, '+');
    content += at('F', 262, y, `${row + 4}`) + at('M', 276, y, 'y') + at('F', 300, y, '=');
    content += at('F', 330, y, `${row * 3}`);
  }
  const csv = (bytes: Buffer) =>
    runHere('convert/pdf/csv', { files: { fileInput: { name: 'system.pdf', bytes } } });
  assert.equal((await csv(mathPage(content))).state, 'nothing');
  const head = at('F', 200, 678, 'Left') + at('F', 262, 678, 'Right') + at('F', 330, 678, 'Sum');
  const lined = await csv(mathPage(`${content}${head}195 673 160 0.5 re f\n`));
  assert.equal(lined.state, 'made');
});
