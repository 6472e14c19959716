import { invalidParameter, Problem } from '../../contract/problems.ts';
import { removeImages } from '../../pdf/images/image-removal.ts';
import { plainText } from '../../pdf/ocr/recognised.ts';
import { layTextOver } from '../../pdf/ocr/text-over-pages.ts';
import { isNoneRead, PageReader } from '../../procedures/page-ocr.ts';
import { replaceWithImages, straightenPages } from '../../procedures/page-replacement.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, flag, list, text } from '../fields.ts';

const FAILED_PAGES = 'X-OCR-Failed-Pages';

export default operation({
  summary: 'Recognise the text of scanned pages',
  description:
    'Words are laid invisibly over the page where its picture shows them, so that it can be searched, selected and ' +
    'copied. Pictures stay as they are, byte for byte, unless cleanFinal or force-ocr draws a page anew; bookmarks, ' +
    'links, forms, tags and attachments are kept. Pages that lie on their side or head are read as they stand. A page ' +
    'that cannot be read stays as it is and is named by the header X-OCR-Failed-Pages; where no page can be, or ' +
    'recognition is ended from outside, the call fails.',
  example: { languages: ['eng'], ocrType: 'skip-text' },
  inputs: { fileInput: file('pdf') },
  params: {
    languages: list(
      'Codes of the languages in the document, such as eng or deu; GET /api/v1/info/status lists those installed',
      text('Code', { required: true, min: 1, max: 60 }),
      { default: ['eng'], min: 1, max: 10 },
    ),
    ocrType: choice(
      'Normal and skip-text: pages with text stay as they are; force-ocr: every page is read, and one with text becomes a picture first',
      ['Normal', 'skip-text', 'force-ocr'],
      { default: 'Normal' },
    ),
    ocrRenderType: choice(
      'Text layer: hocr makes each word as wide as in the picture, sandwich sets each line evenly, words beginning where they do',
      ['hocr', 'sandwich'],
      { default: 'hocr' },
    ),
    sidecar: flag('Also give the text of all pages: a ZIP of the PDF and a text file'),
    deskew: flag('Straighten pages that lie askew'),
    clean: flag('Remove specks, grey of the paper and dark edges before reading'),
    cleanFinal: flag('Show the cleaned pages in the result, too'),
    removeImagesAfter: flag('Drop all images from the result'),
  },
  output: pdfFile('_OCR', {
    alternatives: ['zip'],
    headers: {
      [FAILED_PAGES]:
        'Pages that could not be read and stay as they are, by comma; absent where there are none',
    },
  }),
  uses: ['qpdf', 'pdfium', 'tesseract', 'sharp'],
  // "ocr-pdf with sidecar fit[s] only the last step"
  endsPipeline: ({ sidecar }) => sidecar,
  async run({ fileInput }, params, { engine, newFile, log, progress }) {
    const languages = [...new Set(params.languages)];
    const installed = engine.tesseract.languages;
    const unknown = languages.find((language) => !installed.includes(language));
    if (unknown !== undefined)
      throw invalidParameter(
        `languages: ${unknown} is not installed; installed are ${installed.join(', ')}.`,
      );
    const doc = engine.qpdf.open(fileInput);
    const pages = doc.pages();
    const isForced = params.ocrType === 'force-ocr';
    using given = engine.pdfium.openLike(fileInput, doc);
    const texts = pages.map((_, index) => given.pageText(index).trim());
    const unread = [...pages.keys()].filter((index) => isForced || texts[index] === '');
    if (params.deskew) straightenPages(doc, given, unread, log);
    using view = params.deskew
      ? engine.pdfium.open({ name: fileInput.name, content: doc.save({ keepModificationDate: true }) })
      : given;
    const options = { languages, clean: params.clean || params.cleanFinal };
    const reader = new PageReader(doc, view, options, { engine, newFile, log, progress });
    const readings = await reader.readAll(unread);
    if (isNoneRead(readings))
      throw new Problem('unavailable', 'Not one page could be recognised: Tesseract gave up on all of them.');
    const redrawn = unread.filter(
      (index) => readings.get(index) !== 'failed' && (params.cleanFinal || texts[index] !== ''),
    );
    await replaceWithImages(engine, doc, view, redrawn, { clean: params.cleanFinal, log });
    layTextOver(doc, readings, params.ocrRenderType);
    if (params.removeImagesAfter) removeImages(doc);
    const failed = unread.filter((index) => readings.get(index) === 'failed').map((index) => index + 1);
    const headers: Record<string, string> = failed.length > 0 ? { [FAILED_PAGES]: failed.join(',') } : {};
    const pdf = { content: doc.save(), headers };
    if (!params.sidecar) return pdf;
    const sidecar = pages.map((_, index) => {
      const reading = readings.get(index);
      return typeof reading === 'object' ? plainText(reading.page) : (texts[index] ?? '');
    });
    return {
      suffix: '_OCR',
      entries: [
        { name: `${fileInput.base}_OCR.pdf`, ...pdf },
        { name: `${fileInput.base}_OCR.txt`, content: { bytes: Buffer.from(sidecar.join('\f')) } },
      ],
    };
  },
});
