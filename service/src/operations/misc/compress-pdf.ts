import { levelForRatio } from '../../pdf/compression/levels.ts';
import { ledgerText } from '../../pdf/compression/size-breakdown.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag, integer, number, size } from '../fields.ts';
import { compress, type Wishes } from './_compression.ts';

export default operation({
  summary: 'Make a PDF smaller',
  description:
    'Levels 1 to 3 lose nothing: streams are packed anew (1), equal objects and unused resources go (2), fonts keep ' +
    'the glyphs that are shown (3). Levels 4 to 9 work on pictures as well: those with more dots than their place on ' +
    'the page needs are scaled down (172 dots per inch at level 4, 62 at level 9), and packed as JPEG where that ' +
    'is smaller and still looks the same; thumbnails and private data of programs go. Text, links, forms, tags and ' +
    'attachments stay. A result that would be larger than the document is replaced by the document itself. Digital ' +
    'signatures do not survive; the header X-Compression-Warning says so.',
  example: { optimizeLevel: 5 },
  inputs: { fileInput: file('pdf') },
  params: {
    optimizeLevel: integer('1 to 3 without loss, 4 to 9 pictures too', { default: 5, min: 1, max: 9 }),
    expectedOutputSize: size('Target; the level is raised until it is met, optimizeLevel is not used', {}),
    linearize: flag('Write for fast web view'),
    normalize: flag('Normalise content streams'),
    grayscale: flag('Turn the document to shades of grey: text, drawings, annotations and pictures'),
    lineArt: flag('Turn pictures to black and white line art'),
    lineArtThreshold: number('Brightness in percent below which line art is black', {
      default: 55,
      min: 0,
      max: 100,
    }),
    lineArtEdgeLevel: integer('How much edges are stressed in line art', { default: 1, min: 1, max: 3 }),
  },
  output: pdfFile('_Optimized', {
    headers: {
      'X-Compression-Result':
        'reduced, or unchanged where the document itself is returned; with a target target-met or target-missed',
      'X-Compression-Ledger':
        'Bytes before and after, such as `images=9000/3000; fonts=800/200; streams=700/650; structure=400/100`',
      'X-Compression-Warning': 'signatures-invalidated where the document was signed',
    },
  }),
  uses: ['qpdf', 'sharp', 'pdfium'],
  unused: ({ expectedOutputSize, lineArt }) => [
    ...(expectedOutputSize === undefined ? [] : (['optimizeLevel'] as const)),
    ...(lineArt ? [] : (['lineArtThreshold', 'lineArtEdgeLevel'] as const)),
  ],
  async run({ fileInput }, params, { engine, progress }) {
    const target = params.expectedOutputSize;
    const wishes: Wishes = {
      level: target === undefined ? params.optimizeLevel : levelForRatio(target / fileInput.size),
      targetBytes: target,
      save: { linearize: params.linearize, normalizeContent: params.normalize, objectStreams: 'generate' },
      tones: {
        grey: params.grayscale,
        lineArt: params.lineArt
          ? { threshold: params.lineArtThreshold, edge: params.lineArtEdgeLevel }
          : undefined,
      },
    };
    const { content, bytes, before, after, isSigned } = await compress(engine, fileInput, wishes, progress);
    const isSmaller = bytes <= fileInput.size;
    return {
      content: isSmaller ? content : fileInput.content,
      headers: {
        'X-Compression-Result': outcome(isSmaller, Math.min(bytes, fileInput.size), target),
        'X-Compression-Ledger': ledgerText(before, isSmaller ? after : before),
        ...(isSigned && isSmaller ? { 'X-Compression-Warning': 'signatures-invalidated' } : {}),
      },
    };
  },
});

function outcome(isSmaller: boolean, bytes: number, target: number | undefined): string {
  if (target !== undefined) return bytes <= target ? 'target-met' : 'target-missed';
  return isSmaller ? 'reduced' : 'unchanged';
}
