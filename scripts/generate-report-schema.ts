// docs/reference/*.schema.json: the JSON Schemas of redaction reports and of documents' data, for whoever reads one.

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

export async function dataSchema(): Promise<string> {
  const { DOCUMENT_DATA } = await import('../service/src/contract/document-data.ts');
  const { inlineSchema } = await import('../service/src/api/openapi/schemas.ts');
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Bindery document data, version 1',
    ...inlineSchema(DOCUMENT_DATA, 'output'),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
