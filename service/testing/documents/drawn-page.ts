// A page with text drawn on it.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileInMemory } from '../../src/contract/files.ts';
import { SYSTEM_PACKAGES } from '../../src/engines/packages.ts';
import { createQpdf } from '../../src/engines/qpdf/qpdf.ts';
import type { PdfDocument } from '../../src/pdf/document.ts';
import { Dict } from '../../src/pdf/objects.ts';
import { textForm } from '../../src/pdf/text/drawn-text-form.ts';
import type { LaidOutText } from '../../src/pdf/text/drawn-text-shapes.ts';
import { EmbeddedFonts } from '../../src/pdf/text/font-embedding.ts';

export interface Sample {
  name: string;
  text: string;
  /** A row of SYSTEM_PACKAGES. */
  package: string;
}

export const SAMPLES = JSON.parse(
  readFileSync(new URL('../../../fixtures/drawn-text.json', import.meta.url), 'utf8'),
) as Sample[];

/** Reason to skip, where the fonts of a package are not installed. */
export function withoutFonts(name: string): string | false {
  const row = SYSTEM_PACKAGES.find((each) => each.name === name);
  assert(row && 'file' in row.provides, `${name} is a package of fonts`);
  return !row.provides.file.some((path) => existsSync(path)) && `not installed: ${row.debian.join(', ')}`;
}

const EMPTY_PAGE = Buffer.from(`%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >> endobj
trailer << /Root 1 0 R /Size 4 >>
`);

export async function draw(texts: readonly LaidOutText[]): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-drawn-'));
  const { engine, closeAll } = await createQpdf({
    passwords: [],
    newFile: (extension) => join(folder, `made.${extension}`),
  });
  try {
    const doc = engine.open(fileInMemory('empty.pdf', EMPTY_PAGE));
    putOnFirstPage(doc, texts);
    const saved = doc.save({ keepModificationDate: true });
    return Buffer.from('bytes' in saved ? saved.bytes : readFileSync(saved.path));
  } finally {
    closeAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

function putOnFirstPage(doc: PdfDocument, texts: readonly LaidOutText[]): void {
  const fonts = new EmbeddedFonts(doc);
  const forms = texts.map((text) => textForm(doc, text, fonts));
  fonts.finish();
  const [first] = doc.pages();
  assert(first);
  const page = doc.edit(first);
  const named = forms.map((form, index) => [`T${index}`, form] as const);
  page.set('Resources', Dict.of({ XObject: Dict.of(Object.fromEntries(named)) }));
  const content = texts.map((_, index) => `q 1 0 0 1 36 ${700 - 40 * index} cm /T${index} Do Q`).join('\n');
  page.set('Contents', doc.addStream(new Dict(), Buffer.from(content)));
}

/** Text as it reads: extractors add marks of direction, and choose among equal forms and blanks. */
export const readable = (text: string): string =>
  text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\f]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC');
