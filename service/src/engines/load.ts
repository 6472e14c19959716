// Opens the engines an operation uses, for one job. Each is imported when first asked for, so a worker
// holds only what its jobs needed.
import type { Egress } from '../contract/egress.ts';
import type { Log } from '../contract/log.ts';
import type { EngineName, EngineStates, Engines } from './engines.ts';
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
  probe(): Promise<EngineStates[N]>;
};

let pdfiumLoaded = false;
/** Engines that may go on running beside the jobs of this process, by whether they do. */
const running = new Map<EngineName, () => boolean>();

const DOORS: { [N in EngineName]: Door<N> } = {
  archive: {
    open: async () => (await import('./archive/archive.ts')).createArchive(),
    probe: async () => (await import('./archive/archive.ts')).probe(),
  },
  browser: {
    open: async (job) => {
      const { createBrowser, isWarm } = await import('./browser/browser.ts');
      running.set('browser', isWarm);
      return { engine: createBrowser(job), closeAll: () => {} };
    },
    probe: async () => (await import('./browser/program.ts')).probe(),
  },
  markdown: {
    open: async () => ({
      engine: (await import('./markdown/markdown.ts')).createMarkdown(),
      closeAll: () => {},
    }),
    probe: async () => ({ available: true }),
  },
  qpdf: {
    open: async (job) => (await import('./qpdf/qpdf.ts')).createQpdf(job),
    probe: async () => (await import('./qpdf/qpdf.ts')).probe(),
  },
  pdfium: {
    open: async (job) => {
      const engine = await (await import('./pdfium/pdfium.ts')).createPdfium(job);
      pdfiumLoaded = true;
      return { engine, closeAll: () => engine.close() };
    },
    probe: async () => (await import('./pdfium/pdfium.ts')).probe(),
  },
  poppler: {
    open: async (job) => ({
      engine: (await import('./poppler/poppler.ts')).createPoppler(job),
      closeAll: () => {},
    }),
    probe: async () => (await import('./poppler/poppler.ts')).probe(),
  },
  calibre: {
    open: async (job) => ({
      engine: (await import('./calibre/calibre.ts')).createCalibre(job),
      closeAll: () => {},
    }),
    probe: async () => (await import('./calibre/calibre.ts')).probe(),
  },
  ghostscript: {
    open: async (job) => ({
      engine: (await import('./ghostscript/ghostscript.ts')).createGhostscript(job),
      closeAll: () => {},
    }),
    probe: async () => (await import('./ghostscript/ghostscript.ts')).probe(),
  },
  office: {
    open: async (job) => {
      const { createOffice, isWarm } = await import('./office/office.ts');
      running.set('office', isWarm);
      return { engine: createOffice(job), closeAll: () => {} };
    },
    probe: async () => (await import('./office/program.ts')).probe(),
  },
  sharp: {
    open: async () => ({ engine: (await import('./sharp/sharp.ts')).createSharp(), closeAll: () => {} }),
    probe: async () => (await import('./sharp/sharp.ts')).probe(),
  },
  codes: {
    open: async () => ({
      engine: await (await import('./codes/codes.ts')).createCodes(),
      closeAll: () => {},
    }),
    probe: async () => (await import('./codes/codes.ts')).probe(),
  },
  rsvg: {
    open: async (job) => ({ engine: (await import('./rsvg/rsvg.ts')).createRsvg(job), closeAll: () => {} }),
    probe: async () => (await import('./rsvg/rsvg.ts')).probe(),
  },
  signatures: {
    open: async (job) => ({
      engine: (await import('./signatures/signatures.ts')).createSignatures(job),
      closeAll: () => {},
    }),
    probe: async () => (await import('./signatures/signatures.ts')).probe(),
  },
  tesseract: {
    open: async (job) => ({
      engine: (await import('./tesseract/tesseract.ts')).createTesseract(job),
      closeAll: () => {},
    }),
    probe: async () => (await import('./tesseract/program.ts')).probe(),
  },
  text: {
    open: async () => ({ engine: await (await import('./text/text.ts')).createText(), closeAll: () => {} }),
    probe: async () => probeFonts(),
  },
  verapdf: {
    open: async (job) => ({
      engine: (await import('./verapdf/verapdf.ts')).createVerapdf(job),
      closeAll: () => {},
    }),
    probe: async () => (await import('./verapdf/verapdf.ts')).probe(),
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

export async function probeEngines(): Promise<EngineStates> {
  const names = Object.keys(DOORS) as EngineName[];
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await DOORS[name].probe()])),
  ) as EngineStates;
}

/** A fault left an engine unusable in this process: the worker finishes its answer and is replaced. */
export async function mustRetire(): Promise<boolean> {
  return pdfiumLoaded && (await import('./pdfium/pdfium.ts')).isPoisoned();
}

/** Engines that go on running when a job is done. */
export const warmEngines = (): EngineName[] =>
  [...running].filter(([, isWarm]) => isWarm()).map(([name]) => name);
