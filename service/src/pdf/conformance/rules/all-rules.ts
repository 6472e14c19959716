// The table of rules: every test this service makes, in the order of the standard.

import type { Standard } from '../standards.ts';
import { ACCESSIBILITY_RULES } from './accessibility.ts';
import { ACCESSIBILITY_2_RULES } from './accessibility-2.ts';
import { ACCESSIBLE_ANNOTATION_RULES } from './accessible-annotations.ts';
import { ACCESSIBLE_ANNOTATION_2_RULES } from './accessible-annotations-2.ts';
import { ACCESSIBLE_STRUCTURE_RULES } from './accessible-structure.ts';
import { ACCESSIBLE_TABLE_RULES } from './accessible-tables.ts';
import { COLOUR_RULES } from './colour.ts';
import { DOCUMENT_RULES } from './document.ts';
import { FILE_RULES } from './file.ts';
import { FONT_RULES } from './fonts.ts';
import { GRAPHICS_RULES } from './graphics.ts';
import { INTERACTIVE_RULES } from './interactive.ts';
import { METADATA_RULES } from './metadata.ts';
import { placeOf, type Rule } from './rule.ts';
import { SIGNATURE_RULES } from './signatures.ts';
import { TAG_RULES } from './tags.ts';

export const RULES: readonly Rule[] = [
  ...FILE_RULES,
  ...COLOUR_RULES,
  ...GRAPHICS_RULES,
  ...FONT_RULES,
  ...INTERACTIVE_RULES,
  ...METADATA_RULES,
  ...DOCUMENT_RULES,
  ...SIGNATURE_RULES,
  ...TAG_RULES,
  ...ACCESSIBILITY_RULES,
  ...ACCESSIBLE_STRUCTURE_RULES,
  ...ACCESSIBLE_TABLE_RULES,
  ...ACCESSIBLE_ANNOTATION_RULES,
  ...ACCESSIBILITY_2_RULES,
  ...ACCESSIBLE_ANNOTATION_2_RULES,
];

/** What we say of a test that another program made. */
export function messageOf(clause: string, test: string, standard: Standard): string | undefined {
  return RULES.find((rule) => {
    const place = placeOf(rule, standard);
    return place?.clause === clause && place.test === test;
  })?.message;
}
