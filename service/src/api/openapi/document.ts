// The OpenAPI 3.1 description, derived from the operations. The same input gives the same bytes.
import type { Config } from '../../config.ts';
import { LIMITS } from '../../contract/limits.ts';
import { REDACTION_REPORT } from '../../contract/redaction-report.ts';
import type { AnyOperation } from '../../operations/define.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import { refusals } from '../../operations/refusals.ts';
import { ADMIN_PARAMETERS, ADMIN_SCHEMAS, adminPaths } from './admin-paths.ts';
import { FIELD_COMPONENTS } from './fields.ts';
import { FORM_COMPONENTS, requestBody } from './forms.ts';
import {
  ACCEPTED,
  batchPaths,
  JOB_PARAMETERS,
  JOB_RESPONSES,
  JOB_SCHEMAS,
  jobPaths,
  PREFER,
  WEBHOOKS,
} from './job-paths.ts';
import { camelName, groupOf } from './names.ts';
import { HEADERS, PROBLEM_COMPONENTS, PROBLEM_RESPONSES, problemResponses } from './problems.ts';
import { RESULT_RESPONSES, resultResponses } from './results.ts';
import { type Components, inlineSchema } from './schemas.ts';
import { infoPaths, pipelinePaths, SERVICE_PARAMETERS, uploadPaths } from './service-paths.ts';
import { DELIVERED_RESULT, serviceSchemas } from './service-schemas.ts';
import { usedComponents } from './used-components.ts';

/** Interface 9: "The machine-readable description declares its own version as 0.1.0". */
export const DESCRIPTION_VERSION = '0.1.0';

interface Described {
  operations: Readonly<Record<string, AnyOperation>>;
  version: string;
  limits: Config['limits'];
  /** Where callers reach the service; null: wherever they found the description. */
  baseUrl: string | null;
  metrics: boolean;
}

const GROUPS: Record<string, string> = {
  analysis: 'Facts about a PDF, as JSON.',
  convert: 'To PDF and from PDF.',
  filter: 'Let files pass that meet a condition: the file itself, or 204.',
  form: 'Form fields: list, fill, change, delete.',
  general: 'Pages and bookmarks: rearrange, split, merge, crop, scale.',
  misc: 'Attachments, stamps, images, compression, repair, OCR.',
  security: 'Passwords, redaction, signatures, sanitizing.',
  pipeline: 'Several operations in one request.',
  uploads: 'Files larger than one request allows.',
  jobs: 'Calls that outlive the connection (`Prefer: respond-async`).',
  admin: 'Keys of callers, for keys with the scope admin.',
  info: 'What the service says of itself.',
};

export function openApiDocument(described: Described): Record<string, unknown> {
  const { operations, version, limits, baseUrl, metrics } = described;
  const paths: Record<string, unknown> = {};
  const schemas: Components = {
    ...PROBLEM_COMPONENTS,
    ...FIELD_COMPONENTS,
    ...FORM_COMPONENTS,
    ...serviceSchemas(limits),
    ...JOB_SCHEMAS,
    ...ADMIN_SCHEMAS,
  };
  for (const [path, op] of sortedEntries(operations)) {
    const { entry, components } = operationEntry(path, op);
    paths[`/api/v1/${path}`] = { post: entry };
    Object.assign(schemas, components);
  }
  Object.assign(
    paths,
    pipelinePaths(Object.values(operations)),
    uploadPaths(limits),
    batchPaths(),
    jobPaths(),
    adminPaths,
    infoPaths({ metrics }),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bindery',
      version,
      summary: 'PDF processing over HTTP, one operation at a time or in a pipeline.',
      description: overview(limits),
      contact: { name: 'Bindery' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl ?? '/', description: 'This service' }],
    security: [{ apiKey: [] }],
    tags: tagsOf(Object.keys(operations)),
    paths,
    // As `webhooks` OpenAPI Generator makes calls of them that do not compile.
    'x-webhooks': WEBHOOKS,
    // A file inside a ZIP, which no response can describe.
    'x-redaction-report': inlineSchema(REDACTION_REPORT, 'output'),
    // What is answered in place of the result, whatever the type of that is, where it went to `resultUrl`.
    'x-delivered-result': DELIVERED_RESULT,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'Your API key.' },
      },
      ...usedComponents([paths, WEBHOOKS], {
        headers: HEADERS,
        parameters: { ...SERVICE_PARAMETERS, ...JOB_PARAMETERS, ...ADMIN_PARAMETERS },
        responses: { ...RESULT_RESPONSES, ...JOB_RESPONSES, ...PROBLEM_RESPONSES },
        schemas: Object.fromEntries(sortedEntries(schemas)),
      }),
    },
  };
}

/** The description as the service sends it. */
export const openApiJson = (
  { limits, baseUrl, metrics }: Pick<Config, 'limits' | 'baseUrl' | 'metrics'>,
  operations: Readonly<Record<string, AnyOperation>> = OPERATIONS,
): string =>
  JSON.stringify(
    openApiDocument({
      ...{ operations, version: DESCRIPTION_VERSION, limits, baseUrl },
      metrics: metrics !== false,
    }),
  );

function operationEntry(path: string, op: AnyOperation): { entry: object; components: Components } {
  const { body, components } = requestBody(path, op);
  const { responses, components: resultComponents } = resultResponses(path, op);
  const takesFiles = Object.keys(op.inputs).length > 0;
  const entry = {
    operationId: camelName(path),
    tags: [groupOf(path)],
    summary: op.summary,
    description: op.description ?? `${op.summary}.`,
    parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }, PREFER],
    requestBody: body,
    responses: {
      ...responses,
      ...ACCEPTED,
      // 404: an upload that is not there.
      ...problemResponses(
        400,
        401,
        403,
        ...(takesFiles ? [404] : []),
        408,
        409,
        413,
        422,
        429,
        500,
        503,
        507,
      ),
    },
    'x-uses': [...op.uses],
    'x-refusals': refusals(op),
  };
  return { entry, components: { ...components, ...resultComponents } };
}

const sortedEntries = <T>(table: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1));

function tagsOf(operationPaths: readonly string[]): { name: string; description: string }[] {
  const groups = [...new Set(operationPaths.map(groupOf))].sort();
  return [...groups, 'pipeline', 'uploads', 'jobs', 'admin', 'info'].map((name) => ({
    name,
    description: GROUPS[name] ?? `The operations of the group ${name}.`,
  }));
}

const overview = (
  limits: Config['limits'],
): string => `Every operation is one synchronous call: a form carries the files and fields, the response carries the result. With \`Prefer: respond-async\` it becomes a job that outlives the connection, see \`/api/v1/jobs\`.

**Files.** The main file is \`fileInput\` (\`file\` is another name). Instead of a file part, \`<field>@upload\` may carry the id of a completed upload, or \`<field>@url\` a public http or https address that the file is fetched from. With \`resultUrl\` (a pre-signed https address) the result is PUT there, and the answer tells of it (\`DeliveredResult\`). The content of a file decides its type. A request whose files are all uploads or addresses may be sent as \`application/x-www-form-urlencoded\` too. At most ${LIMITS.filesPerRequest} files and ${limits.requestBytes} bytes a request; larger files go through \`/api/v1/uploads\`, up to ${limits.uploadBytes} bytes each.

**Fields.** An absent field takes its default; an empty one counts as absent, except where stated. Booleans: true/false, on/off, yes/no, 1/0; these and enumerations in any letter case. Lists: repeat the field, or separate by commas where values hold none. JSON fields: text of at most ${LIMITS.jsonBytes} bytes, nested at most ${LIMITS.jsonDepth} deep. Query parameters are read as fields, too; the body counts where it has the field. Unknown fields are ignored, and told in the header \`X-Ignored-Fields\`.

**Failures** are \`application/problem+json\`. Branch on \`reason\`, fall back to \`code\`; \`detail\` names the field or file.`;
