// Names of the fourteen fonts every reader has.
const STANDARD = new Set(
  `Courier Courier-Bold Courier-BoldOblique Courier-Oblique Helvetica Helvetica-Bold Helvetica-BoldOblique
   Helvetica-Oblique Times-Roman Times-Bold Times-BoldItalic Times-Italic Symbol ZapfDingbats`.split(/\s+/),
);

export const isStandardName = (name: string): boolean => STANDARD.has(name);
