// `bindery verify-report`: whether a redaction report is genuine, and speaks of this very file.
import { createHash, createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { BinderyError, plainLine, type RedactionReport, reportKeyOf, verifyReport } from '@bindery/sdk';
import { type Command, columns, UsageError, type Words } from './command.ts';
import { unreadable } from './failures.ts';
import { jsonText } from './shown.ts';

const MOST_BYTES = 16 * 1024 ** 2;

export const VERIFY_REPORT: Command = {
  summary: 'Check a redaction report: its signature, and that it speaks of a file',
  positionals: ['redaction-report.json'],
  options: {
    file: { value: 'pdf', description: 'The redacted document: its SHA-256 must be that of the report' },
    key: {
      value: 'file',
      description: "The service's public key, as PEM or as the service tells it: works offline",
    },
    url: {
      value: 'address',
      description: 'The service to ask for its key (default: BINDERY_URL, or this machine)',
    },
    term: { value: 'text', description: 'Whether this term was asked for; needs --secret' },
    secret: { value: 'text', description: 'The reportSecret of the call' },
    json: { description: 'Print the report as JSON' },
  },
  examples: [
    'bindery verify-report redaction-report.json --file contract_redacted.pdf',
    'bindery verify-report redaction-report.json --key redaction-key.pem',
  ],
  async run(words, print) {
    const [path = ''] = words.positionals;
    const text = await smallFile(path);
    const file = words.text('file');
    const report = await verifyReport(text, {
      publicKey: await keyOf(words),
      ...(file === undefined ? {} : { fileSha256: await sha256(file) }),
    });
    const term = askedFor(report, words);
    if (words.flag('json')) return print(jsonText(report));
    print(columns(rowsOf(report, { file, term })));
  },
};

function rowsOf(
  report: RedactionReport,
  { file, term }: { file: string | undefined; term: string | undefined },
): [string, string][] {
  const { service, input, output, asked, removed, attachments, verification } = report;
  const checks = verification.checks.map(
    ({ check, reader, result, note }) =>
      `${check} (${reader}): ${result}${note === undefined ? '' : `, ${note}`}`,
  );
  const files = attachments.files.length;
  const rows: [string, string][] = [
    ['report', 'genuine: the signature fits the key'],
    ...(file === undefined ? [] : [['file', `${file} is the document of the report`] as [string, string]]),
    ...(term === undefined ? [] : [['term', term] as [string, string]]),
    ['signed', `${report.issuedAt} by ${service.name} ${service.version}`],
    ['operation', report.operation],
    ['input', `${input.name ?? ''} ${input.sha256}`.trim()],
    ['output', output.sha256],
    ...(asked.terms ? [['terms', String(asked.terms.count)] as [string, string]] : []),
    ['removed', `${removed.boxes} boxes, ${removed.strings} strings`],
    [
      'attachments',
      files === 0 ? 'none' : `${files}, ${attachments.searched ? 'none left unseen' : 'not searched'}`,
    ],
    ...checks.map((check): [string, string] => ['verified', check]),
  ];
  return rows.map(([name, value]) => [name, plainLine(value)]);
}

/** Undefined where nobody asks. */
function askedFor({ asked }: RedactionReport, words: Words): string | undefined {
  const [term, secret] = [words.text('term'), words.text('secret')];
  if (term === undefined && secret === undefined) return undefined;
  if (term === undefined || secret === undefined) throw new UsageError('--term and --secret go together');
  const hmac = createHmac('sha256', secret).update(term, 'utf8').digest('hex');
  if (asked.terms?.hmac?.includes(hmac)) return 'was asked for';
  throw new BinderyError('The report does not tell that this term was asked for.', {
    code: 'bad_request',
    reason: 'report_invalid',
    hint: 'Give the term letter by letter as it was sent, and the reportSecret of that call.',
  });
}

async function keyOf(words: Words): Promise<string> {
  const path = words.text('key');
  if (path !== undefined) return pemIn(await smallFile(path));
  const url = words.text('url') ?? (process.env.BINDERY_URL || 'http://127.0.0.1:8080');
  return reportKeyOf(url).catch((error: unknown) => {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  });
}

/** A key file, or the answer of the service. */
function pemIn(text: string): string {
  try {
    return String((JSON.parse(text) as { publicKey?: unknown }).publicKey);
  } catch {
    return text;
  }
}

async function smallFile(path: string): Promise<string> {
  const { size } = await stat(path).catch(() => {
    throw unreadable(path);
  });
  if (size > MOST_BYTES) throw new UsageError(`${path} is larger than any report`);
  return readFile(path, 'utf8').catch(() => {
    throw unreadable(path);
  });
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  } catch {
    throw unreadable(path);
  }
  return hash.digest('hex');
}
