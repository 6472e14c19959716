import { writeFileSync } from 'node:fs';
import { Problem } from '../../../contract/problems.ts';
import { displayedPage } from '../../../pdf/geometry/displayed-page.ts';
import { binaryFile, file, type MadeEntry, operation } from '../../define.ts';
import { choice } from '../../fields.ts';

/** Programs that draw side by side. */
const AT_ONCE = 2;

export default operation({
  summary: 'Turn pages into vector drawings',
  description:
    'Lines, text and fills stay vectors that scale without loss. ps: one file with all pages. svg and eps: one page ' +
    'as that file, several as a ZIP, base_converted.zip, of base_<page>.<format>.',
  example: { outputFormat: 'svg' },
  inputs: { fileInput: file('pdf') },
  params: {
    outputFormat: choice('Format of the drawings', ['svg', 'eps', 'ps'], { default: 'svg' }),
  },
  output: binaryFile('svg', '_converted', 'svg', { alternatives: ['eps', 'ps'] }),
  makes: ({ outputFormat }) => outputFormat,
  uses: ['qpdf', 'poppler'],
  async run({ fileInput }, { outputFormat: kind }, { engine, newFile }) {
    const doc = engine.qpdf.open(fileInput);
    const sizes = doc.pages().map((ref) => displayedPage(doc, ref));
    // As qpdf has opened it: repaired, and without a password.
    const content = doc.save({ keepModificationDate: true });
    const pdf = 'path' in content ? content.path : newFile('pdf');
    if ('bytes' in content) writeFileSync(pdf, content.bytes);
    const drawn = (path: string | undefined, what: string): { path: string } => {
      if (path !== undefined) return { path };
      throw new Problem('invalid_pdf', `${what} of ${fileInput.name} cannot be drawn as ${kind}.`);
    };
    if (kind === 'ps') return { content: drawn(await engine.poppler.ps(pdf, sizes), 'The pages'), kind };
    const entries: MadeEntry[] = [];
    const draw = async (index: number): Promise<void> => {
      const page = index + 1;
      const size = sizes[index];
      const path =
        kind === 'svg' || !size
          ? await engine.poppler.svg(pdf, page)
          : await engine.poppler.eps(pdf, page, size);
      const name = `${fileInput.base}_${page}.${kind}`;
      entries[index] = { name, content: drawn(path, `Page ${page}`), kind };
    };
    for (let first = 0; first < sizes.length; first += AT_ONCE)
      await Promise.all([...sizes.keys()].slice(first, first + AT_ONCE).map(draw));
    const [only] = entries;
    if (only && entries.length === 1) return { content: only.content, kind };
    return { entries, suffix: '_converted' };
  },
});
