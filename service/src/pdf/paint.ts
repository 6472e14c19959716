// Colour and opacity of what is drawn.
import { Dict, name } from './objects.ts';
import { formatNumber } from './syntax.ts';

/** Red, green and blue of #rrggbb, 0 to 1. */
export function rgbOf(colour: string): [number, number, number] {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

export interface Paint {
  operators: string;
  resources: Record<string, Dict>;
}

/** Fills and strokes with a colour at an opacity. */
export function paintOf(colour: string, opacity: number): Paint {
  const rgb = rgbOf(colour).map(formatNumber).join(' ');
  const fill = `${rgb} rg ${rgb} RG`;
  if (opacity >= 1) return { operators: fill, resources: {} };
  const state = Dict.of({ Type: name('ExtGState'), ca: opacity, CA: opacity });
  return { operators: `/See gs ${fill}`, resources: { ExtGState: Dict.of({ See: state }) } };
}
