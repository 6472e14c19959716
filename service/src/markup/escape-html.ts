import { lookup } from '../contract/lookup.ts';

const CODES: Record<string, string> = lookup({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
});

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => CODES[mark] ?? mark);
