// How fast documents are made smaller. How small, and how like the original: bench/compression.ts.
import type { Scenario } from '../scenario.ts';

const GHOSTSCRIPT = ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook'];

const against = (name: string, path: string): Scenario => ({
  name: `compress-pdf, ${name}`,
  op: 'misc/compress-pdf',
  files: { fileInput: [path] },
  params: {},
  rival: { program: 'gs', args: [...GHOSTSCRIPT, '-sOutputFile={out}', path] },
  requests: 40,
  connections: 2,
  goals: { throughputRatio: 3 },
});

export const compression: Scenario[] = [
  against('fonts', 'fixtures/embedded-fonts.pdf'),
  against('12 pictures in forms', 'fixtures/images-in-forms.pdf'),
];
