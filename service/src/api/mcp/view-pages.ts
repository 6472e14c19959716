// pdf_view_pages: a few pages as images in the answer, so that an agent sees what it made.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { listOf } from '../../contract/bounded-schema.ts';
import { MIB } from '../../contract/limits.ts';
import { MAIN_INPUT } from '../../operations/plan.ts';
import type { Answer } from '../rest/answer.ts';
import type { CallContext } from './caller.ts';
import { text, tool, whole } from './checked-tool.ts';
import { runOperation } from './run-operation.ts';
import { structuredResult } from './tool-results.ts';

export const VIEWS_BY = 'convert/pdf/img';
export const MOST_PAGES = 4;
export const RESOLUTIONS = { least: 72, most: 150, usual: 100 } as const;
/** Photographs are many bytes as PNG; hosts refuse images that are too large. */
const LARGEST_PNG = MIB;
/** As bytes, as base64, and in the answer. */
const HELD_TIMES = 4;
const PAGES_REFUSAL = `must be a list of 1 to ${MOST_PAGES} page numbers`;

const VIEW = z.object({
  file: text(),
  pages: listOf(whole(1, 1_000_000), { min: 1, max: MOST_PAGES, refusal: PAGES_REFUSAL }).default([1]),
  dpi: whole(RESOLUTIONS.least, RESOLUTIONS.most).default(RESOLUTIONS.usual),
  password: text(0, 127).optional(),
});

interface Image {
  page: number;
  media_type: string;
  bytes: Buffer;
}

export const viewPages = tool(
  VIEW,
  async (context, { file, pages, dpi, password }) => {
    const images: Image[] = [];
    for (const page of pages) {
      const png = await draw(context, file, page, { dpi, password, imageFormat: 'png' });
      images.push(
        png.bytes.length <= LARGEST_PNG
          ? png
          : await draw(context, file, page, { dpi, password, imageFormat: 'jpeg' }),
      );
    }
    const shown = images.map(({ page, media_type, bytes }) => ({ page, media_type, size: bytes.length }));
    return structuredResult(
      { operation: VIEWS_BY, dpi, images: shown },
      images.map(({ media_type, bytes }) => ({
        type: 'image' as const,
        data: bytes.toString('base64'),
        mimeType: media_type,
      })),
    );
  },
  () => VIEWS_BY,
);

interface Look {
  dpi: number;
  password: string | undefined;
  imageFormat: 'png' | 'jpeg';
}

function draw(context: CallContext, file: string, page: number, look: Look): Promise<Image> {
  const parameters = {
    pageNumbers: String(page),
    dpi: look.dpi,
    imageFormat: look.imageFormat,
    ...(look.password === undefined ? {} : { inputPassword: look.password }),
  };
  const asked = { files: { [MAIN_INPUT]: [file] }, parameters, outputName: undefined };
  const use = async ({ body }: Answer) => {
    if (body === null) throw new Error('a page was drawn and there is nothing');
    context.told.bytesOut += 'bytes' in body ? body.bytes.length : body.size;
    context.share.hold(HELD_TIMES * ('bytes' in body ? body.bytes.length : body.size));
    const bytes = Buffer.from('bytes' in body ? body.bytes : await readFile(body.path));
    return { page, media_type: `image/${look.imageFormat}`, bytes };
  };
  return runOperation(context, VIEWS_BY, asked, { use });
}
