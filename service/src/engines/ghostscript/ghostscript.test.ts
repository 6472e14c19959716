import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fixture } from '../../../testing/documents/collection.ts';
import { askProgram, missing, pdfinfo } from '../../../testing/oracles/programs.ts';
import { createLog } from '../../contract/log.ts';
import { createGhostscript } from './ghostscript.ts';

const skip = missing('gs', 'pdfinfo', 'pdffonts');
const folder = mkdtempSync(join(tmpdir(), 'bindery-gs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const lines: string[] = [];
let number = 0;
const ghostscript = createGhostscript({
  newFile: (extension) => {
    number += 1;
    return join(folder, `${number}.${extension}`);
  },
  log: createLog('debug', (line) => lines.push(line)),
});

test('pages are drawn anew with their fonts', { skip }, async () => {
  for (const colours of ['RGB', 'CMYK', 'asTheyAre'] as const) {
    const made = await ghostscript.redraw(
      { bytes: readFileSync(fixture('everything.pdf')) },
      { for: 2, colours },
    );
    assert.ok(made && 'path' in made);
    const bytes = readFileSync(made.path);
    assert.equal(pdfinfo(bytes).Pages, '4');
    assert.doesNotMatch(askProgram('pdffonts', ['{}'], bytes), / no +(yes|no) +(yes|no) +\d+ +\d+$/m);
  }
});

test('what is no PDF is not run, and what the program says is not repeated', {
  skip,
}, async () => {
  const trace = join(folder, 'trace');
  const program = `%!PS\n(${trace}) (w) file dup (secret words) writestring closefile`;
  const path = join(folder, 'program.pdf');
  writeFileSync(path, program);
  for (const content of [{ bytes: Buffer.from(program) }, { path }])
    assert.equal(await ghostscript.redraw(content, { for: 1, colours: 'RGB' }), undefined);
  await ghostscript.redraw({ bytes: Buffer.from('%PDF-1.4 secret words') }, { for: 1, colours: 'RGB' });
  assert.ok(!existsSync(trace));
  assert.doesNotMatch(lines.join(''), /secret words/);
});
