// Documents held against standards, for the operations that tell or promise conformance.
import { type Content, fileInMemory, type InputFile } from '../contract/files.ts';
import type { Qpdf } from '../engines/qpdf/qpdf.ts';
import type { Verapdf } from '../engines/verapdf/verapdf.ts';
import { checkConformance, type Verdict } from '../pdf/conformance/check.ts';
import type { Standard } from '../pdf/conformance/standards.ts';
import { Subject } from '../pdf/conformance/validation-context.ts';
import { declaredStandards } from '../pdf/conformance/verification.ts';

export interface Validators {
  qpdf: Qpdf;
  verapdf: Verapdf;
}

type Opened = ReturnType<Qpdf['open']>;
type Examined = Pick<InputFile, 'name' | 'content' | 'bytes'>;

/** A document ready for `judge`. */
export function examine(
  engine: Pick<Validators, 'qpdf'>,
  doc: Opened,
  file: Examined,
  onPage?: () => void,
): Subject {
  return new Subject(doc, file.bytes(), {
    isEncrypted: doc.isEncrypted,
    conformsTo: (bytes, allowed) => embeddedConforms(engine, bytes, allowed),
    ...(onPage && { onPage }),
  });
}

/** Our own verdict, unless veraPDF is installed: "its answer wins". */
export async function validate(
  engine: Validators,
  subject: Subject,
  file: { content: Content },
  standard: Standard,
): Promise<Verdict> {
  return (await engine.verapdf.check(file, standard)) ?? checkConformance(subject, standard);
}

/** A verdict on each standard the document declares. */
export async function validateDeclared(engine: Validators, doc: Opened, file: Examined): Promise<Verdict[]> {
  const declared = declaredStandards(doc);
  if (declared.length === 0) return [];
  const subject = examine(engine, doc, file);
  const verdicts: Verdict[] = [];
  for (const standard of declared) verdicts.push(await validate(engine, subject, file, standard));
  return verdicts;
}

/** Files inside files are held against what they declare; those inside them are not. */
function embeddedConforms({ qpdf }: Pick<Validators, 'qpdf'>, bytes: Uint8Array, allowed: RegExp): boolean {
  if (Buffer.from(bytes.subarray(0, 1024)).indexOf('%PDF-') === -1) return false;
  let doc: Opened;
  try {
    doc = qpdf.open(fileOf(bytes));
  } catch {
    return false;
  }
  const subject = new Subject(doc, bytes, { isEncrypted: doc.isEncrypted });
  const fitting = declaredStandards(doc).filter(({ id }) => allowed.test(id));
  const conforms = fitting.some((standard) => checkConformance(subject, standard).compliant);
  qpdf.close(doc);
  return conforms;
}

const fileOf = (bytes: Uint8Array): InputFile => fileInMemory('embedded.pdf', bytes);
