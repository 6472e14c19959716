// The chain as somebody would write it elsewhere: curl, the SDK, the command line, an agent's tool call.
import type { PipelineStep } from '@bindery/sdk';
import { AGENT_TOOLS } from '@bindery/sdk/catalogue';
import { entryOf, extraFiles, groupOf, mainFile } from './operations.ts';
import { plainSteps } from './plain-steps.ts';
import type { Step } from './work.ts';

export type CodeForm = 'curl' | 'SDK' | 'CLI' | 'MCP';

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

interface Subject {
  names: readonly string[];
  plain: readonly PipelineStep[];
  /** The only step and the files fit one operation. */
  single: PipelineStep | undefined;
}

export function codeFor(
  form: CodeForm,
  fileNames: readonly string[],
  chain: readonly Step[],
  origin: string,
): string {
  const names = fileNames.length > 0 ? fileNames : ['document.pdf'];
  const plain = plainSteps(chain);
  const [only] = plain;
  const main = only && mainOf(only.op);
  const fits = main === undefined || main.many || names.length === 1;
  const subject = { names, plain, single: plain.length === 1 && fits ? only : undefined };
  return WRITERS[form](subject, origin);
}

const mainOf = (op: string) => {
  const entry = entryOf(op);
  return entry && mainFile(entry);
};
const filesOf = (op: string): string[] => {
  const entry = entryOf(op);
  return entry ? extraFiles(entry).map(({ name }) => name) : [];
};
const listOf = (value: unknown): string[] => [value].flat().map(String);

const WRITERS: Record<CodeForm, (subject: Subject, origin: string) => string> = {
  curl({ names, plain, single }, origin) {
    const head = 'curl -OJ -H "X-API-KEY: $BINDERY_API_KEY"';
    const parts: string[] = [];
    if (!single || mainOf(single.op))
      parts.push(...names.map((name) => `-F ${quoted(`fileInput=@${name}`)}`));
    if (single) {
      for (const [name, value] of Object.entries(single.params ?? {})) {
        const isFile = filesOf(single.op).includes(name);
        const values = Array.isArray(value) && (isFile || typeof value[0] !== 'object') ? value : [value];
        for (const item of values) parts.push(`-F ${quoted(`${name}=${isFile ? '@' : ''}${textOf(item)}`)}`);
      }
      return [head, ...parts, `${origin}/api/v1/${single.op}`].join(' \\\n  ');
    }
    const steps = plain.map(({ op, params = {} }, at) => {
      const own = Object.entries(params).map(([name, value]) => {
        if (!filesOf(op).includes(name)) return [name, value];
        parts.push(...listOf(value).map((file) => `-F ${quoted(`step${at}-${name}=@${file}`)}`));
        return [`${name}@part`, [`step${at}-${name}`]];
      });
      return { op, params: Object.fromEntries(own) };
    });
    return [
      head,
      ...parts,
      `-F ${quoted(`steps=${JSON.stringify(steps)}`)}`,
      `${origin}/api/v1/pipeline`,
    ].join(' \\\n  ');
  },
  SDK({ names, plain }, origin) {
    const code = plain.map(({ op, params }) =>
      params ? `  .step('${op}', ${indented(params)})` : `  .step('${op}')`,
    );
    const start = `import { Bindery } from '@bindery/sdk';

const bindery = new Bindery({ baseUrl: '${origin}', apiKey: process.env.BINDERY_API_KEY });
`;
    const [first] = plain;
    if (first && !mainOf(first.op))
      return `${start}
const result = await bindery.call('${first.op}', {}, ${indented(first.params ?? {})});
await result.save(result.filename);`;
    const inputs = names.length === 1 ? JSON.stringify(names[0]) : JSON.stringify(names);
    return `${start}
const result = await bindery
  .pipeline(${inputs})
${code.join('\n')}
  .run();
await result.save(result.filename);`;
  },
  CLI({ names, plain, single }) {
    if (single) {
      const options = Object.entries(single.params ?? {}).flatMap(([name, value]) => {
        if (value === true) return [`--${kebab(name)}`];
        const values = Array.isArray(value) && typeof value[0] !== 'object' ? value : [value];
        return values.map((item) => `--${kebab(name)} ${quoted(textOf(item))}`);
      });
      const [group, ...rest] = single.op.split('/');
      const inputs = mainOf(single.op) ? names.map(quoted) : [];
      return ['npx bindery', group, rest.join('/'), ...inputs, ...options].join(' ');
    }
    const yaml = plain.map(
      ({ op, params }) => `- op: ${op}${params ? `\n  params: ${JSON.stringify(params)}` : ''}`,
    );
    return `cat > steps.yaml <<'END'\n${yaml.join('\n')}\nEND\nnpx bindery pipeline steps.yaml ${names.map(quoted).join(' ')}`;
  },
  MCP({ names, plain, single }) {
    const tool = single && AGENT_TOOLS[groupOf(single.op)];
    const input = names.length === 1 ? { input: names[0] } : { inputs: { fileInput: names } };
    const call =
      single && tool
        ? {
            name: tool.name,
            arguments: {
              operation: single.op.slice(single.op.indexOf('/') + 1),
              ...(mainOf(single.op) ? input : {}),
              ...(single.params ? { parameters: single.params } : {}),
            },
          }
        : { name: 'pdf_pipeline', arguments: { ...input, steps: plain } };
    return JSON.stringify(call, null, 2);
  },
};

const indented = (value: unknown): string => JSON.stringify(value).replaceAll('","', '", "');
