// What each operator does to the graphics state, the text cursor and the path, and which of a visitor's methods hears
// of it (ISO 32000-1, annex A). Operands are those the operator takes.

import { product } from '../geometry/matrix.ts';
import { Dict, Name, name, type PdfValue } from '../objects.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';
import type { Operation } from '../syntax/content-reader.ts';
import type { ContentPosition, ContentVisitor } from './content-visitor.ts';
import { CurrentPath } from './current-path.ts';
import type { Colour, ColourTarget } from './graphics-state.ts';
import {
  isPathOperator,
  PATH_CONSTRUCTION,
  PATH_PAINTING,
  type PathPainting,
  SIGNATURES,
} from './operators.ts';
import type { TextState } from './text-state.ts';

/** A position that operators may change. */
export interface Interpreting extends ContentPosition {
  readonly visitor: ContentVisitor;
  path: CurrentPath;
  save(): void;
  restore(): void;
  /** What an operation names, told to the visitor. */
  namedResource(category: ResourceCategory, operation: Operation, operand?: PdfValue): PdfValue | undefined;
  draw(operation: Operation): void;
  beginMarkedContent(operation: Operation): void;
  endMarkedContent(operation: Operation): void;
}

type Effect = (at: Interpreting, operation: Operation) => void;

type SixNumbers = [number, number, number, number, number, number];

const numbersOf = ({ operands }: Operation): number[] => operands as number[];

const setText = (at: Interpreting, changed: Partial<TextState>): void => {
  at.state.text = { ...at.state.text, ...changed };
};

const newLine = (at: Interpreting): void => at.cursor.newLine(0, -at.state.text.leading);

function setFont(at: Interpreting, font: PdfValue | undefined, fontName: string, size: number): void {
  at.state.font = font;
  at.state.fontName = fontName;
  setText(at, { font: at.visitor.fonts?.of(font), size });
}

function useGraphicsState(at: Interpreting, operation: Operation): void {
  const { doc, state } = at;
  const entries = doc.dict(at.namedResource('ExtGState', operation));
  if (!entries) return;
  state.lineWidth = doc.number(entries.get('LW')) ?? state.lineWidth;
  const [font, size] = doc.array(entries.get('Font')) ?? [];
  if (font !== undefined) setFont(at, font, (operation.operands[0] as Name).value, doc.number(size) ?? 0);
  const modes = doc.resolve(entries.get('BM'));
  state.blendMode = doc.name(Array.isArray(modes) ? modes[0] : modes) ?? state.blendMode;
  const stroke = doc.boolean(entries.get('OP'));
  const fill = doc.boolean(entries.get('op')) ?? stroke;
  const mode = doc.number(entries.get('OPM'));
  if (stroke !== undefined || fill !== undefined || mode !== undefined)
    state.overprint = {
      stroke: stroke ?? state.overprint.stroke,
      fill: fill ?? state.overprint.fill,
      mode: mode ?? state.overprint.mode,
    };
  at.visitor.useGraphicsState?.(entries, operation, at);
}

const setColour = (at: Interpreting, target: ColourTarget, operation: Operation, colour: Colour) => {
  at.state[target] = colour;
  at.visitor.setColour?.(target, operation, at);
};

/** Colour spaces that are no resources. */
export const DEVICE_SPACES: ReadonlySet<string> = new Set([
  'DeviceGray',
  'DeviceRGB',
  'DeviceCMYK',
  'Pattern',
]);

const deviceColour = (target: ColourTarget, device: string): Effect => {
  const space = name(device);
  return (at, operation) =>
    setColour(at, target, operation, { space, components: numbersOf(operation), pattern: undefined });
};

const colourSpace =
  (target: ColourTarget): Effect =>
  (at, operation) => {
    const operand = operation.operands[0] as Name;
    const held = at.namedResource('ColorSpace', operation);
    const space = DEVICE_SPACES.has(operand.value) ? operand : (held ?? operand);
    setColour(at, target, operation, { space, components: undefined, pattern: undefined });
  };

/** `SC` and `sc` take no pattern. */
const colour =
  (target: ColourTarget, takesPattern: boolean): Effect =>
  (at, operation) => {
    const components = operation.operands.filter((each) => typeof each === 'number');
    const last = operation.operands.at(-1);
    const pattern =
      takesPattern && last instanceof Name
        ? { name: last.value, value: at.namedResource('Pattern', operation) }
        : undefined;
    setColour(at, target, operation, { space: at.state[target].space, components, pattern });
  };

const constructPath: Effect = (at, operation) => {
  const { path, visitor } = at;
  if (path.start === -1) path.start = operation.start;
  visitor.constructPath?.(operation, at);
  if (!visitor.paths) return;
  path.extend(operation.operator, numbersOf(operation), at.state.ctm);
  if (visitor.paths === 'subpaths') path.addSegment(operation.operator, numbersOf(operation), at.state.ctm);
};

const paintPath =
  (painting: PathPainting): Effect =>
  (at, operation) => {
    at.visitor.paintPath?.(painting, operation, at);
    if (at.path.start !== -1 || at.path.clipping !== '') at.path = new CurrentPath();
  };

const clip: Effect = (at, { operator }) => {
  at.path.clipping = operator;
};

const show = (at: Interpreting, operation: Operation): void => {
  const shown = operation.operands.at(-1) ?? null;
  at.visitor.showText?.(Array.isArray(shown) ? shown : [shown], operation, at);
};

const markPoint: Effect = (at, operation) => at.visitor.markPoint?.(operation, at);

const EFFECTS: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['q', (at) => at.save()],
  ['Q', (at) => at.restore()],
  [
    'cm',
    (at, operation) => {
      at.state.ctm = product(numbersOf(operation) as SixNumbers, at.state.ctm);
    },
  ],
  [
    'w',
    (at, { operands }) => {
      at.state.lineWidth = operands[0] as number;
    },
  ],
  ['gs', useGraphicsState],
  ['g', deviceColour('fill', 'DeviceGray')],
  ['G', deviceColour('stroke', 'DeviceGray')],
  ['rg', deviceColour('fill', 'DeviceRGB')],
  ['RG', deviceColour('stroke', 'DeviceRGB')],
  ['k', deviceColour('fill', 'DeviceCMYK')],
  ['K', deviceColour('stroke', 'DeviceCMYK')],
  ['cs', colourSpace('fill')],
  ['CS', colourSpace('stroke')],
  ['sc', colour('fill', false)],
  ['SC', colour('stroke', false)],
  ['scn', colour('fill', true)],
  ['SCN', colour('stroke', true)],
  ...[...PATH_CONSTRUCTION].map((operator): [string, Effect] => [operator, constructPath]),
  ...[...PATH_PAINTING].map(([operator, painting]): [string, Effect] => [operator, paintPath(painting)]),
  ['W', clip],
  ['W*', clip],
  ['BT', (at) => at.cursor.begin()],
  ['Tm', (at, operation) => at.cursor.set(numbersOf(operation) as SixNumbers)],
  ['Td', (at, { operands: [x, y] }) => at.cursor.newLine(x as number, y as number)],
  [
    'TD',
    (at, { operands: [x, y] }) => {
      setText(at, { leading: -(y as number) });
      at.cursor.newLine(x as number, y as number);
    },
  ],
  ['T*', newLine],
  ['Tc', (at, { operands: [by] }) => setText(at, { characterSpacing: by as number })],
  ['Tw', (at, { operands: [by] }) => setText(at, { wordSpacing: by as number })],
  ['Tz', (at, { operands: [percent] }) => setText(at, { stretch: (percent as number) / 100 })],
  ['TL', (at, { operands: [by] }) => setText(at, { leading: by as number })],
  ['Ts', (at, { operands: [by] }) => setText(at, { rise: by as number })],
  [
    'Tr',
    (at, { operands: [mode] }) => {
      at.state.renderingMode = mode as number;
    },
  ],
  [
    'Tf',
    (at, operation) => {
      const [word, size] = operation.operands as [Name, number];
      setFont(at, at.namedResource('Font', operation, word), word.value, size);
    },
  ],
  ['Tj', show],
  ['TJ', show],
  [
    "'",
    (at, operation) => {
      newLine(at);
      show(at, operation);
    },
  ],
  [
    '"',
    (at, operation) => {
      const [wordSpacing, characterSpacing] = numbersOf(operation);
      setText(at, { wordSpacing: wordSpacing as number, characterSpacing: characterSpacing as number });
      newLine(at);
      show(at, operation);
    },
  ],
  [
    'sh',
    (at, operation) => {
      const shading = at.namedResource('Shading', operation);
      at.visitor.paintShading?.(shading, operation, at);
    },
  ],
  ['Do', (at, operation) => at.draw(operation)],
  [
    'BI',
    (at, operation) => {
      const [dict] = operation.operands;
      if (dict instanceof Dict) at.visitor.drawInlineImage?.(dict, operation, at);
    },
  ],
  ['BMC', (at, operation) => at.beginMarkedContent(operation)],
  ['BDC', (at, operation) => at.beginMarkedContent(operation)],
  ['EMC', (at, operation) => at.endMarkedContent(operation)],
  ['MP', markPoint],
  ['DP', markPoint],
]);

export interface Operator {
  signature: string;
  /** Whether it builds, clips by, or ends the current path. */
  isOfPath: boolean;
  /** Undefined: it changes nothing that is followed. */
  effect: Effect | undefined;
}

/** All there are, each found by one look: content is made of millions. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  [...SIGNATURES].map(([operator, signature]) => [
    operator,
    { signature, isOfPath: isPathOperator(operator), effect: EFFECTS.get(operator) },
  ]),
);
