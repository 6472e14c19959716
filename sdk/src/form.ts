// A form as one Blob. FormData would do but for files that can no longer be read: Node then throws outside of every
// promise and the program ends. A Blob made of Blobs fails like any other call, and its length is known as well.

export type FormPart = readonly [name: string, value: string | File];

export function formBlob(parts: readonly FormPart[]): Blob {
  // A Blob writes its type in small letters, so the boundary has no others.
  const boundary = `bindery-${crypto.randomUUID()}`;
  const pieces = parts.flatMap(([name, value]) => [
    `--${boundary}\r\n${headersOf(name, value)}\r\n\r\n`,
    value,
    '\r\n',
  ]);
  return new Blob([...pieces, `--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  });
}

function headersOf(name: string, value: string | File): string {
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"`;
  if (typeof value === 'string') return disposition;
  const type = value.type || 'application/octet-stream';
  return `${disposition}; filename="${quoted(value.name)}"\r\nContent-Type: ${type}`;
}

/** As browsers do it. */
const quoted = (text: string): string =>
  text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
