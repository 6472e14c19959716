// What other programs write of the time and of themselves into the documents they make, set to what a reproducible job
// tells. They are not asked to do it: each has its own ways, and those kept running started long ago.
import { type Content, InputFile } from '../contract/files.ts';
import { isReproducible, momentToTell, newUuid } from '../contract/reproducible.ts';
import { editInfo, readInfo, readXmp } from '../pdf/metadata/metadata.ts';
import { isoDate, momentOf, pdfDate } from '../pdf/metadata/pdf-dates.ts';
import { textString } from '../pdf/text-strings.ts';
import type { Browser } from './browser/print.ts';
import type { Ghostscript } from './ghostscript/ghostscript.ts';
import type { Office } from './office/office.ts';

interface JobContext {
  newFile(extension: string): string;
}

export const settledBrowser = (job: JobContext, { print, printAddress }: Browser): Browser => ({
  print: async (page, options) => settledPdf(job, await print(page, options)),
  printAddress: async (url, options) => settledPdf(job, await printAddress(url, options)),
});

export const settledOffice = (job: JobContext, { kindOf, convert }: Office): Office => ({
  kindOf,
  async convert(file, from, to, pdf) {
    const content = await convert(file, from, to, pdf);
    if (!isReproducible()) return content;
    if (to === 'pdf') return settledPdf(job, content);
    return (await import('./office/settled-package.ts')).settledPackage(job, content);
  },
});

export const settledGhostscript = (job: JobContext, { redraw, forPrinters }: Ghostscript): Ghostscript => ({
  // Neither tells a time.
  forPrinters,
  async redraw(content, options) {
    const made = await redraw(content, options);
    return made && settledPdf(job, made);
  },
});

const DATES = [
  ['CreationDate', 'xmp:CreateDate'],
  ['ModDate', 'xmp:ModifyDate'],
] as const;

async function settledPdf(job: JobContext, content: Content): Promise<Content> {
  if (!isReproducible()) return content;
  const { createQpdf } = await import('./qpdf/qpdf.ts');
  const qpdf = createQpdf({ ...job, passwords: [] });
  try {
    const doc = qpdf.engine.open(new InputFile('made.pdf', content));
    const moment = momentOf(momentToTell());
    const info = readInfo(doc);
    for (const [key] of DATES) if (info.has(key)) editInfo(doc).set(key, textString(pdfDate(moment)));
    const xmp = readXmp(doc);
    if (xmp) {
      for (const property of [...DATES.map(([, inXmp]) => inXmp), 'xmp:MetadataDate'] as const)
        if (xmp.packet.has(property)) xmp.packet.set(property, isoDate(moment));
      for (const property of ['xmpMM:DocumentID', 'xmpMM:InstanceID'] as const)
        if (xmp.packet.has(property)) xmp.packet.set(property, `uuid:${newUuid()}`);
      doc.replaceStreamData(xmp.ref, xmp.packet.bytes());
    }
    // A new one follows from what the document holds.
    doc.setTrailer('ID', undefined);
    doc.setTrailer('DocChecksum', undefined);
    return doc.save({ keepModificationDate: true });
  } finally {
    qpdf.closeAll();
  }
}
