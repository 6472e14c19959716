// Paper sizes (operations 1.5): "A0 to A6, LETTER, LEGAL: ISO 216 / ANSI, portrait", in points.

export interface PaperSize {
  width: number;
  height: number;
}

const millimetres = (width: number, height: number): PaperSize => ({
  width: (width * 72) / 25.4,
  height: (height * 72) / 25.4,
});

export const PAPER_NAMES = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'LETTER', 'LEGAL'] as const;
export type PaperName = (typeof PAPER_NAMES)[number];

export const PAPER_SIZES: Readonly<Record<PaperName, PaperSize>> = {
  A0: millimetres(841, 1189),
  A1: millimetres(594, 841),
  A2: millimetres(420, 594),
  A3: millimetres(297, 420),
  A4: millimetres(210, 297),
  A5: millimetres(148, 210),
  A6: millimetres(105, 148),
  LETTER: { width: 612, height: 792 },
  LEGAL: { width: 612, height: 1008 },
};
