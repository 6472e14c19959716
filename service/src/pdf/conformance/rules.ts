// The table of rules: every test this service makes, in the order of the standard.
import { placeOf, type Rule } from './rule.ts';
import { ACCESSIBILITY_RULES } from './rules-accessibility.ts';
import { ACCESSIBLE_ANNOTATION_RULES } from './rules-accessible-annotations.ts';
import { ACCESSIBLE_STRUCTURE_RULES } from './rules-accessible-structure.ts';
import { ACCESSIBLE_TABLE_RULES } from './rules-accessible-tables.ts';
import { COLOUR_RULES } from './rules-colour.ts';
import { DOCUMENT_RULES } from './rules-document.ts';
import { FILE_RULES } from './rules-file.ts';
import { FONT_RULES } from './rules-fonts.ts';
import { GRAPHICS_RULES } from './rules-graphics.ts';
import { INTERACTIVE_RULES } from './rules-interactive.ts';
import { METADATA_RULES } from './rules-metadata.ts';
import { SIGNATURE_RULES } from './rules-signatures.ts';
import { TAG_RULES } from './rules-tags.ts';
import type { Standard } from './standards.ts';

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
];

/** What we say of a test that another program made. */
export function messageOf(clause: string, test: string, standard: Standard): string | undefined {
  return RULES.find((rule) => {
    const place = placeOf(rule, standard);
    return place?.clause === clause && place.test === test;
  })?.message;
}
