// Fields that operations which draw on pages have in common (operations 1.5, 1.6).
import { MARGIN_NAMES } from '../pdf/pages/placement.ts';
import { choice, integer, number } from './fields.ts';

export const positionField = () =>
  integer('Where: 1 top-left, 2 top-centre, 3 top-right, 4 to 6 the middle row, 7 to 9 the bottom row', {
    default: 8,
    min: 1,
    max: 9,
  });

export const marginField = () =>
  choice(
    'Distance from the edge: 0.02, 0.035, 0.05 or 0.075 of the mean of page width and height',
    MARGIN_NAMES,
    { default: 'medium' },
  );

export const alphabetField = () =>
  choice(
    'Only a hint: settles the forms of Chinese characters. Any text is drawn, whatever is sent here',
    ['roman', 'arabic', 'japanese', 'korean', 'chinese', 'thai'],
    { default: 'roman' },
  );

export const rotationField = (of: string) =>
  number(`Degrees counter-clockwise, ${of}`, { default: 0, min: -360, max: 360 });

export const opacityField = () => number('From 0, not to be seen, to 1', { default: 0.5, min: 0, max: 1 });

export const coordinateField = (description: string) =>
  number(description, { default: 0, min: -14_400, max: 14_400 });
