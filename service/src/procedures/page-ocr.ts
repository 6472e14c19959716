// Reading the pages of a document: what image of a page is read, how many at once, and what comes of it.
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Log } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import type { Engines } from '../engines/engines.ts';
import type { PdfiumDocument } from '../engines/pdfium/pdfium.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { type Matrix, product, scaling } from '../pdf/geometry/matrix.ts';
import { toneInto } from '../pdf/images/page-tones.ts';
import { clean } from '../pdf/ocr/cleaning.ts';
import { backMatrix, type GrayImage, greyFile, isBlank, turnImage } from '../pdf/ocr/gray-image.ts';
import { confidenceOf, type RecognisedPage } from '../pdf/ocr/recognised.ts';
import { type SoleImage, soleImage } from '../pdf/ocr/sole-image.ts';

export interface ReadPage {
  page: RecognisedPage;
  /** From pixels, rows from the bottom, to the page as displayed. */
  matrix: Matrix;
}
/** Nothing to read on the page, or it could not be read. */
export type Reading = ReadPage | 'blank' | 'failed';

/** Whether there was something to read, and nothing of it was. */
export function isNoneRead(readings: ReadonlyMap<number, Reading>): boolean {
  const found = [...readings.values()].filter((reading) => reading !== 'blank');
  return found.length > 0 && found.every((reading) => reading === 'failed');
}

export interface ReadingOptions {
  languages: readonly string[];
  clean: boolean;
}

interface Context {
  engine: Pick<Engines, 'tesseract'>;
  newFile(extension: string): string;
  log: Log;
  /** Hears of each page that was read. */
  progress?(done: number, of: number): void;
}

const RASTER_DPI = 300;
/** A page of A4 at 600 dpi has 35 million. */
const MAX_PIXELS = 40_000_000;
/** What Tesseract takes. */
const MAX_SIDE = 32_000;
const STRIP_PIXELS = 4_000_000;
/** Images of a page coarser or finer than this are not taken as they are. */
const LEAST_DPI = 100;
const MOST_DPI = 620;
/** Below this a page may lie on its side or head. */
const DOUBTFUL = 70;

/** Reads pages, as many at once as there are cores. */
export class PageReader {
  private readonly doc: PdfDocument;
  private readonly view: PdfiumDocument;
  private readonly options: ReadingOptions;
  private readonly context: Context;

  constructor(doc: PdfDocument, view: PdfiumDocument, options: ReadingOptions, context: Context) {
    this.doc = doc;
    this.view = view;
    this.options = options;
    this.context = context;
  }

  async readAll(indices: readonly number[]): Promise<Map<number, Reading>> {
    const readings = new Map<number, Reading>();
    const waiting = [...indices];
    const readOn = async (): Promise<void> => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const began = Date.now();
        const reading = await this.read(index).catch((error: unknown) => this.failed(index, error));
        readings.set(index, reading);
        this.context.progress?.(readings.size, indices.length);
        this.context.log.info('page read', {
          page: index + 1,
          done: readings.size,
          of: indices.length,
          ms: Date.now() - began,
          ...(typeof reading === 'string' ? { outcome: reading } : {}),
        });
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, readOn));
    return readings;
  }

  private async read(index: number): Promise<Reading> {
    const ref = this.doc.pages()[index];
    if (!ref) return 'failed';
    const image = soleImage(this.doc, ref);
    const dpi = this.dpiOf(index, image);
    const direct = image?.isPlainJpeg && !this.options.clean ? await this.readImage(image, dpi) : undefined;
    if (direct && confidenceOf(direct.page) >= DOUBTFUL) return direct;
    const picture = this.picture(index, dpi);
    if (isBlank(picture)) return 'blank';
    const upright = direct ?? (await this.readPicture(index, picture, dpi));
    // What was given up once is not tried again: the job has a deadline.
    if (!upright) return 'failed';
    if (confidenceOf(upright.page) >= DOUBTFUL) return upright;
    return (await this.readTurned(index, picture, dpi, upright)) ?? upright;
  }

  /** The resolution a page is read at: that of its image where it is one. */
  private dpiOf(index: number, image: SoleImage | undefined): number {
    const { width, height } = this.view.pageSize(index);
    const [a, b] = image?.matrix ?? [0, 0];
    const own = image ? (72 * image.width) / Math.hypot(a, b) : RASTER_DPI;
    const wanted = own >= LEAST_DPI && own <= MOST_DPI ? own : RASTER_DPI;
    return Math.min(wanted, (72 * MAX_SIDE) / Math.max(width, height, 1));
  }

  /** The image's own file is read: nothing is drawn or packed anew. */
  private async readImage(image: SoleImage, dpi: number): Promise<ReadPage | undefined> {
    if (image.width * image.height > MAX_PIXELS) return undefined;
    const page = await this.recognise(this.doc.rawStreamData(image.ref), 'jpg', dpi);
    if (!page) return undefined;
    return { page, matrix: product(scaling(1 / page.width, 1 / page.height), image.matrix) };
  }

  /** What is wrong with the page leaves it as it is; what is wrong with this machine is told. */
  private failed(index: number, error: unknown): 'failed' {
    if (error instanceof Problem && error.reason === 'unavailable')
      throw new Problem('unavailable', `Page ${index + 1}: ${error.detail}`, error.options);
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    this.context.log.warn('page cannot be read', { page: index + 1, error });
    return 'failed';
  }

  private picture(index: number, dpi: number): GrayImage {
    return this.options.clean ? cleanedImage(this.view, index, dpi) : grayImage(this.view, index, dpi);
  }

  private async readPicture(
    index: number,
    picture: GrayImage,
    dpi: number,
    turn: 0 | 90 | 180 | 270 = 0,
  ): Promise<ReadPage | undefined> {
    const page = await this.recognise(greyFile(turnImage(picture, turn)), 'pgm', dpi);
    if (!page) return undefined;
    const { width, height } = this.view.pageSize(index);
    const scale = scaling(width / picture.width, height / picture.height);
    return { page, matrix: product(backMatrix(turn, page), scale) };
  }

  /** The page as it stands upright, where it does not and that reads better. */
  private async readTurned(
    index: number,
    picture: GrayImage,
    dpi: number,
    before: ReadPage,
  ): Promise<ReadPage | undefined> {
    const path = this.context.newFile('pgm');
    writeFileSync(path, greyFile(picture));
    const turn = await this.context.engine.tesseract.orientation(path, dpi);
    await rm(path, { force: true });
    if (turn === undefined || turn === 0) return undefined;
    const reading = await this.readPicture(index, picture, dpi, turn);
    if (!reading || confidenceOf(before.page) >= confidenceOf(reading.page)) return undefined;
    this.context.log.info('page does not stand upright', { page: index + 1, turn });
    return reading;
  }

  private async recognise(
    file: Uint8Array,
    extension: string,
    dpi: number,
  ): Promise<RecognisedPage | undefined> {
    const path = this.context.newFile(extension);
    writeFileSync(path, file);
    try {
      return await this.context.engine.tesseract.recognise(path, { languages: this.options.languages, dpi });
    } finally {
      await rm(path, { force: true });
    }
  }
}

/** The page in shades of grey; never held in colour as a whole. */
export function grayImage(view: PdfiumDocument, index: number, dpi: number): GrayImage {
  const options = { dpi, maxPixels: MAX_PIXELS };
  const { width, height } = view.drawnSize(index, options);
  const data = new Uint8Array(width * height);
  let at = 0;
  for (const { rgba } of view.renderStrips(index, options, STRIP_PIXELS)) {
    toneInto(data.subarray(at, at + rgba.length / 4), rgba, 'greyscale');
    at += rgba.length / 4;
  }
  return { width, height, data };
}

function cleanedImage(view: PdfiumDocument, index: number, dpi: number): GrayImage {
  const picture = view.render(index, { dpi, maxPixels: MAX_PIXELS });
  clean(picture, dpi);
  const { width, height, rgba } = picture;
  const data = new Uint8Array(width * height);
  toneInto(data, rgba, 'greyscale');
  return { width, height, data };
}
