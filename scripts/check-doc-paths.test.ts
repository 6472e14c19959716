import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { missingPaths, pathsIn } from './check-doc-paths.ts';

const root = mkdtempSync(join(tmpdir(), 'bindery-doc-paths-'));
after(() => rmSync(root, { recursive: true, force: true }));

test('source files and folders are paths; words, addresses, patterns and examples of code are none', () => {
  const text =
    'See `pdf/objects.ts`, `layout/words/` and `scripts/check.ts`; not `edit(ref)`, `main.ts`, `/api/v1/x`, `*.ts` or `fileInput`.';
  assert.deepEqual(pathsIn(`${text}\n\n\`\`\`sh\nnpm run \`pdf/other.ts\`\n\`\`\`\n`), [
    'pdf/objects.ts',
    'layout/words/',
    'scripts/check.ts',
  ]);
});

test('what is named and not there is told, with the document', () => {
  mkdirSync(join(root, 'service/src/pdf'), { recursive: true });
  writeFileSync(join(root, 'service/src/pdf/objects.ts'), '');
  writeFileSync(join(root, 'words.md'), 'Here `pdf/objects.ts`, there `pdf/gone.ts`, `layout/gone/`.');
  assert.deepEqual(missingPaths(root, ['words.md']), [
    'words.md: pdf/gone.ts is not there',
    'words.md: layout/gone/ is not there',
  ]);
});
