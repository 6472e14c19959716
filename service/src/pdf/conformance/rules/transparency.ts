// Rules of transparency: soft masks, groups, blend modes, opacity.
import { Name, type PdfValue } from '../../objects.ts';
import { state } from './graphics-states.ts';
import type { Rule } from './rule.ts';

const BLEND_MODES = new Set(
  `Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference
   Exclusion Hue Saturation Color Luminosity`.split(/\s+/),
);

export const TRANSPARENCY_RULES: readonly Rule[] = [
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
];

const isNotOne = (value: number | undefined): boolean =>
  value !== undefined && Math.abs(value - 1) >= 0.000001;
