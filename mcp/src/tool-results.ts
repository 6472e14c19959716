// What a tool answers: structured content, the same as text, and what else stands beside it.
import type { FileResult } from '@bindery/sdk';
import type { CallToolResult } from '@modelcontextprotocol/server';

export const structured = (
  content: Record<string, unknown>,
  more: CallToolResult['content'] = [],
): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }, ...more],
  structuredContent: content,
});

/** Nothing where the service tells nothing beside the result. */
export const notesOf = ({ notes }: FileResult): { headers?: Readonly<Record<string, string>> } =>
  Object.keys(notes).length === 0 ? {} : { headers: notes };

/** Types by endings, where the service sends plain bytes whose name tells the type. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['zip', 'application/zip'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['tiff', 'image/tiff'],
  ['bmp', 'image/bmp'],
  ['svg', 'image/svg+xml'],
  ['ps', 'application/postscript'],
  ['eps', 'application/postscript'],
  ['html', 'text/html'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['txt', 'text/plain'],
  ['rtf', 'application/rtf'],
  ['xml', 'application/xml'],
  ['json', 'application/json'],
  ['epub', 'application/epub+zip'],
  ['azw3', 'application/vnd.amazon.ebook'],
  ['cbz', 'application/vnd.comicbook+zip'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
]);

export const typeOfName = (name: string): string | undefined =>
  TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

export const trueType = (mediaType: string, name: string): string =>
  mediaType === 'application/octet-stream' ? (typeOfName(name) ?? mediaType) : mediaType;
