// docs/reference/redaction-report.schema.json: the JSON Schema of redaction reports, for whoever reads one.

export async function reportSchema(): Promise<string> {
  const { REDACTION_REPORT } = await import('../service/src/contract/redaction-report.ts');
  const { inlineSchema } = await import('../service/src/api/openapi/schemas.ts');
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Bindery redaction report, version 1',
    ...inlineSchema(REDACTION_REPORT, 'output'),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
