// An office document as PDF, with its comments where the caller wants them.
import type { Content, InputFile } from '../../../contract/files.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Engines } from '../../../engines/engines.ts';
import type { OfficeKind } from '../../../engines/office/office.ts';
import { removeLocalMedia } from '../../../pdf/annotations/local-media.ts';
import { placePopups } from '../../../pdf/annotations/popups.ts';
import { drawCommentsInMargin, type LayOut } from '../../../pdf/pages/margin-comments.ts';

export const COMMENTS = ['annotations', 'margin', 'none'] as const;

export async function convertOffice(
  { office, qpdf, text }: Pick<Engines, 'office' | 'qpdf' | 'text'>,
  file: InputFile,
  kind: OfficeKind,
  comments: (typeof COMMENTS)[number],
): Promise<Content> {
  const content = await office.convert(file, kind, 'pdf', { comments: comments !== 'none' });
  const made = qpdf.open(file.with(content));
  const changes = [
    removeLocalMedia(made),
    comments === 'margin' && drawCommentsInMargin(made, drawable(text)),
    placePopups(made),
  ];
  return changes.includes(true) ? made.save() : content;
}

/** What cannot be drawn, for want of a font, stays an annotation. */
const drawable =
  (text: Engines['text']): LayOut =>
  (words, options) => {
    try {
      return text.layout(words, { ...options, field: 'fileInput' });
    } catch (error) {
      if (error instanceof Problem && error.reason === 'invalid_parameter') return undefined;
      throw error;
    }
  };
