import { operation, pdfFile } from '../../define.ts';
import { url } from '../../fields.ts';
import { printFields, printOptions, waitFields } from '../../print-fields.ts';

const LONGEST_NAME = 50;

export default operation({
  summary: 'Print a web page to PDF',
  description:
    'Loads a public http or https address in a browser and prints it. Only public addresses are reached: the page, ' +
    'up to 5 redirects and everything it loads are checked one by one, and what is not allowed is left out.',
  example: { urlInput: 'https://example.org/', paperSize: 'A4' },
  inputs: {},
  params: {
    urlInput: url('Address of the page', { required: true, aliases: ['url'] }),
    ...printFields(),
    ...waitFields(),
  },
  output: pdfFile(''),
  uses: ['browser'],
  refuses: ['page_out_of_range'],
  async run(_inputs, params, { engine }) {
    const content = await engine.browser.printAddress(params.urlInput, printOptions(params));
    return { content, name: `${nameOf(params.urlInput)}.pdf` };
  },
});

/** "Name from the URL, non-alphanumerics as `_`, at most 50 characters" (operations 3). */
const nameOf = (address: string): string => address.replaceAll(/[^a-zA-Z0-9]/g, '_').slice(0, LONGEST_NAME);
