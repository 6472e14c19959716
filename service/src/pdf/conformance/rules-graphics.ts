// Rules of what is drawn: content streams, images, forms, graphics states, transparency.
import { Dict, Name, type PdfValue, Ref, Stream } from '../objects.ts';
import { JPEG2000_TESTS, readJpeg2000 } from './jpeg2000.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

const INTENTS = ['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation'];
const BLEND_MODES = new Set(
  `Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference
   Exclusion Hue Saturation Color Luminosity`.split(/\s+/),
);
const PROCESS_COLORANTS = ['Cyan', 'Magenta', 'Yellow', 'Black'];

export const GRAPHICS_RULES: readonly Rule[] = [
  {
    at: { 1: '6.2.10-1', 2: '6.2.2-1', 4: '6.2.2-1' },
    message: 'Content streams hold only operators of the standard.',
    *find({ drawn }) {
      for (const { where } of drawn.unknownOperators) yield where;
    },
  },
  {
    at: { 2: '6.2.2-2', 4: '6.2.2-2' },
    message: 'What draws with resources has a Resources dictionary of its own.',
    *find({ drawn }) {
      for (const { where } of drawn.inheritedNames) yield where;
    },
  },
  {
    at: { 4: '6.2.2-3' },
    message: 'Content streams name only resources that are there.',
    *find({ drawn }) {
      for (const { where } of drawn.missingNames) yield where;
    },
  },
  {
    at: { 1: '6.1.12-8', 2: '6.1.13-8' },
    message: 'Graphics states are saved at most 28 deep.',
    *find({ drawn }) {
      for (const { where } of drawn.tooDeep) yield where;
    },
  },
  image({ 1: '6.2.4-1', 2: '6.2.8-1', 4: '6.2.7.1-1' }, 'Images have no Alternates.', (dict) =>
    dict.has('Alternates'),
  ),
  image({ 2: '6.2.8-2', 4: '6.2.7.1-2' }, 'Images have no OPI.', (dict) => dict.has('OPI')),
  {
    at: { 1: '6.2.4-2' },
    message: 'Images and forms have no OPI.',
    *find({ drawn }) {
      for (const { dict, where } of [...drawn.images.values(), ...drawn.forms.values()])
        if (dict.has('OPI')) yield where;
    },
  },
  image(
    { 1: '6.2.4-3', 2: '6.2.8-3', 4: '6.2.7.1-3' },
    'Interpolate of images is false.',
    (dict, { doc }) => doc.boolean(dict.get('Interpolate') ?? dict.get('I')) === true,
  ),
  image(
    { 1: '6.2.4-4', 2: '6.2.8-4', 4: '6.2.7.1-4' },
    'BitsPerComponent of images is one of those allowed.',
    (dict, { doc }, part) => {
      const bits = doc.number(dict.get('BitsPerComponent') ?? dict.get('BPC'));
      const isMask = doc.boolean(dict.get('ImageMask') ?? dict.get('IM')) === true;
      return !isMask && bits !== undefined && !(part === 1 ? [1, 2, 4, 8] : [1, 2, 4, 8, 16]).includes(bits);
    },
  ),
  image(
    { 1: '6.2.4-5', 2: '6.2.8-5', 4: '6.2.7.1-5' },
    'BitsPerComponent of image masks is 1.',
    (dict, { doc }) => {
      const bits = doc.number(dict.get('BitsPerComponent') ?? dict.get('BPC'));
      const isMask = doc.boolean(dict.get('ImageMask') ?? dict.get('IM')) === true;
      return isMask && bits !== undefined && bits !== 1;
    },
  ),
  ...JPEG2000_TESTS.map(jpeg2000),
  {
    at: { 1: '6.2.5-1', 2: '6.2.9-1', 4: '6.2.8.1-1' },
    message: 'Forms hold no PostScript and no OPI.',
    *find({ doc, drawn }, { part }) {
      for (const { dict, where } of drawn.forms.values()) {
        const isPostScript = doc.name(dict.get('Subtype2')) === 'PS' || dict.has('PS');
        if (isPostScript || (part !== 1 && dict.has('OPI'))) yield where;
      }
    },
  },
  {
    at: { 1: '6.2.6-1', 2: '6.2.9-2', 4: '6.2.8.2-1', ua1: '7.20-1' },
    message: 'Forms do not refer to other files (Ref).',
    *find({ drawn }) {
      for (const { dict, where } of drawn.forms.values()) if (dict.has('Ref')) yield where;
    },
  },
  {
    at: { 1: '6.2.7-1', 2: '6.2.9-3' },
    message: 'There are no PostScript XObjects.',
    *find({ doc, drawn }) {
      for (const { dict, where } of drawn.otherXObjects)
        if (doc.name(dict.get('Subtype')) === 'PS') yield where;
    },
  },
  state({ 1: '6.2.8-1', 2: '6.2.5-1', 4: '6.2.5-1' }, 'Graphics states have no TR.', (dict) =>
    dict.has('TR'),
  ),
  state(
    { 1: '6.2.8-2', 2: '6.2.5-2', 4: '6.2.5-2' },
    'TR2 of graphics states is Default.',
    (dict, { doc }) => dict.has('TR2') && doc.name(dict.get('TR2')) !== 'Default',
  ),
  state({ 2: '6.2.5-3' }, 'Graphics states have no HTP.', (dict) => dict.has('HTP')),
  state({ 4: '6.2.5-3' }, 'Graphics states have no HTO.', (dict) => dict.has('HTO')),
  halftone(
    { 2: '6.2.5-4', 4: '6.2.5-4' },
    'Halftones are of type 1 or 5.',
    (dict, _colorant, { doc }) => ![1, 5].includes(doc.number(dict.get('HalftoneType')) ?? 0),
  ),
  halftone({ 2: '6.2.5-5', 4: '6.2.5-5' }, 'Halftones have no HalftoneName.', (dict) =>
    dict.has('HalftoneName'),
  ),
  halftone(
    { 2: '6.2.5-6', 4: '6.2.5-6' },
    'TransferFunction stands in halftones of spot colours only.',
    (dict, colorant) => {
      if (colorant === 'Default') return false;
      const isProcess = colorant === undefined || PROCESS_COLORANTS.includes(colorant);
      return isProcess === dict.has('TransferFunction');
    },
  ),
  {
    at: { 1: '6.2.9-1', 2: '6.2.6-1', 4: '6.2.6-1' },
    message: `Rendering intents are ${INTENTS.join(', ')}.`,
    *find({ drawn }) {
      for (const { intent, where } of drawn.intents) if (!INTENTS.includes(intent)) yield where;
    },
  },
  state(
    { 1: '6.4-1' },
    'Graphics states have no soft mask.',
    (dict, { doc }) => dict.has('SMask') && doc.name(dict.get('SMask')) !== 'None',
  ),
  {
    at: { 1: '6.4-2' },
    message: 'Images and forms have no soft mask.',
    *find({ doc, drawn }) {
      for (const { dict, where } of [...drawn.images.values(), ...drawn.forms.values()])
        if (dict.has('SMask') && doc.name(dict.get('SMask')) !== 'None') yield where;
    },
  },
  {
    at: { 1: '6.4-3' },
    message: 'There are no transparency groups.',
    *find({ doc, drawn, pages }) {
      for (const { dict, where } of [...pages, ...drawn.forms.values()])
        if (doc.name(doc.dict(dict.get('Group'))?.get('S')) === 'Transparency') yield where;
    },
  },
  state({ 1: '6.4-4' }, 'The blend mode is Normal or Compatible.', (dict, { doc }) => {
    const mode = doc.resolve(dict.get('BM'));
    return mode !== null && !(mode instanceof Name && ['Normal', 'Compatible'].includes(mode.value));
  }),
  state({ 1: '6.4-5' }, 'CA is 1.', (dict, { doc }) => isNotOne(doc.number(dict.get('CA')))),
  state({ 1: '6.4-6' }, 'ca is 1.', (dict, { doc }) => isNotOne(doc.number(dict.get('ca')))),
  state({ 2: '6.2.10-1', 4: '6.2.9-1' }, 'Blend modes are those of the standard.', (dict, { doc }) => {
    const held = doc.resolve(dict.get('BM'));
    const modes: PdfValue[] = Array.isArray(held) ? held : held instanceof Name ? [held] : [];
    return modes.some((mode) => !BLEND_MODES.has(doc.name(mode) ?? 'Normal'));
  }),
  {
    at: { 2: '6.2.10-2', 4: '6.2.9-2' },
    message: 'A page with transparency has a group with a colour space where no output intent gives one.',
    *find(subject, { part }) {
      const { doc, drawn, pages } = subject;
      if (subject.outputColours !== undefined) return;
      for (const index of drawn.transparentPages) {
        const page = pages[index];
        if (!page || doc.dict(page.dict.get('Group'))?.has('CS')) continue;
        const own = part === 4 && subject.intentsOf(page.dict, page.where).some(({ profile }) => profile);
        if (!own) yield page.where;
      }
    },
  },
  {
    at: { 2: '6.1.13-11' },
    message: 'Page boxes are between 3 and 14400 units wide and high.',
    *find({ doc, pages }) {
      for (const { dict, where } of pages) {
        for (const key of ['MediaBox', 'CropBox', 'TrimBox', 'ArtBox', 'BleedBox']) {
          const inherits = key === 'MediaBox' || key === 'CropBox';
          const held = inherits ? doc.inherited(dict, key) : doc.resolve(dict.get(key));
          const box = Array.isArray(held) ? held.map((each) => doc.number(each) ?? 0) : undefined;
          if (!box || box.length < 4) continue;
          const [left = 0, bottom = 0, right = 0, top = 0] = box;
          const sides = [Math.abs(right - left), Math.abs(top - bottom)];
          if (sides.some((side) => side < 3 || side > 14_400)) yield `${where}, ${key}`;
        }
      }
    },
  },
];

const isNotOne = (value: number | undefined): boolean =>
  value !== undefined && Math.abs(value - 1) >= 0.000001;

function image(
  at: Rule['at'],
  message: string,
  isWrong: (dict: Dict, subject: Subject, part: unknown) => boolean,
): Rule {
  return {
    at,
    message,
    *find(subject, { part }) {
      for (const { dict, where } of subject.drawn.images.values())
        if (isWrong(dict, subject, part)) yield where;
    },
  };
}

function state(at: Rule['at'], message: string, isWrong: (dict: Dict, subject: Subject) => boolean): Rule {
  return {
    at,
    message,
    *find(subject) {
      for (const { dict, where } of subject.drawn.states.values()) if (isWrong(dict, subject)) yield where;
    },
  };
}

function jpeg2000({ test, message, fits }: (typeof JPEG2000_TESTS)[number]): Rule {
  return {
    at: { 2: `6.2.8.3-${test}`, 4: `6.2.7.3-${test}` },
    message,
    *find({ doc, drawn }) {
      for (const { dict, value, where } of drawn.images.values()) {
        const filters = doc.array(dict.get('Filter')) ?? [dict.get('Filter') ?? null];
        if (doc.name(filters.at(-1)) !== 'JPXDecode' || !(value instanceof Ref)) continue;
        if (!fits(readJpeg2000(doc.rawStreamData(value)), dict.has('ColorSpace'))) yield where;
      }
    },
  };
}

function halftone(
  at: Rule['at'],
  message: string,
  isWrong: (dict: Dict, colorant: string | undefined, subject: Subject) => boolean,
): Rule {
  return {
    at,
    message,
    *find(subject) {
      const { doc, drawn } = subject;
      for (const { dict, where } of drawn.states.values()) {
        const held = doc.resolve(dict.get('HT'));
        const top = held instanceof Stream ? held.dict : held;
        if (!(top instanceof Dict)) continue;
        if (isWrong(top, undefined, subject)) yield where;
        if (doc.number(top.get('HalftoneType')) !== 5) continue;
        for (const [colorant, value] of top) {
          const each = doc.dict(value);
          if (each && isWrong(each, colorant, subject)) yield `${where}, halftone ${colorant}`;
        }
      }
    },
  };
}
