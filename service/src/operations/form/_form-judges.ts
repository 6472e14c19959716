// Small forms written out by hand, and documents of the wider collection that have one. For tests only.
import { existsSync, readFileSync } from 'node:fs';
import { pdfOf, streamOf } from '../judges.ts';

export interface FormParts {
  /** Fields that are their own widgets, from object 6 on; "Rect" and the like are theirs to give. */
  fields: string[];
  /** Further objects, after the fields. */
  more?: string[];
  /** Entries of the page and the form besides the usual ones. */
  page?: string;
  form?: string;
  catalog?: string;
  content?: string;
  /** What the form lists and the page shows: all fields, unless said otherwise. */
  listed?: string;
  annots?: string;
}

/** Object number of the first field. */
export const FIRST_FIELD = 6;

export function formPdf(parts: FormParts): Buffer {
  const refs = parts.fields.map((_, index) => `${FIRST_FIELD + index} 0 R`).join(' ');
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${parts.catalog ?? ''} /AcroForm << /Fields [${parts.listed ?? refs}]
      /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> ${parts.form ?? ''} >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Annots [${parts.annots ?? refs}]
      /Resources << /Font << /Helv 5 0 R >> >> ${parts.page ?? ''} >>`,
    streamOf(parts.content ?? ''),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...parts.fields.map((field) => `<< /Type /Annot /Subtype /Widget /F 4 /P 3 0 R ${field} >>`),
    ...(parts.more ?? []),
  ]);
}

export interface CorpusForm {
  path: string;
  password: string | undefined;
  /** Names and types as another library read them; the first sixty. */
  fields: { name: string; type: string }[];
}

const SHARED = new URL('../../../../../shared/', import.meta.url);

/** The forms of the collection beside the clone; none where it is absent. */
export function corpusForms(): CorpusForm[] {
  const facts = new URL('corpus/facts.json', SHARED);
  if (!existsSync(facts)) return [];
  const all = JSON.parse(readFileSync(facts, 'utf8')) as Record<string, { fields?: CorpusForm['fields'] }>;
  const rows = readFileSync(new URL('corpus/INDEX.tsv', SHARED), 'utf8')
    .split('\n')
    .map((row) => row.split('\t'));
  const column = rows[0]?.indexOf('password') ?? -1;
  const passwords = new Map(rows.map((row) => [row[0], row[column]]));
  return Object.entries(all).flatMap(([key, { fields = [] }]) => {
    const path = decodeURIComponent(new URL(key.replace(/^shared\//, 'corpus/'), SHARED).pathname);
    if (fields.length === 0 || !existsSync(path)) return [];
    return [{ path, password: passwords.get(key) || undefined, fields }];
  });
}
