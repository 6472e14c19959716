import { readScripts } from '../../pdf/security/scripts.ts';
import { file, operation, textFile } from '../define.ts';

export default operation({
  summary: 'Show the JavaScript in a PDF',
  description:
    'Scripts of the document stand under their key, those of actions under their place, such as OpenAction, ' +
    'Page 2 O or Field total C; those of XFA forms are numbered. A document without scripts gives one line ' +
    'that says so.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: textFile('', 'js'),
  makes: () => 'javascript',
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const { name } = fileInput;
    const scripts = readScripts(engine.qpdf.open(fileInput)).map(
      ({ place, code }) => `// File: ${name}, Script: ${inOneLine(place)}\n${code.toWellFormed()}\n\n`,
    );
    const text = scripts.length > 0 ? scripts.join('') : `// ${name}: no JavaScript\n`;
    return { content: { bytes: Buffer.from(text, 'utf8') }, name: `${name}.js` };
  },
});

/** A place holds names of the document's making; a line end in one would end the comment. */
const inOneLine = (place: string): string => place.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').toWellFormed();
