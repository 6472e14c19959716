// Rules of graphics states: transfer functions and halftones.
import { Dict, Stream } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';
import type { Rule } from './rule.ts';

const PROCESS_COLORANTS = ['Cyan', 'Magenta', 'Yellow', 'Black'];

export const GRAPHICS_STATE_RULES: readonly Rule[] = [
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
];

/** A rule that is asked of every graphics state in use. */
export function state(
  at: Rule['at'],
  message: string,
  isWrong: (dict: Dict, subject: Subject) => boolean,
): Rule {
  return {
    at,
    message,
    *find(subject) {
      for (const { dict, where } of subject.drawn.states.values()) if (isWrong(dict, subject)) yield where;
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
