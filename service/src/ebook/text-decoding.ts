// Texts whose character set must be told from themselves.

/** A byte order mark wins, then what an XML or HTML text says of itself, then UTF-8 where it fits. */
export function decodeText(bytes: Uint8Array): string {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  if (mark) return new TextDecoder(mark).decode(bytes);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1');
  const said = /<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']|<meta[^>]*charset\s*=\s*["']?([\w.-]+)/i.exec(
    head,
  );
  const label = said?.[1] ?? said?.[2];
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decoderFor(label).decode(bytes);
  }
}

function decoderFor(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label && !/^utf-?8$/i.test(label) ? label : 'windows-1252');
  } catch {
    return new TextDecoder('windows-1252');
  }
}
