// The tools by which agents reach operations: one for each group, here and in the local server for agents.
import { OPERATIONS } from '../operations/index.generated.ts';
import type { AgentTool } from './catalogue-entry.ts';

function tool(
  group: string,
  name: string,
  about: string,
  hints: Partial<Pick<AgentTool, 'readOnly' | 'open'>> = {},
): [string, AgentTool] {
  const operations = Object.keys(OPERATIONS)
    .filter((path) => path.startsWith(`${group}/`))
    .map((path) => path.slice(group.length + 1))
    .sort();
  const lines = operations.map((each) => `${each}: ${OPERATIONS[`${group}/${each}`]?.summary ?? ''}`);
  const description = `${about}\n${lines.join('\n')}`;
  const title = name.replace('_', ' ');
  return [group, { name, title, description, operations, readOnly: false, open: false, ...hints }];
}

/** By group of operations. */
export const AGENT_TOOLS: Readonly<Record<string, AgentTool>> = Object.fromEntries([
  tool('general', 'pdf_pages', 'Rotate, split, merge, crop, rearrange and combine pages.'),
  tool('convert', 'pdf_convert', 'Convert to PDF, and from PDF to other formats.', { open: true }),
  tool('security', 'pdf_security', 'Passwords, redaction, signatures, sanitizing, verification.'),
  tool('misc', 'pdf_misc', 'OCR, compression, repair, stamps, attachments, metadata.'),
  tool('form', 'pdf_form', 'List, fill and change form fields.'),
  tool('analysis', 'pdf_analyze', 'Tell what is in a document.', { readOnly: true }),
  tool('filter', 'pdf_filter', 'Pass a document on if it meets a condition.', { readOnly: true }),
]);
