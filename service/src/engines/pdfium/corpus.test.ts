// Every PDF of the collection beside the clone opens, or is refused for the right reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { corpusFolder, noCorpus } from '../../../testing/documents/collection.ts';
import { quiet } from '../../../testing/documents/small-pdf.ts';
import { Problem, type Reason } from '../../contract/problems.ts';
import { createPdfium, isPoisoned, type Pdfium } from './pdfium.ts';

const CORPUS = corpusFolder('.').pathname;
const skip = noCorpus();

interface Facts {
  pages_qpdf: number | null;
  pages_poppler: number | null;
  images_first30?: number;
}

interface Listed {
  path: string;
  name: string;
  password: string | undefined;
  facts: Facts;
}

function listed(): Listed[] {
  const facts = JSON.parse(readFileSync(`${CORPUS}facts.json`, 'utf8')) as Record<string, Facts>;
  const rows = readFileSync(`${CORPUS}INDEX.tsv`, 'utf8').split('\n').slice(1);
  const passwords = new Map(
    rows.map((row) => row.split('\t')).map((cells) => [cells[0], cells[8] || undefined]),
  );
  return Object.entries(facts).map(([key, known]) => {
    const inside = key.replace(/^shared\//, '');
    return { path: CORPUS + inside, name: inside, password: passwords.get(key), facts: known };
  });
}

/** What other tools count differently, looked at one by one. */
const KNOWN_REASONS: Record<string, Reason> = {
  // Its encryption dictionary fits no password; qpdf opens it and finds no page.
  'pdf/broken-xref/pdfium__bug_424613308.pdf': 'password_required',
};
const KNOWN_IMAGES: Record<string, boolean> = {
  // The only image is the mask of a graphics state: nothing draws it.
  'pdf/qpdf-warn/pdf-js__issue18956.pdf': false,
};

function expectedRefusal({ name, password, facts }: Listed): Reason | undefined {
  const known = KNOWN_REASONS[name];
  if (known) return known;
  if (password !== undefined) return 'password_required';
  return facts.pages_qpdf === null && facts.pages_poppler === null ? 'invalid_pdf' : undefined;
}

function refusal(pdfium: Pdfium, { path, name }: Listed): Reason | undefined {
  try {
    pdfium.open({ name, content: { path } }).close();
    return undefined;
  } catch (error) {
    assert(error instanceof Problem, `${name}: ${error}`);
    return error.reason;
  }
}

const without = await createPdfium({ passwords: [], log: quiet });
after(() => without.close());

test('each opens, or is refused for the right reason', { skip }, (t) => {
  const tally: Record<string, number> = {};
  const wrong: string[] = [];
  for (const file of listed()) {
    const reason = refusal(without, file);
    tally[reason ?? 'opened'] = (tally[reason ?? 'opened'] ?? 0) + 1;
    if (reason !== expectedRefusal(file)) wrong.push(`${file.name}: ${reason}, not ${expectedRefusal(file)}`);
  }
  t.diagnostic(JSON.stringify(tally));
  assert.deepEqual(wrong, []);
});

test('those with a password open with theirs and with no other', { skip }, async (t) => {
  const secured = listed().filter(({ password }) => password !== undefined);
  for (const file of secured) {
    const right = await createPdfium({ passwords: ['not this one', file.password ?? ''], log: quiet });
    assert.equal(refusal(right, file), undefined, file.name);
    const wrong = await createPdfium({ passwords: ['not this one'], log: quiet });
    assert.equal(refusal(wrong, file), 'wrong_password', file.name);
  }
  t.diagnostic(`${secured.length} files`);
  assert.ok(secured.length > 0);
});

test('pages and images are as qpdf and poppler count them, and pages can be read and drawn', {
  skip,
}, async (t) => {
  const tally = { files: 0, pages: 0, characters: 0, withImages: 0 };
  const wrong: string[] = [];
  for (const file of listed()) {
    if (expectedRefusal(file) === 'invalid_pdf' || file.name in KNOWN_REASONS) continue;
    const passwords = file.password === undefined ? [] : [file.password];
    const pdfium = await createPdfium({ passwords, log: quiet });
    using document = pdfium.open({ name: file.name, content: { path: file.path } });
    const { pages_poppler, pages_qpdf, images_first30 } = file.facts;
    const counted = [pages_poppler, pages_qpdf].filter((pages) => pages !== null);
    if (!counted.includes(document.pageCount))
      wrong.push(`${file.name}: ${document.pageCount} pages, not ${counted}`);
    tally.files += 1;
    tally.pages += document.pageCount;
    for (let i = 0; i < Math.min(document.pageCount, 5); i += 1)
      tally.characters += document.pageText(i).length;
    document.render(0, { dpi: 36, maxPixels: 1_000_000, annotations: true });
    let imaged = false;
    for (let i = 0; i < Math.min(document.pageCount, 30) && !imaged; i += 1) imaged = document.hasImage(i);
    tally.withImages += Number(imaged);
    const expected = KNOWN_IMAGES[file.name] ?? (images_first30 === undefined ? imaged : images_first30 > 0);
    if (imaged !== expected) wrong.push(`${file.name}: ${imaged ? 'has' : 'has no'} image`);
  }
  t.diagnostic(JSON.stringify(tally));
  assert.deepEqual(wrong, []);
  assert.equal(isPoisoned(), false);
});
