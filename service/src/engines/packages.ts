// Programs and libraries of the system that engines and tests use. `npm start` and `npm test` install what is
// missing by apt where they may; nothing here is needed to start. A new engine adds one row.

/** Any one of the names is enough. */
export type Evidence =
  | { program: readonly string[] }
  | { library: readonly string[] }
  /** Absolute paths. */
  | { file: readonly string[] };

export interface SystemPackage {
  /** What messages call it. */
  name: string;
  for: 'service' | 'test' | 'bench';
  /** Packages of Debian and Ubuntu that bring it. */
  debian: readonly string[];
  /** How to see that it is there. */
  provides: Evidence;
  /** What does not work while it is missing: ends the sentence "without it ...". */
  without: string;
}

export const SYSTEM_PACKAGES: readonly SystemPackage[] = [
  {
    name: 'libqpdf 11 or newer',
    for: 'service',
    // The library's package is named after its version; the program's package brings the right one everywhere.
    debian: ['qpdf'],
    provides: { library: ['libqpdf.so.30', 'libqpdf.so.29'] },
    without: 'operations that change documents answer 503',
  },
  {
    name: 'bubblewrap',
    for: 'service',
    debian: ['bubblewrap'],
    provides: { program: ['bwrap'] },
    without: 'workers are isolated by Landlock alone, and office documents take longer',
  },
  {
    name: 'librsvg',
    for: 'service',
    debian: ['librsvg2-bin'],
    provides: { program: ['rsvg-convert'] },
    without: 'SVG drawings answer 503',
  },
  {
    name: 'Chromium, headless shell',
    for: 'service',
    // The browser without its windows; Debian's full browser serves, too, several times slower. Ubuntu has neither:
    // there, its package only points to a snap.
    debian: ['chromium-headless-shell'],
    provides: {
      file: [
        '/usr/lib/chromium/chromium-headless-shell',
        '/usr/lib64/chromium-browser/headless_shell',
        '/opt/google/chrome/chrome',
      ],
    },
    without: 'web pages, HTML, Markdown, mail and books answer 503, or are slow',
  },
  {
    name: 'LibreOffice',
    for: 'service',
    debian: [
      'libreoffice-writer-nogui',
      'libreoffice-calc-nogui',
      'libreoffice-impress-nogui',
      'libreoffice-draw-nogui',
      'libreoffice-math-nogui',
    ],
    provides: { program: ['soffice', 'libreoffice'] },
    without: 'office documents answer 503',
  },
  {
    name: 'Tesseract',
    for: 'service',
    debian: ['tesseract-ocr', 'tesseract-ocr-eng', 'tesseract-ocr-osd', 'tesseract-ocr-deu'],
    provides: { program: ['tesseract'] },
    without: 'text recognition answers 503',
  },
  {
    name: 'Carlito and Caladea fonts',
    for: 'service',
    // As wide as Calibri and Cambria, letter by letter: lines and pages break where they did in Word.
    debian: ['fonts-crosextra-carlito', 'fonts-crosextra-caladea'],
    provides: {
      file: [
        '/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf',
        '/usr/share/doc/fonts-crosextra-carlito',
      ],
    },
    without: 'Word documents in Calibri or Cambria break lines and pages elsewhere',
  },
  {
    name: 'Liberation fonts',
    for: 'service',
    // Where the package is only a bridge to a newer one, the fonts lie elsewhere: its papers tell that it is there.
    debian: ['fonts-liberation2'],
    provides: {
      file: [
        '/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf',
        '/usr/share/doc/fonts-liberation2',
      ],
    },
    without: 'drawn text looks less like Helvetica, Times and Courier',
  },
  {
    name: 'DejaVu fonts',
    for: 'service',
    debian: ['fonts-dejavu-core'],
    provides: { file: ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'] },
    without: 'some symbols and accents cannot be drawn',
  },
  {
    name: 'Noto fonts',
    for: 'service',
    debian: ['fonts-noto-core'],
    provides: {
      file: [
        '/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf',
        '/usr/share/doc/fonts-noto-core',
      ],
    },
    without: 'Arabic, Indic, Thai and other scripts cannot be drawn',
  },
  {
    name: 'Noto CJK fonts',
    for: 'service',
    debian: ['fonts-noto-cjk'],
    provides: {
      file: ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', '/usr/share/doc/fonts-noto-cjk'],
    },
    without: 'Chinese, Japanese and Korean cannot be drawn',
  },
  {
    name: 'Symbola font',
    for: 'service',
    debian: ['fonts-symbola'],
    provides: {
      file: ['/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf', '/usr/share/doc/fonts-symbola'],
    },
    without: 'most emoji cannot be drawn',
  },
  {
    name: 'poppler-utils',
    for: 'service',
    debian: ['poppler-utils'],
    provides: { program: ['pdftotext'] },
    without:
      'redactions are proven by two readers instead of three, and pages as SVG, EPS or PostScript answer 503',
  },
  {
    name: 'qpdf',
    for: 'test',
    debian: ['qpdf'],
    provides: { program: ['qpdf'] },
    without: 'tests that check results with it fail',
  },
  {
    name: 'mupdf-tools',
    for: 'bench',
    debian: ['mupdf-tools'],
    provides: { program: ['mutool'] },
    without: 'the benchmark has no rival for cutting pages',
  },
  {
    name: 'img2pdf',
    for: 'bench',
    debian: ['img2pdf'],
    provides: { program: ['img2pdf'] },
    without: 'the benchmark has no rival for pictures',
  },
  {
    name: 'OCRmyPDF',
    for: 'bench',
    debian: ['ocrmypdf'],
    provides: { program: ['ocrmypdf'] },
    without: 'the benchmark has no rival for text recognition',
  },
  {
    name: 'Ghostscript',
    for: 'service',
    debian: ['ghostscript'],
    provides: { program: ['gs'] },
    without: 'documents that cannot be mended as they are answer 503 where PDF/A or PDF/X is asked for',
  },
  {
    name: 'openssl',
    for: 'test',
    debian: ['openssl'],
    provides: { program: ['openssl'] },
    without: 'tests that check signatures with it are skipped',
  },
  {
    name: 'openpyxl',
    for: 'test',
    debian: ['python3-openpyxl'],
    provides: { file: ['/usr/lib/python3/dist-packages/openpyxl/__init__.py'] },
    without: 'tests that open workbooks with it are skipped',
  },
  {
    name: 'python-docx',
    for: 'test',
    debian: ['python3-docx'],
    provides: { file: ['/usr/lib/python3/dist-packages/docx/__init__.py'] },
    without: 'tests that open Word files with it are skipped',
  },
  {
    name: 'httpx and pytest',
    for: 'test',
    debian: ['python3-httpx', 'python3-pytest'],
    provides: { file: ['/usr/lib/python3/dist-packages/httpx/__init__.py'] },
    without: 'tests of the Python client are skipped',
  },
  {
    name: 'Redis',
    for: 'test',
    debian: ['redis-server'],
    provides: { program: ['redis-server'] },
    without: 'tests of state that many machines share are skipped',
  },
  {
    name: 'OpenStack Swift',
    for: 'test',
    debian: ['python3-swift', 'memcached'],
    provides: { file: ['/usr/lib/python3/dist-packages/swift/__init__.py'] },
    without: 'tests of state that many machines share are skipped',
  },
  {
    name: 'epubcheck',
    for: 'test',
    debian: ['epubcheck', 'default-jre-headless'],
    provides: { program: ['epubcheck'] },
    without: 'tests that check books with it are skipped',
  },
];
