// Why an operation may refuse a call: what its declaration shows by itself, and what it says besides.
import type { Reason } from '../contract/problems.ts';
import type { AnyOperation, FileInput } from './define.ts';
import type { Field } from './fields.ts';

export function refusals(op: AnyOperation): Reason[] {
  const kinds = Object.values(op.inputs as Record<string, FileInput>).map((input) => input.kinds);
  const fields = Object.values(op.params as Record<string, Field>);
  const found: Reason[] = ['invalid_parameter'];
  if (kinds.some((accepted) => accepted.includes('pdf'))) {
    found.push('invalid_pdf', 'password_required', 'wrong_password');
  }
  if (kinds.some((accepted) => !accepted.includes('any') && accepted.some((kind) => kind !== 'pdf'))) {
    found.push('unsupported_file_type');
  }
  if (fields.some(({ kind }) => kind === 'pages')) found.push('page_out_of_range');
  found.push(...fields.map(({ reason }) => reason));
  if (fields.some(({ kind }) => kind === 'url')) found.push('url_fetch_failed');
  return [...new Set([...found, ...(op.refuses ?? [])])];
}
