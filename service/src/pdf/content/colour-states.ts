// Which colours are in force while content is read (ISO 32000-1, 8.6.8).

import type { PdfDocument } from '../document.ts';
import { IDENTITY, type Matrix, product } from '../geometry/matrix.ts';
import { type Dict, Name, type PdfValue } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import type { ColourSpace } from './colour-spaces.ts';
import { CMYK, GRAY, RGB, readSpace } from './colour-spaces.ts';

export interface Colour {
  /** Undefined where the file names one that makes no sense. */
  space: ColourSpace | undefined;
  values: readonly number[];
  pattern: string | undefined;
}

export type Target = 'fill' | 'stroke';

interface State {
  ctm: Matrix;
  fill: Colour;
  stroke: Colour;
  textMode: number;
  /** Colours are mixed with what lies below. */
  blends: boolean;
}

const BLACK: Colour = { space: GRAY, values: [0], pattern: undefined };
const MAX_SAVED = 10_000;

const SETTING: Readonly<Record<string, [Target, ColourSpace]>> = {
  g: ['fill', GRAY],
  G: ['stroke', GRAY],
  rg: ['fill', RGB],
  RG: ['stroke', RGB],
  k: ['fill', CMYK],
  K: ['stroke', CMYK],
};
const CHOOSING: Readonly<Record<string, Target>> = { cs: 'fill', CS: 'stroke' };
const IN_SPACE: Readonly<Record<string, Target>> = { sc: 'fill', scn: 'fill', SC: 'stroke', SCN: 'stroke' };

export class ColourStates {
  current: State = { ctm: IDENTITY, fill: BLACK, stroke: BLACK, textMode: 0, blends: false };
  private readonly doc: PdfDocument;
  private readonly resources: Dict;
  private readonly saved: State[] = [];
  private readonly spaces = new Map<string, ColourSpace | undefined>();

  constructor(doc: PdfDocument, resources: Dict) {
    this.doc = doc;
    this.resources = resources;
  }

  resource(category: string, operand: PdfValue | undefined): PdfValue | undefined {
    return operand instanceof Name
      ? this.doc.dict(this.resources.get(category))?.get(operand.value)
      : undefined;
  }

  /** Takes note of an operation. Tells which colour it has set. */
  apply({ operator, operands }: Operation): Target | undefined {
    const setting = own(SETTING, operator);
    if (setting)
      return this.set(setting[0], { space: setting[1], values: numbersOf(operands), pattern: undefined });
    const choosing = own(CHOOSING, operator);
    if (choosing) {
      const space = this.space(operands[0]);
      return this.set(choosing, { space, values: space?.initial ?? [], pattern: undefined });
    }
    const target = own(IN_SPACE, operator);
    if (target) {
      const last = operands.at(-1);
      const { space } = this.current[target];
      const pattern = last instanceof Name ? last.value : undefined;
      return this.set(target, { space, values: numbersOf(operands), pattern });
    }
    this.applyOther(operator, operands);
    return undefined;
  }

  private applyOther(operator: string, operands: readonly PdfValue[]): void {
    if (operator === 'q' && this.saved.length < MAX_SAVED) this.saved.push({ ...this.current });
    else if (operator === 'Q') this.current = this.saved.pop() ?? this.current;
    else if (operator === 'cm') {
      const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(operands);
      this.current.ctm = product([a, b, c, d, e, f], this.current.ctm);
    } else if (operator === 'Tr') this.current.textMode = numbersOf(operands)[0] ?? 0;
    else if (operator === 'gs') {
      const mode = this.doc.resolve(this.doc.dict(this.resource('ExtGState', operands[0]))?.get('BM'));
      const first = this.doc.name(Array.isArray(mode) ? mode[0] : mode);
      if (first !== undefined) this.current.blends = first !== 'Normal' && first !== 'Compatible';
    }
  }

  private set(target: Target, colour: Colour): Target {
    this.current[target] = colour;
    return target;
  }

  space(operand: PdfValue | undefined): ColourSpace | undefined {
    if (!(operand instanceof Name)) return undefined;
    if (!this.spaces.has(operand.value)) {
      const listed = this.doc.dict(this.resources.get('ColorSpace'));
      this.spaces.set(
        operand.value,
        readSpace(this.doc, operand, (name) => listed?.get(name)),
      );
    }
    return this.spaces.get(operand.value);
  }
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const numbersOf = (operands: readonly PdfValue[]): number[] =>
  operands.filter((each): each is number => typeof each === 'number');
