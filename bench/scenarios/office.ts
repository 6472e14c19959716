import type { Scenario } from '../scenario.ts';

const LETTER = 'fixtures/letter.docx';

export const office: Scenario[] = [
  {
    name: 'file/pdf, a small Word document',
    op: 'convert/file/pdf',
    files: { fileInput: [LETTER] },
    params: {},
    // One at a time: LibreOffices that share a profile hand their work to the first.
    rival: { program: 'soffice', args: ['--headless', '--convert-to', 'pdf', '--outdir', '{out}', LETTER] },
    requests: 40,
    connections: 1,
    goals: { throughputRatio: 5 },
  },
];
