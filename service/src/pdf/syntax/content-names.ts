// Which resources a content stream names: it is scanned, not interpreted. This may say too much, never too little;
// where the stream is not plain PDF content it says nothing at all.
import { lookup } from '../../contract/lookup.ts';
import { ContentScanner } from './content-scanner.ts';

/** Names used, by resource category. */
export type ContentNames = Record<ResourceCategory, Set<string>>;
export type ResourceCategory = (typeof RESOURCE_CATEGORIES)[number];

export const RESOURCE_CATEGORIES = [
  'XObject',
  'Font',
  'ExtGState',
  'ColorSpace',
  'Pattern',
  'Shading',
  'Properties',
] as const;

/** Operators whose name operand is a resource. */
const NAMING: Record<string, ResourceCategory> = lookup({
  Do: 'XObject',
  Tf: 'Font',
  gs: 'ExtGState',
  cs: 'ColorSpace',
  CS: 'ColorSpace',
  scn: 'Pattern',
  SCN: 'Pattern',
  sh: 'Shading',
  BDC: 'Properties',
  DP: 'Properties',
});

export function noNames(): ContentNames {
  return {
    XObject: new Set(),
    Font: new Set(),
    ExtGState: new Set(),
    ColorSpace: new Set(),
    Pattern: new Set(),
    Shading: new Set(),
    Properties: new Set(),
  };
}

/** Undefined where the bytes are doubtful: callers then take every resource as used. */
export function namesInContent(bytes: Uint8Array): ContentNames | undefined {
  const scanner = new NameScanner(bytes);
  return scanner.run() ? scanner.names : undefined;
}

export class NameScanner extends ContentScanner {
  readonly names = noNames();

  protected meet(operator: string, name: string | undefined): void {
    if (name !== undefined && Object.hasOwn(NAMING, operator))
      this.names[NAMING[operator] as ResourceCategory].add(name);
  }

  /** Every one of them may be a colour space of the page. */
  protected meetInImage(name: string): void {
    this.names.ColorSpace.add(name);
  }
}
