// pdf_view_pages: a few pages as images in the answer, so that an agent sees what it made.
import type { CallOptions } from '@bindery/sdk';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Work } from './tool-calls.ts';
import { structured } from './tool-results.ts';

const OPERATION = 'convert/pdf/img';
export const MOST_PAGES = 4;
/** Photographs are many bytes as PNG; hosts refuse images that are too large. */
const LARGEST_PNG = 1024 ** 2;
const PAGES = `must be a list of 1 to ${MOST_PAGES} page numbers`;
const DPI = 'must be a whole number from 72 to 150';

export const VIEW = z.object({
  file: z.string('must be a path').min(1, 'must be a path'),
  pages: z.array(z.int(PAGES).min(1, PAGES), PAGES).min(1, PAGES).max(MOST_PAGES, PAGES).default([1]),
  dpi: z.int(DPI).min(72, DPI).max(150, DPI).default(100),
  password: z.string('must be text').optional(),
});

export async function viewPages(
  { bindery, folders }: Work,
  { file, pages, dpi, password }: z.output<typeof VIEW>,
  options: CallOptions,
): Promise<CallToolResult> {
  const path = folders.input(file);
  const draw = async (page: number, imageFormat: 'png' | 'jpeg') => {
    const params = { pageNumbers: page, dpi, imageFormat, inputPassword: password };
    const result = await bindery.call(OPERATION, { fileInput: path }, params, options);
    return { page, media_type: `image/${imageFormat}`, bytes: Buffer.from(await result.bytes()) };
  };
  const images = [];
  for (const page of pages) {
    const png = await draw(page, 'png');
    images.push(png.bytes.length <= LARGEST_PNG ? png : await draw(page, 'jpeg'));
  }
  return structured(
    {
      operation: OPERATION,
      dpi,
      images: images.map(({ page, media_type, bytes }) => ({ page, media_type, size: bytes.length })),
    },
    images.map(({ media_type, bytes }) => ({
      type: 'image' as const,
      data: bytes.toString('base64'),
      mimeType: media_type,
    })),
  );
}
