import { z } from 'zod';
import { fontNames } from '../../pdf/fonts/font-names.ts';
import { file, jsonResult, operation } from '../define.ts';

export default operation({
  summary: 'List fonts',
  description:
    'Fonts of all pages, under the names the pages give them and under their own. Fonts used only inside ' +
    'form XObjects or annotations are listed under their own name.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(
    z.object({
      fontCount: z.int().describe('Number of names in fonts'),
      fonts: z.array(z.string()).describe('Distinct font resource names of all pages, sorted'),
      baseFonts: z.array(z.string()).describe('Distinct BaseFont names, sorted'),
    }),
  ),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const { resourceNames, baseFonts } = fontNames(engine.qpdf.open(fileInput));
    return { fontCount: resourceNames.length, fonts: resourceNames, baseFonts };
  },
});
