// What the command is and has, told by `bindery --help` and by the manual page alike.
import { columns } from './command.ts';
import { EXIT, EXIT_WORDS } from './exit-codes.ts';
import { OWN_SUMMARIES } from './own-commands.ts';

export const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  analysis: 'What is in a document',
  convert: 'To PDF, and from PDF to other formats',
  filter: 'Pass a document on, or not',
  form: 'Form fields',
  general: 'Pages: rotate, split, merge, arrange',
  misc: 'Stamps, attachments, OCR, repair, compression',
  security: 'Passwords, redaction, signatures',
};

export const USAGES = [
  'bindery <operation> <file>... [options]',
  'bindery <group> <operation> <file>... [options]',
  'bindery <command> [options]',
] as const;

export const EXAMPLES = [
  'bindery merge a.pdf b.pdf -o merged.pdf',
  'bindery rotate report.pdf --angle 90',
  'bindery compress scan.pdf -o small.pdf',
  'bindery ocr scan.pdf --languages eng -o searchable.pdf',
] as const;

export const ENVIRONMENT: readonly [string, string][] = [
  ['BINDERY_URL', 'address of the service (default: that of bindery login, else http://127.0.0.1:8080)'],
  ['BINDERY_API_KEY', 'API key of the service (default: that of bindery login)'],
  ['BINDERY_CONFIG', 'what bindery login keeps (default: ~/.config/bindery/config.json)'],
  ['CI, NO_COLOR', 'where one is set, no progress is drawn'],
];

export const EXIT_ROWS: readonly [string, string][] = Object.entries(EXIT).map(([name, code]) => [
  String(code),
  EXIT_WORDS[name as keyof typeof EXIT],
]);

export const overview = (): string => `bindery: PDF processing, with a service or by itself

Usage: ${USAGES.join('\n       ')}

Examples:
${EXAMPLES.map((example) => `  ${example}\n`).join('')}
Operations:
${columns(Object.entries(GROUP_SUMMARIES))}
Commands:
${columns(Object.entries(OWN_SUMMARIES))}
Exit codes:
${columns(EXIT_ROWS)}
Environment:
${columns(ENVIRONMENT)}
"bindery help <group>" lists operations, "bindery help <operation>" explains one.
`;
