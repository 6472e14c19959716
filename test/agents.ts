// A call of a tool over /mcp as plain JSON, for tests that ask about the service and not about a client.
import type { RunningService } from './service.ts';

export interface Called {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
}

export async function callTool(service: RunningService, name: string, args: unknown): Promise<Called> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const response = await service.fetch('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(call),
  });
  const { result, error } = (await response.json()) as { result?: Called; error?: { message: string } };
  return result ?? { isError: true, content: [{ type: 'text', text: error?.message ?? '' }] };
}
