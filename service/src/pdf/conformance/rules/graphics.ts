// Rules of what is drawn: content streams, images, forms, page boxes.
import { type Dict, Ref } from '../../objects.ts';
import { JPEG2000_TESTS, readJpeg2000 } from '../content/jpeg2000.ts';
import type { Subject } from '../validation-context.ts';
import { GRAPHICS_STATE_RULES } from './graphics-states.ts';
import type { Rule } from './rule.ts';
import { TRANSPARENCY_RULES } from './transparency.ts';

const INTENTS = ['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation'];

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
  ...GRAPHICS_STATE_RULES,
  {
    at: { 1: '6.2.9-1', 2: '6.2.6-1', 4: '6.2.6-1' },
    message: `Rendering intents are ${INTENTS.join(', ')}.`,
    *find({ drawn }) {
      for (const { intent, where } of drawn.intents) if (!INTENTS.includes(intent)) yield where;
    },
  },
  ...TRANSPARENCY_RULES,
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
