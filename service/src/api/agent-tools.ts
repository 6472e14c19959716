// The tools by which agents reach operations: one for each group, here and in the local server for agents.

export interface AgentTool {
  name: string;
  about: string;
  /** Changes nothing and makes no file worth keeping. */
  readOnly: boolean;
  /** May reach addresses outside. */
  open: boolean;
}

const tool = (
  name: string,
  about: string,
  hints: Partial<Pick<AgentTool, 'readOnly' | 'open'>> = {},
): AgentTool => ({
  name,
  about,
  readOnly: false,
  open: false,
  ...hints,
});

export const AGENT_TOOLS: Readonly<Record<string, AgentTool>> = {
  general: tool('pdf_pages', 'Rotate, split, merge, crop, rearrange and combine pages.'),
  convert: tool('pdf_convert', 'Convert to PDF, and from PDF to other formats.', { open: true }),
  security: tool('pdf_security', 'Passwords, redaction, signatures, sanitizing, verification.'),
  misc: tool('pdf_misc', 'OCR, compression, repair, stamps, attachments, metadata.'),
  form: tool('pdf_form', 'List, fill and change form fields.'),
  analysis: tool('pdf_analyze', 'Tell what is in a document.', { readOnly: true }),
  filter: tool('pdf_filter', 'Pass a document on if it meets a condition.', { readOnly: true }),
};
