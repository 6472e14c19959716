import { findPage } from '../../../procedures/page-archives.ts';
import { file, operation, pdfFile } from '../../define.ts';
import { printFields, printOptions } from '../../print-fields.ts';

export default operation({
  summary: 'Print Markdown to PDF',
  description:
    'Takes a Markdown file, or a ZIP of one with its images: index.md, else the first Markdown file by name. ' +
    'CommonMark with tables, task lists, strikethrough and highlighted code. Plain HTML in the ' +
    'text is kept as far as it only formats; scripts never run, and nothing is fetched from outside.',
  example: { paperSize: 'A4', marginTop: 20 },
  inputs: { fileInput: file(['markdown', 'zip'], 'Markdown, or a ZIP of Markdown with its images') },
  params: printFields(),
  output: pdfFile(''),
  uses: ['archive', 'browser', 'markdown'],
  refuses: ['page_out_of_range'],
  async run({ fileInput }, params, { engine }) {
    const { bytes, path, resource } = await findPage(engine.archive, fileInput, 'markdown');
    const html = engine.markdown.toPage(bytes, fileInput.base);
    const page = { html, path: `${path}.html`, resource, scripts: false, title: fileInput.base };
    return { content: await engine.browser.print(page, printOptions(params)) };
  },
});
