// Opens the engines an operation uses, for one job. Each is imported when first asked for, so a worker
// holds only what its jobs needed.
import type { Egress } from '../contract/egress.ts';
import type { Log } from '../contract/log.ts';
import type { EngineName, EngineStates, Engines } from './engines.ts';
import { settledBrowser, settledGhostscript, settledOffice } from './settled-documents.ts';
import { probe as probeFonts, useFontFolder } from './text/font-folders.ts';

export interface JobContext {
  passwords: readonly string[];
  newFile(extension: string): string;
  log: Log;
  /** Absent where a job has no way out. */
  egress?: Egress | undefined;
}

interface OpenedEngine<N extends EngineName> {
  engine: Engines[N];
  closeAll(): void;
}

type Door<N extends EngineName> = {
  open(job: JobContext): Promise<OpenedEngine<N>>;
  /** Every worker asks all of them when it starts: none imports more than it takes to tell. */
  probe(): Promise<EngineStates[N]>;
};

let pdfiumLoaded = false;
/** Engines that may go on running beside the jobs of this process, by whether they do. */
const running = new Map<EngineName, () => boolean>();

/** The code of each engine: imported when it is first wanted. */
const CODE = {
  archive: () => import('./archive/archive.ts'),
  browser: () => import('./browser/browser.ts'),
  calibre: () => import('./calibre/calibre.ts'),
  codes: () => import('./codes/codes.ts'),
  ghostscript: () => import('./ghostscript/ghostscript.ts'),
  markdown: () => import('./markdown/markdown.ts'),
  office: () => import('./office/office.ts'),
  pdfium: () => import('./pdfium/pdfium.ts'),
  poppler: () => import('./poppler/poppler.ts'),
  qpdf: () => import('./qpdf/qpdf.ts'),
  rsvg: () => import('./rsvg/rsvg.ts'),
  sharp: () => import('./sharp/sharp.ts'),
  signatures: () => import('./signatures/signatures.ts'),
  tesseract: () => import('./tesseract/tesseract.ts'),
  text: () => import('./text/text.ts'),
  verapdf: () => import('./verapdf/verapdf.ts'),
} satisfies Record<EngineName, () => Promise<unknown>>;

const DOORS: { [N in EngineName]: Door<N> } = {
  archive: {
    open: async () => (await CODE.archive()).createArchive(),
    probe: async () => ({ available: true }),
  },
  browser: {
    open: async (job) => {
      const { createBrowser, isWarm } = await CODE.browser();
      running.set('browser', isWarm);
      return { engine: settledBrowser(job, createBrowser(job)), closeAll: () => {} };
    },
    probe: async () => (await import('./browser/program.ts')).probe(),
  },
  markdown: {
    open: async () => ({
      engine: (await CODE.markdown()).createMarkdown(),
      closeAll: () => {},
    }),
    probe: async () => ({ available: true }),
  },
  qpdf: {
    open: async (job) => (await CODE.qpdf()).createQpdf(job),
    probe: async () => (await CODE.qpdf()).probe(),
  },
  pdfium: {
    open: async (job) => {
      const engine = await (await CODE.pdfium()).createPdfium(job);
      pdfiumLoaded = true;
      return { engine, closeAll: () => engine.close() };
    },
    probe: async () => (await import('./pdfium/package.ts')).probe(),
  },
  poppler: {
    open: async (job) => ({
      engine: (await CODE.poppler()).createPoppler(job),
      closeAll: () => {},
    }),
    probe: async () => (await CODE.poppler()).probe(),
  },
  calibre: {
    open: async (job) => ({
      engine: (await CODE.calibre()).createCalibre(job),
      closeAll: () => {},
    }),
    probe: async () => (await CODE.calibre()).probe(),
  },
  ghostscript: {
    open: async (job) => ({
      engine: settledGhostscript(job, (await CODE.ghostscript()).createGhostscript(job)),
      closeAll: () => {},
    }),
    probe: async () => (await CODE.ghostscript()).probe(),
  },
  office: {
    open: async (job) => {
      const { createOffice, isWarm } = await CODE.office();
      running.set('office', isWarm);
      return { engine: settledOffice(job, createOffice(job)), closeAll: () => {} };
    },
    probe: async () => (await import('./office/program.ts')).probe(),
  },
  sharp: {
    open: async () => ({ engine: (await CODE.sharp()).createSharp(), closeAll: () => {} }),
    probe: async () => (await import('./sharp/package.ts')).probe(),
  },
  codes: {
    open: async () => ({
      engine: await (await CODE.codes()).createCodes(),
      closeAll: () => {},
    }),
    probe: async () => ({ available: true }),
  },
  rsvg: {
    open: async (job) => ({ engine: (await CODE.rsvg()).createRsvg(job), closeAll: () => {} }),
    probe: async () => (await CODE.rsvg()).probe(),
  },
  signatures: {
    open: async (job) => ({
      engine: (await CODE.signatures()).createSignatures(job),
      closeAll: () => {},
    }),
    probe: async () => ({ available: true, version: process.versions.openssl }),
  },
  tesseract: {
    open: async (job) => ({
      engine: (await CODE.tesseract()).createTesseract(job),
      closeAll: () => {},
    }),
    probe: async () => (await import('./tesseract/program.ts')).probe(),
  },
  text: {
    open: async () => ({ engine: await (await CODE.text()).createText(), closeAll: () => {} }),
    probe: async () => probeFonts(),
  },
  verapdf: {
    open: async (job) => ({
      engine: (await CODE.verapdf()).createVerapdf(job),
      closeAll: () => {},
    }),
    probe: async () => (await import('./verapdf/program.ts')).probe(),
  },
};

/** What an operator may set of engines. */
export interface EngineSettings {
  /** A folder of fonts that are preferred to those of the system. */
  fontDir: string | null;
}

/** To be called once, before any engine is opened. */
export function configureEngines({ fontDir }: EngineSettings): void {
  useFontFolder(fontDir);
}

export interface EngineSession {
  engines: Pick<Engines, EngineName>;
  /** Frees every document the job opened. */
  close(): void;
}

export async function openEngines(names: readonly EngineName[], job: JobContext): Promise<EngineSession> {
  const opened = await Promise.all(names.map(async (name) => [name, await DOORS[name].open(job)] as const));
  return {
    engines: Object.fromEntries(opened.map(([name, { engine }]) => [name, engine])) as unknown as Engines,
    close: () => {
      for (const [, engine] of opened) engine.closeAll();
    },
  };
}

/** Imports all of it and opens nothing. */
export async function importEngines(): Promise<void> {
  for (const load of Object.values(CODE)) await load();
}

export async function probeEngines(): Promise<EngineStates> {
  const names = Object.keys(DOORS) as EngineName[];
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await DOORS[name].probe()])),
  ) as EngineStates;
}

/** A fault left an engine unusable in this process: the worker finishes its answer and is replaced. */
export async function mustRetire(): Promise<boolean> {
  return pdfiumLoaded && (await CODE.pdfium()).isPoisoned();
}

/** Engines that go on running when a job is done. */
export const warmEngines = (): EngineName[] =>
  [...running].filter(([, isWarm]) => isWarm()).map(([name]) => name);
