// Resources: the list of operations, the description of each, and files by their id.
import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { MIB } from '../../contract/limits.ts';
import type { TurnedOff } from '../rest/turned-off.ts';
import type { CallContext } from './caller.ts';
import { description, pathOf, toolOf } from './catalogue.ts';

const OPERATIONS_URI = 'pdf://operations';
const MOST_BYTES = 4 * MIB;
/** As bytes, as base64, and in the answer. */
const HELD_TIMES = 4;
const JSON_TYPE = 'application/json';

export const RESOURCES = [
  {
    uri: OPERATIONS_URI,
    name: 'operations',
    description: 'Every operation with its summary.',
    mimeType: JSON_TYPE,
  },
];

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${OPERATIONS_URI}/{group}/{name}`,
    name: 'operation',
    description: 'Parameters, file fields and result of one operation.',
    mimeType: JSON_TYPE,
  },
  { uriTemplate: 'pdf://file/{file_id}', name: 'file', description: 'A file of yours, up to 4 MB.' },
];

export async function readResource(context: CallContext, uri: string): Promise<ReadResourceResult> {
  if (uri === OPERATIONS_URI) return asJson(uri, operations(context.parts.turnedOff));
  const [, kind, rest = ''] = /^pdf:\/\/(operations|file)\/(.+)$/.exec(uri) ?? [];
  const path = kind === 'operations' ? pathOf(rest) : undefined;
  if (path !== undefined && !context.parts.turnedOff.has(path)) return asJson(uri, description(path));
  if (kind === 'file') {
    const file = await context.parts.state.files.find(rest, context.key.id);
    if (file?.ready && file.size <= MOST_BYTES) {
      context.share.hold(HELD_TIMES * file.size);
      const stored = await context.parts.state.files.bytesOf(file);
      const bytes = await stored.read(0, file.size);
      return { contents: [{ uri, mimeType: file.mediaType, blob: bytes.toString('base64') }] };
    }
  }
  throw new ResourceNotFoundError(uri);
}

const operations = (turnedOff: TurnedOff): unknown =>
  Object.entries(turnedOff.operations()).map(([path, { summary }]) => ({
    operation: path,
    tool: toolOf(path),
    summary,
  }));

const asJson = (uri: string, value: unknown): ReadResourceResult => ({
  contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }],
});
