// What a font looks like, as far as its name and descriptor tell: for another that is to stand beside it or in its place.
import type { PdfDocument } from '../document.ts';
import type { Dict } from '../objects.ts';
import { FLAG, withoutSubsetTag } from './font-descriptor.ts';
import type { Look } from './standard-fonts.ts';

export interface FontLook {
  look: Look;
  bold: boolean;
  italic: boolean;
}

/** Computer Modern and its kin tell all in short words: cmr10, cmbx12, ectt, SFRM1000. */
const TEX =
  /^(?:cm|ec|tc|sf|lm)(r|b|bx|rm|bi|ti|sl|bxti|bxsl|mi|mib|sy|ex|csc|cc|dunh|ss|ssi|ssbx|ssdc|sx|si|tt|tti|tl|it|sltt|itt)\d{1,4}$/i;

export function fontLook(doc: PdfDocument, baseFont: string, descriptor: Dict | undefined): FontLook {
  const name = withoutSubsetTag(baseFont);
  const flags = doc.number(descriptor?.get('Flags')) ?? 0;
  const weight = doc.number(descriptor?.get('FontWeight')) ?? 400;
  const tex = TEX.exec(name)?.[1]?.toLowerCase();
  const isMono =
    (flags & FLAG.fixedPitch) !== 0 ||
    /courier|mono|consol|typewriter/i.test(name) ||
    (tex !== undefined && /tt|^tl$/.test(tex));
  const isSerif =
    (/symbol|times|serif|roman|georgia|garamond|palatino|bookman|century|minion|cambria|ming|song|sung|batang|mincho/i.test(
      name,
    ) &&
      !/sans/i.test(name)) ||
    (tex !== undefined && !/^s[sxi]/.test(tex));
  const isSans = /arial|helvet|sans|verdana|tahoma|calibri|lucida|gothic|gulim|hei/i.test(name);
  return {
    look: isMono ? 'courier' : isSerif || (!isSans && (flags & FLAG.serif) !== 0) ? 'times' : 'helvetica',
    bold:
      /bold|black|heavy|demi|-(?:bd|hv|blk)/i.test(name) ||
      (tex !== undefined && /^(?:b|ssbx|mib)/.test(tex)) ||
      // Descriptors are careless; a name that tells the weight is not.
      (!/light|thin|regular|book|medium|roman|-(?:lt|th|rg|bk|md)/i.test(name) &&
        (weight >= 600 || (flags & FLAG.forceBold) !== 0)),
    italic:
      /ital|obli|slant/i.test(name) ||
      (flags & FLAG.italic) !== 0 ||
      (tex !== undefined && /ti|sl|mi|^it|ssi|^si|^bi/.test(tex)),
  };
}
