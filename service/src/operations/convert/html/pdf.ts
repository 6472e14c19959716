import { findPage } from '../../../procedures/page-archives.ts';
import { file, operation, pdfFile } from '../../define.ts';
import { number } from '../../fields.ts';
import { printFields, printOptions, waitFields } from '../../print-fields.ts';

export default operation({
  summary: 'Print HTML to PDF',
  description:
    'Takes an HTML file, or a ZIP of one with its style sheets, images and fonts: index.html at the shallowest level, ' +
    'else the first HTML file by name. Scripts run, but nothing is fetched from outside and no other file is read: ' +
    'such resources stay blank. The paper is A4 unless paperSize or an @page rule says otherwise.',
  example: { paperSize: 'A4', landscape: true, printBackground: true },
  inputs: { fileInput: file(['html', 'zip'], 'HTML, or a ZIP of HTML with its CSS, images and fonts') },
  params: {
    zoom: number('Scale of the content', { default: 1, min: 0.1, max: 10 }),
    ...printFields(),
    ...waitFields(),
  },
  output: pdfFile(''),
  uses: ['archive', 'browser'],
  refuses: ['page_out_of_range'],
  async run({ fileInput }, params, { engine }) {
    const { bytes, path, resource } = await findPage(engine.archive, fileInput, 'html');
    const page = { html: bytes, path, resource, scripts: true, title: fileInput.base };
    return { content: await engine.browser.print(page, { ...printOptions(params), zoom: params.zoom }) };
  },
});
