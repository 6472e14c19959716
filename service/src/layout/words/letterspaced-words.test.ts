// Letters that are set apart make words; letters that stand for themselves do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { missing, pdftotext } from '../../../testing/oracles/programs.ts';

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

async function both(content: string): Promise<{ ours: string; other: string }> {
  const bytes = onePage({ content, page: '/Resources << /Font << /F 5 0 R >> >>', more: [FONT] });
  const ran = await runHere('convert/pdf/text', { files: { fileInput: { name: 'a.pdf', bytes } } });
  return { ours: made(ran).toString().trim(), other: pdftotext(bytes).trim() };
}

/** Each letter alone, set apart by so many points; widths as of Helvetica. */
function apart(text: string, x: number, y: number, by: number): string {
  let at = x;
  return [...text]
    .map((letter) => {
      const shown = `BT /F 12 Tf ${at.toFixed(2)} ${y} Td (${letter}) Tj ET`;
      at += 12 * (WIDTHS[letter] ?? 0.667) + by;
      return letter === ' ' ? '' : shown;
    })
    .join('\n');
}

const WIDTHS: Record<string, number> = {
  ' ': 0.278,
  I: 0.278,
  C: 0.722,
  D: 0.722,
  H: 0.722,
  N: 0.722,
  G: 0.778,
  J: 0.5,
  M: 0.833,
};

test('letters set apart are words', { skip: missing('pdftotext') }, async () => {
  for (const by of [2.4, 4, 6]) {
    const { ours } = await both(apart('SPACED HEADING', 72, 700, by));
    assert.equal(ours, 'SPACED HEADING', `by ${by}`);
  }
  const { ours, other } = await both('BT /F 12 Tf 5 Tc 72 700 Td (SPACED HEADING) Tj ET');
  assert.equal(ours, 'SPACED HEADING');
  assert.equal(other.replace(/\s/g, ''), 'SPACEDHEADING');
});

test('letters that stand for themselves stay so', { skip: missing('pdftotext') }, async () => {
  const typed = await both('BT /F 12 Tf 72 700 Td (X Y Z W Q R) Tj ET');
  assert.equal(typed.ours, 'X Y Z W Q R');
  const alphabet = await both(apart('ABCDEFGH', 72, 700, 6));
  assert.equal(alphabet.ours, 'A B C D E F G H');
});
