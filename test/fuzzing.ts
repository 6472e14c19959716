// Calls of all operations with files and texts changed at random, and what a service must never answer to them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OPERATIONS } from '../service/src/operations/index.generated.ts';
import { type ExampleFile, exampleCall } from '../service/testing/calls/example-calls.ts';
import { epubOf, xhtml } from '../service/testing/documents/books.ts';
import { compoundFile } from '../service/testing/documents/compound-file.ts';
import { IMAGES } from '../service/testing/documents/images.ts';
import { docx, odf, paragraph, pptx, xlsx } from '../service/testing/documents/office-documents.ts';
import {
  mutated,
  mutatedInside,
  oneOf,
  randomFrom,
  unpackedPdf,
} from '../service/testing/hostile-input/mutations.ts';
import { filePart, fixture, form, type RunningService } from './service.ts';

interface Sample {
  name: string;
  bytes: Buffer;
}

/** Operations by what they cost: those that start a program of their own come less often. */
const SLOW =
  /^(?:convert\/(?:file|html|markdown|eml|ebook|url)\/pdf|misc\/ocr-pdf|convert\/pdf\/(?:pdfa|vector))$/;
/** What reaches out of the machine has nothing to read. */
const LEFT_OUT = new Set(['convert/url/pdf', 'security/timestamp-pdf']);
const SLOW_SHARE = 0.06;

const PDFS = [
  'everything.pdf',
  'annotated-pages.pdf',
  'form-fields.pdf',
  'images-in-forms.pdf',
  'tied-pages.pdf',
  'scan.pdf',
  'type1-fonts.pdf',
  'type1c-fonts.pdf',
  'embedded-fonts.pdf',
  'text-two-pages.pdf',
  'reading-tagged.pdf',
  'everything-locked.pdf',
  'right-to-left.pdf',
];

export interface Fuzzing {
  cases: number;
  /** By status. */
  answers: Record<string, number>;
  failures: string[];
}

/** What cases are made of: one call each, the same for the same number. */
export class Cases {
  readonly #pdfs: Sample[];
  readonly #others: Readonly<Record<string, Sample[]>>;

  private constructor(pdfs: Sample[], others: Record<string, Sample[]>) {
    this.#pdfs = pdfs;
    this.#others = others;
  }

  static async make(): Promise<Cases> {
    const pdfs = PDFS.flatMap((name) => {
      const bytes = readFileSync(fixture(name));
      return [
        { name, bytes },
        { name, bytes: unpackedPdf(bytes) },
      ];
    });
    const images = Object.entries(await IMAGES()).map(([name, bytes]) => ({ name, bytes }));
    const office = [
      { name: 'a.docx', bytes: readFileSync(fixture('letter.docx')) },
      { name: 'b.docx', bytes: await docx(paragraph('Words')) },
      { name: 'a.xlsx', bytes: await xlsx('<row r="1"><c r="A1"><v>1</v></c></row>') },
      { name: 'a.pptx', bytes: await pptx('') },
      { name: 'a.odt', bytes: await odf('text', { body: '<text:p>Words</text:p>' }) },
    ];
    const mail = [
      { name: 'a.msg', bytes: compoundFile() },
      {
        name: 'a.eml',
        bytes: Buffer.from(
          'From: a@example.org\r\nSubject: =?utf-8?Q?W=C3=B6rds?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Words</p>\r\n--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a.png\r\n\r\niVBORw0KGgo=\r\n--b--\r\n',
        ),
      },
    ];
    const books = [
      { name: 'a.epub', bytes: await epubOf({ chapters: { 'a.xhtml': xhtml('<h1>One</h1><p>Words</p>') } }) },
    ];
    const keys = [
      'signer.p12',
      'signer-legacy.p12',
      'signer.jks',
      'signer.jceks',
      'signer-key.pem',
      'signer-cert.pem',
    ].map((name) => ({
      name,
      bytes: readFileSync(fixture(`keys/${name}`)),
    }));
    return new Cases(pdfs, {
      'convert/img/pdf': images,
      'convert/svg/pdf': [{ name: 'a.svg', bytes: readFileSync(fixture('drawing.svg')) }],
      'convert/file/pdf': office,
      'convert/eml/pdf': mail,
      'convert/ebook/pdf': books,
      'convert/html/pdf': [{ name: 'a.html', bytes: readFileSync(fixture('invoice.html')) }],
      'security/cert-sign': keys,
    });
  }

  async call(
    number: number,
  ): Promise<{ op: string; body: FormData; files: Sample[]; params: Record<string, string> }> {
    const random = randomFrom(number);
    const isSlow = random() < SLOW_SHARE;
    const paths = Object.keys(OPERATIONS).filter((path) => !LEFT_OUT.has(path) && SLOW.test(path) === isSlow);
    const op = oneOf(random, paths);
    const declared = OPERATIONS[op];
    if (!declared) throw new Error(op);
    const call = exampleCall(op, declared);
    const files: Sample[] = [];
    const fields: Record<string, string | File[]> = {};
    for (const [field, given] of Object.entries(call.files)) {
      const made: File[] = [];
      for (const file of given) {
        const sample = this.#sample(op, field, file, random);
        const bytes = await changed(sample, random);
        files.push({ name: sample.name, bytes });
        made.push(filePart(new Uint8Array(bytes), sample.name));
      }
      fields[field] = made;
    }
    const params: Record<string, string> = {};
    for (const [field, text] of Object.entries(call.params))
      params[field] = random() < 0.15 ? mutated(Buffer.from(text), random).toString('utf8') : text;
    return { op, body: form({ ...params, ...fields }), files, params };
  }

  /** Of the kind that the example is. */
  #sample(op: string, field: string, file: ExampleFile, random: () => number): Sample {
    const own = this.#others[op];
    if (own && (field === 'fileInput' || op === 'security/cert-sign') && !isPdf(file))
      return oneOf(random, own);
    if (isPdf(file)) return oneOf(random, this.#pdfs);
    return typeof file === 'string'
      ? { name: basename(file), bytes: readFileSync(file) }
      : { name: file.name, bytes: Buffer.from(file.bytes) };
  }
}

const isPdf = (file: ExampleFile): boolean => typeof file === 'string' && file.endsWith('.pdf');

const changed = async ({ name, bytes }: Sample, random: () => number): Promise<Buffer> =>
  /\.(?:docx|xlsx|pptx|odt|epub|cbz|zip)$/.test(name) && random() < 0.8
    ? mutatedInside(bytes, random)
    : mutated(bytes, random);

/** What the limits of a service may answer. */
const LIMITS = new Set([
  'memory_exceeded',
  'deadline_exceeded',
  'unavailable',
  'missing_dependency',
  'insufficient_storage',
]);

/** Runs cases from the first number on, several at once, until there were so many or the time is over. */
export async function fuzz(
  service: RunningService,
  {
    first,
    most,
    untilMs,
    keepIn,
    atOnce = 4,
  }: { first: number; most: number; untilMs: number; keepIn?: string; atOnce?: number },
): Promise<Fuzzing> {
  const cases = await Cases.make();
  const result: Fuzzing = { cases: 0, answers: {}, failures: [] };
  let next = first;
  const fail = (number: number, op: string, what: string, files: readonly Sample[], params: object): void => {
    result.failures.push(`case ${number}, ${op}: ${what}`);
    if (keepIn === undefined) return;
    mkdirSync(keepIn, { recursive: true });
    writeFileSync(join(keepIn, `${number}.json`), JSON.stringify({ op, what, params }, undefined, 2));
    for (const [index, { name, bytes }] of files.entries())
      writeFileSync(join(keepIn, `${number}-${index}-${name}`), bytes);
  };
  const lane = async (): Promise<void> => {
    while (next < first + most && Date.now() < untilMs) {
      const number = next;
      next += 1;
      const { op, body, files, params } = await cases.call(number);
      try {
        const response = await service.post(op, body);
        result.answers[response.status] = (result.answers[response.status] ?? 0) + 1;
        const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
        const reason = response.status < 500 ? '' : reasonIn(text);
        if (response.status >= 500 && !LIMITS.has(reason))
          fail(number, op, `${response.status} ${text.slice(0, 300)}`, files, params);
      } catch (error) {
        fail(number, op, String(error), files, params);
      }
      result.cases += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  for (const line of service.output().split('\n'))
    if (line.includes('worker ended during a job') && !/"signal":"SIGKILL"/.test(line))
      result.failures.push(line.slice(0, 400));
  const left = await leftBehind(service);
  if (left.length > 0) result.failures.push(`left behind: ${left.join(', ')}`);
  return result;
}

const reasonIn = (text: string): string => {
  try {
    return String((JSON.parse(text) as { reason?: string }).reason);
  } catch {
    return 'no problem document';
  }
};

const PATIENCE_MS = 5000;

/** What of the jobs is still on disk a while after the last of them. */
async function leftBehind({ dataDir }: RunningService): Promise<string[]> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; ; ) {
    const left = readdirSync(join(dataDir, 'work'), { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        !/^(?:incoming|results|worker-\d+)$/.test(name) && !/^worker-\d+\/(?:browser|office|\.)/.test(name),
    );
    if (left.length === 0 || Date.now() > giveUpAt) return left;
    await new Promise((next) => setTimeout(next, 50));
  }
}
