import type { Scenario } from '../scenario.ts';

const NESTED = 'fixtures/images-in-forms.pdf';

export const images: Scenario[] = [
  {
    name: 'extract-images, 12 images in forms, to PNG',
    op: 'misc/extract-images',
    files: { fileInput: [NESTED] },
    params: { format: 'png' },
    rival: { program: 'pdfimages', args: ['-png', NESTED, '{out}'] },
    requests: 100,
    connections: 4,
  },
];
