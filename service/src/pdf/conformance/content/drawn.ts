// What drawing leaves behind for the rules: which fonts, colours, images and states are really used, and where.
import type { Dict, PdfObject, PdfValue, Ref } from '../../objects.ts';
import type { FoundFault } from '../file/raw-syntax.ts';

export type Device = 'Gray' | 'RGB' | 'CMYK';

export interface FontUse {
  font: Dict;
  ref: Ref | undefined;
  where: string;
  /** Strings shown, by how: visible ones are those drawn in any mode but 3. One character per byte. */
  visible: Set<string>;
  invisible: Set<string>;
  /** Strings shown where no ActualText stands for them. */
  unexplained: Set<string>;
  /** Strings of real content for which neither ActualText nor Alt stands. */
  undescribed: Set<string>;
}

export interface Place {
  where: string;
  /** Index of the page; forms and patterns count for the page that draws them first. */
  page: number;
}

export interface DeviceUse extends Place {
  device: Device;
}

export interface ObjectUse extends Place {
  dict: Dict;
  value: PdfValue | undefined;
}

export interface ImageUse extends ObjectUse {
  isInline: boolean;
  isSoftMask: boolean;
}

export interface SpaceUse extends Place {
  family: string;
  space: PdfValue[];
}

/** ICCBased CMYK painted while overprint mode 1 is on. */
export interface Drawn {
  fonts: Map<Dict, FontUse>;
  devices: DeviceUse[];
  /** ICCBased, Separation, DeviceN, each array once. */
  spaces: Map<PdfObject, SpaceUse>;
  overprinted: Place[];
  images: Map<Dict, ImageUse>;
  forms: Map<Dict, ObjectUse>;
  otherXObjects: ObjectUse[];
  states: Map<Dict, ObjectUse>;
  intents: (Place & { intent: string })[];
  unknownOperators: Place[];
  missingNames: Place[];
  inheritedNames: Place[];
  /** What draws with resources that are not its own, and those resources. */
  borrowers: Map<Dict, { value: PdfValue | undefined; resources: Dict }>;
  tooDeep: Place[];
  syntax: (Place & FoundFault)[];
  /** Entries of marked content that are text: Lang, ActualText, Alt, E. */
  markedTexts: (Place & { tag: string; properties: Dict })[];
  untagged: Place[];
  /** Forms with tagged content that are drawn once more. */
  repeatedForms: Place[];
  /** Artifacts inside tagged content, or the other way round. */
  wronglyNested: (Place & { isArtifact: boolean })[];
  /** Images in the appearances of signatures that no text (Alt) describes. */
  namelessSignatureImages: Place[];
  /** Pages on which something shows through. */
  transparentPages: Set<number>;
  inlineFilters: (Place & { filter: string })[];
}

export const nothingDrawn = (): Drawn => ({
  fonts: new Map(),
  devices: [],
  spaces: new Map(),
  overprinted: [],
  images: new Map(),
  forms: new Map(),
  otherXObjects: [],
  states: new Map(),
  intents: [],
  unknownOperators: [],
  missingNames: [],
  inheritedNames: [],
  borrowers: new Map(),
  tooDeep: [],
  syntax: [],
  markedTexts: [],
  untagged: [],
  repeatedForms: [],
  wronglyNested: [],
  namelessSignatureImages: [],
  transparentPages: new Set(),
  inlineFilters: [],
});
