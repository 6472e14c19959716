// Who may import whom inside service/src. The rules, as tables.

interface Part {
  /** Folders and files of service/src whose values and types it may import, itself apart. */
  values: readonly string[];
  /** Those of which it may only `import type`. */
  types?: readonly string[];
}

/** Folders of service/src, and files directly in it. */
export const PARTS: Readonly<Record<string, Part>> = {
  contract: { values: [] },
  pdf: { values: ['contract'] },
  layout: { values: ['contract', 'pdf'] },
  writers: { values: ['contract', 'pdf', 'layout'] },
  // What callers send, read into pages that a browser can print.
  markup: { values: ['contract'] },
  mail: { values: ['contract', 'markup'] },
  ebook: { values: ['contract', 'markup'] },
  engines: { values: ['contract', 'pdf', 'markup'] },
  // What takes several engines, for the operations that need it; engines are handed in by the job.
  procedures: { values: ['contract', 'pdf', 'markup'], types: ['engines', 'operations'] },
  // Importing the registry loads no engine; a plan speaks of jobs, but starts none.
  operations: {
    values: ['contract', 'pdf', 'layout', 'writers', 'markup', 'mail', 'ebook', 'procedures'],
    types: ['engines', 'jobs'],
  },
  jobs: { values: ['contract', 'pdf', 'operations', 'procedures', 'engines'], types: ['config.ts'] },
  state: { values: ['contract'] },
  // The API process never parses a document.
  api: { values: ['contract', 'operations', 'jobs', 'state'], types: ['config.ts', 'supervision.ts'] },
  'start-failure.ts': { values: [] },
  'config.ts': { values: ['contract', 'start-failure.ts'] },
  'data-folder.ts': { values: ['contract', 'start-failure.ts'] },
  'keys.ts': { values: ['contract', 'config.ts', 'data-folder.ts', 'state'] },
  'supervision.ts': { values: [], types: ['contract'] },
  'doctor.ts': { values: ['engines'] },
  'announce.ts': { values: ['contract'], types: ['engines', 'jobs'] },
  'work.ts': { values: ['jobs', 'start-failure.ts'], types: ['contract', 'config.ts'] },
  // The one place where the parts meet.
  'serve.ts': {
    values: [
      'contract',
      'config.ts',
      'data-folder.ts',
      'start-failure.ts',
      'announce.ts',
      'supervision.ts',
      'work.ts',
      'jobs',
      'state',
      'api',
    ],
  },
  'main.ts': { values: ['serve.ts', 'start-failure.ts'] },
  'prime.ts': { values: ['engines', 'operations', 'jobs', 'main.ts'] },
};

/**
 * The folders of pdf/, from the ground up: each may import those before it, and the files at the top of pdf/ (the
 * document, its objects). Words of ISO 32000 where it has one.
 */
export const PDF_FLOORS: readonly string[] = [
  // Beside the document itself, which reads its pages by it.
  'page-tree',
  'syntax',
  'filters',
  'metadata',
  'geometry',
  'fonts',
  'text',
  'structure',
  'repair',
  'content',
  'attachments',
  'images',
  'forms',
  'conformance',
  'annotations',
  'redaction',
  'editing',
  'pages',
  'recolouring',
  'merge',
  'ocr',
  'security',
  'compression',
  'reports',
  'pdfa-conversion',
  'pdfx',
];

/** Files of a part that may import less than the part. */
export const NARROWER: readonly { files: RegExp; not: RegExp; why: string }[] = [
  {
    files: /^operations\/(?!(?:plan|check)\.ts$)/,
    not: /^jobs\//,
    why: 'of operations/ only plan.ts and check.ts speak of jobs',
  },
  {
    files: /^operations\/[^/]+$/,
    not: /^procedures\//,
    why: 'the vocabulary of operations knows nothing of what they do',
  },
  {
    files: /^procedures\//,
    not: /^operations\/(?!define\.ts$)/,
    why: 'of operations, procedures know the words of define.ts only',
  },
  {
    files: /^operations\/.*\//,
    not: /^operations\/(?:.*\/(?!_)[^/]+|[^/]+\.generated\.ts)$/,
    why: 'operations never import each other; what they share stands in pdf/, layout/, procedures/, an engine, or a file named _*.ts',
  },
  {
    files: /^operations\/(?![^/]+\.generated\.ts$)[^/]+$/,
    not: /^operations\/.*\//,
    why: 'only the generated index knows the operations',
  },
];

/** Things that only these files may do. */
export const RESERVED: readonly { what: RegExp; only: RegExp; why: string }[] = [
  {
    what: /\bprocess\.env\b|\bprocess\s*\[\s*['"]env['"]|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"](?:node:)?process['"]/,
    only: /^config\.ts$/,
    why: 'process.env is read in config.ts only',
  },
  {
    what: /['"](?:node:)?child_process['"]/,
    only: /^(?:engines\/process\.ts|jobs\/.*)$/,
    why: 'node:child_process is for engines/process.ts and jobs/',
  },
  {
    what: /['"]@aws-sdk\/[\w-]+['"]/,
    only: /^state\/shared\//,
    why: 'the client of S3 is for state/shared/, and loaded in that mode alone',
  },
  {
    what: /['"]ioredis['"]/,
    only: /^(?:state\/shared|jobs\/queued)\//,
    why: 'the client of Redis is for state/shared/ and jobs/queued/, and loaded in that mode alone',
  },
  {
    what: /['"]bullmq['"]/,
    only: /^jobs\/queued\//,
    why: 'the queue that many nodes share is for jobs/queued/, and loaded in that mode alone',
  },
];

/** Circles of types inside one folder that there may be; a new one is cut by giving the type a file of its own. */
export const TYPE_CIRCLES = 3;

/** A thing with no home shows that a name is missing. */
export const REFUSED_NAMES: readonly string[] = [
  'utils',
  'helpers',
  'common',
  'core',
  'shared',
  'lib',
  'types',
];

/** What several machines share is its meaning there. */
export const NAMED_ALL_THE_SAME: readonly string[] = ['state/shared'];

/** Tests need real engines and other tools: rules of import do not bind them. */
export const isUnbound = (path: string): boolean => path.endsWith('.test.ts');

/** Where processes begin, and what other packages may import. All else in service/src is there for one of these. */
export const BEGINNINGS: readonly string[] = [
  'main.ts',
  'prime.ts',
  'jobs/worker.ts',
  'keys.ts',
  'doctor.ts',
];
