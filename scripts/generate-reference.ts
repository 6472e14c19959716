// docs/reference/operations.md and problems.md, from what operations and the table of problems declare.
import { KINDS } from '../service/src/contract/kinds.ts';
import { LIMITS } from '../service/src/contract/limits.ts';
import { PROBLEMS, type Reason } from '../service/src/contract/problems.ts';
import type { AnyOperation, FileInput, Output } from '../service/src/operations/define.ts';
import type { Field, FieldKind } from '../service/src/operations/fields.ts';
import { sketch } from './schema-sketch.ts';

/** A word for each kind; a new kind does not compile until it has one. */
const KIND_WORDS: Record<FieldKind, string> = {
  text: 'text',
  secret: 'password',
  integer: 'whole number',
  number: 'number',
  flag: 'true or false',
  choice: 'choice',
  list: 'list',
  pages: 'pages',
  colour: 'colour',
  size: 'size',
  url: 'address',
  json: 'JSON',
};

/** What these kinds expect is told once, above all tables. */
const TOLD_ABOVE: readonly FieldKind[] = ['flag', 'pages', 'colour', 'size', 'url'];

export async function operationsReference(): Promise<string> {
  // Imported late: the operation index may just have been rewritten.
  const { OPERATIONS } = await import('../service/src/operations/index.generated.ts');
  const form = await import('../service/src/api/openapi/fields.ts');
  const results = await import('../service/src/api/openapi/results.ts');
  const { refusals } = await import('../service/src/operations/refusals.ts');
  const { namedSchema } = await import('../service/src/api/openapi/schemas.ts');
  const paths = Object.keys(OPERATIONS).sort();
  const groups = [...new Set(paths.map((path) => path.split('/')[0] ?? ''))];
  const sections = groups.map((group) => {
    const entries = paths
      .filter((path) => path.startsWith(`${group}/`))
      .map((path) => section(path, OPERATIONS[path] as AnyOperation));
    return `## ${group}\n\n${entries.join('\n')}`;
  });

  function section(path: string, op: AnyOperation): string {
    const rows = [
      ...Object.entries(op.inputs as Record<string, FileInput>).map(inputRow),
      ...Object.entries(op.params as Record<string, Field>).map(fieldRow),
    ];
    const reasons = refusals(op).map((reason) => `\`${reason}\``);
    return `### ${path}

\`POST /api/v1/${path}\`

${[`**${op.summary}.**`, op.description ?? ''].join(' ').trim()}

| field | type | default | valid | meaning |
|---|---|---|---|---|
${rows.join('')}
Result: ${resultText(op.output)}

Refusals: ${reasons.join(', ')}.
`;
  }

  function inputRow([name, input]: [string, FileInput]): string {
    const types = input.kinds.map((kind) => KINDS[kind].label).join(', ');
    const count = input.many ? `${input.min} to ${input.max}; ` : '';
    return row(
      name,
      input.many ? 'files' : 'file',
      presence(input.required, undefined),
      count + types,
      input.description,
    );
  }

  function fieldRow([name, field]: [string, Field]): string {
    const names = [name, ...field.aliases].join('`, `');
    const valid = TOLD_ABOVE.includes(field.kind) ? '' : field.expects;
    return row(
      names,
      KIND_WORDS[field.kind],
      presence(field.required, form.defaultInForm(field)),
      valid,
      field.description,
    );
  }

  function resultText(output: Output): string {
    const name = results.resultName(output);
    const types = results.mediaTypes(output).map((type) => `\`${type}\``);
    const made = `${types.join(' or ')}${name === undefined ? '' : `, \`${name}\``}`;
    if (output.shape === 'json') return `${made}:\n\n\`\`\`\n${jsonSketch(output)}\n\`\`\``;
    const zip = output.shape === 'archive' ? ' (a ZIP)' : '';
    const single = output.shape === 'archive' && output.singleAsItself ? ' One file is sent as itself.' : '';
    const nothing =
      output.shape === 'file' && output.mayBeNothing ? ' 204 where there is nothing to return.' : '';
    const own = Object.entries(output.headers).map(
      ([header, meaning]) => ` Header \`${header}\`: ${meaning}.`,
    );
    return `${made}${zip}.${single}${nothing}${own.join('')}`;
  }

  function jsonSketch(output: Extract<Output, { shape: 'json' }>): string {
    const named = namedSchema('Result', output.schema, 'output');
    return sketch(named.Result ?? {}, named, ['Result']);
  }

  return `<!-- Made by \`npm run generate\` from service/src/operations. -->
# Operations

Every operation is a \`POST\` of a form (\`multipart/form-data\`) with the header \`X-API-KEY\`. The same as data:
[openapi.json](../../service/openapi.json). Failures: [problems.md](problems.md).

${paths.length} operations: ${groups.map((group) => `[${group}](#${group})`).join(', ')}.

## Common to all

- \`file\` is another name of \`fileInput\`. Each file field may instead be sent as \`<field>@upload\` with the id of a
  completed upload, or as \`<field>@url\` with a public http or https address that it is fetched from. All files of a
  request together are at most as large as its body may be.
- With the header \`Prefer: respond-async\` the call becomes a job ([webhooks.md](../webhooks.md) tells of addresses); \`webhookUrl\` is then told
  of its end, signed with \`webhookSecret\` or the key's own.
- \`resultUrl\`: a public https address, such as a pre-signed one of an object store, to PUT the result to, with its
  Content-Type and Content-Length. The answer is then JSON: \`filename\`, \`mediaType\`, \`size\`, \`status\` (what the
  PUT was answered with) and \`location\` (the address without its query).
- \`inputPassword\` opens encrypted PDFs in every operation that takes one; repeat it for several files. At most
  ${LIMITS.passwordBytes} bytes.
- \`reproducible\` (true or false): the same request gives the same bytes whenever it is sent. Dates are those of the
  document, or 1980-01-01, or SOURCE_DATE_EPOCH where the operator set it; identifiers follow from files and fields. In a
  pipeline it stands beside \`steps\` or in the params of any step, and means the whole. Excepted: encryption, signatures,
  timestamps and signed reports, scripts of web pages.
- An absent field takes its default, an empty one counts as absent (page selections excepted), unknown fields are
  ignored. Letter case does not matter in choices.
- **true or false**: also on/off, yes/no, 1/0. **list**: repeat the field, or separate by commas.
- **pages**: \`1,3,5-8\`, \`7-\`, \`all\`, and expressions such as \`2n\` (even pages) or \`2n-1\` (odd pages).
- **colour**: \`#RRGGBB\`, \`RRGGBB\` or \`#RGB\`. **size**: \`500KB\`, \`1.5 MB\`; without a unit, MB; 1 KB to 2 GB.
- **address**: public, http or https, at most 2048 characters, without credentials.
- \`<name>\` in the name of a result is the name of the first file without its extension.
- A PDF that claims to conform to PDF/A, PDF/UA or PDF/X goes on doing so only where it is true. The header
  \`X-Conformance\` tells: \`kept PDF/A-2b\`, or \`removed PDF/A-1b (6.4-3)\` with up to three failed rules, where the
  result no longer conforms and the claim was taken out of its metadata; of level a or u a lower one may stay
  (\`kept PDF/A-2b, removed PDF/A-2a (...)\`). \`violated\`: so it is, but the result is signed or encrypted and stays as
  it is. \`unverified\`: PDF/X other than X-4, and files above 256 MiB.
- Refusals name the usual reasons; [every operation](problems.md) may also meet the general ones (key, rate, size,
  upload, deadline).

${sections.join('\n')}`;
}

function presence(required: boolean, byDefault: unknown): string {
  if (required) return '**required**';
  if (byDefault === undefined) return '';
  return `\`${typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault)}\``;
}

const row = (name: string, ...cells: string[]): string =>
  `| \`${name}\` | ${cells.map((text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`;

export async function problemsReference(): Promise<string> {
  const rows = (Object.keys(PROBLEMS) as Reason[]).map((reason) => {
    const { status, code, title, hint } = PROBLEMS[reason];
    return `| <a id="${reason}"></a>\`${reason}\` | ${status} | \`${code}\` | ${title} | ${hint} |\n`;
  });
  return `<!-- Made by \`npm run generate\` from service/src/contract/problems.ts. -->
# Problems

Every failure is \`application/problem+json\` (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`reason\`,
\`hint\` and \`error\`; in a pipeline also \`step\`, \`op\` and \`file\`. Branch on \`reason\`, fall back to \`code\`. \`detail\`
names the field or file; it is for people and may change.

| reason | status | code | title | hint |
|---|---|---|---|---|
${rows.join('')}`;
}
