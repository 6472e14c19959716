// service/openapi.json: the description as a service with default settings sends it.
import { readConfig } from '../service/src/config.ts';

export async function openApiFile(): Promise<string> {
  // Imported late: the operation index may just have been rewritten.
  const { openApiJson } = await import('../service/src/api/openapi/document.ts');
  return `${JSON.stringify(JSON.parse(openApiJson(readConfig({}))), null, 2)}\n`;
}
