// Small documents written out object by object.

/** A document with a sound cross-reference table; the first object is the catalog, `trailer` adds entries. */
export function pdfOf(
  objects: readonly string[],
  options: { version?: string; trailer?: string } = {},
): Buffer {
  let body = `%PDF-${options.version ?? '1.7'}\n%\u00e2\u00e3\u00cf\u00d3\n`;
  const rows = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R ${options.trailer ?? ''} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, 'latin1');
}

/** A stream object for `pdfOf`; one character per byte. */
export const streamOf = (data: string, dict = ''): string =>
  `<< ${dict} /Length ${data.length} >>\nstream\n${data}\nendstream`;

/** One page on which `content` is drawn; `catalog` and `page` add entries, `more` further objects from 5 on. */
export function onePage(
  options: {
    catalog?: string;
    page?: string;
    content?: string;
    more?: string[];
    trailer?: string;
    version?: string;
  } = {},
): Buffer {
  return pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ''} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${options.page ?? ''} >>`,
      streamOf(options.content ?? ''),
      ...(options.more ?? []),
    ],
    options,
  );
}
