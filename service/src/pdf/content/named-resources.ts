// The resources of content that is being rewritten: what it names, what it still uses, what is added.

import { computeOnce } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, isName, Name, type PdfValue, type Ref } from '../objects.ts';
import { RESOURCE_CATEGORIES, type ResourceCategory } from '../syntax/content-names.ts';

/** Colour spaces that replace the device ones without being named. */
const IMPLIED = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK'];

export class NamedResources {
  readonly all: Dict;
  private readonly doc: PdfDocument;
  /** How often each name is used. */
  private readonly names = new Map<ResourceCategory, Map<string, number>>();
  private readonly added = new Map<ResourceCategory, Dict>();

  constructor(doc: PdfDocument, resources: Dict) {
    this.doc = doc;
    this.all = resources;
  }

  category(category: ResourceCategory): Dict | undefined {
    return this.doc.dict(this.all.get(category));
  }

  get(category: ResourceCategory, operand: PdfValue | undefined): PdfValue | undefined {
    return operand instanceof Name ? this.category(category)?.get(operand.value) : undefined;
  }

  /** The colour spaces of an inline image. */
  useInImage(entries: Dict): void {
    const space = entries.get('CS') ?? entries.get('ColorSpace');
    for (const each of Array.isArray(space) ? space : [space]) this.use('ColorSpace', each);
  }

  use(category: ResourceCategory, operand: PdfValue | undefined): void {
    if (!(operand instanceof Name)) return;
    this.count(category, operand.value, 1);
  }

  /** Takes back a use that was noted: something else stands there now. */
  unuse(category: ResourceCategory, operand: PdfValue | undefined): void {
    if (operand instanceof Name && this.isUsed(category, operand.value))
      this.count(category, operand.value, -1);
  }

  private count(category: ResourceCategory, key: string, by: number): void {
    const names = this.names.get(category) ?? new Map<string, number>();
    this.names.set(category, names.set(key, (names.get(key) ?? 0) + by));
  }

  private isUsed(category: ResourceCategory, key: string): boolean {
    return (this.names.get(category)?.get(key) ?? 0) > 0;
  }

  private usedNames(category: ResourceCategory): string[] {
    return [...(this.names.get(category)?.keys() ?? [])].filter((key) => this.isUsed(category, key));
  }

  /** A name for something new that is drawn in place of what had the name before. */
  exchange(category: ResourceCategory, operand: PdfValue | undefined, made: Ref): string {
    const added = computeOnce(this.added, category, () => new Dict());
    for (const [key, value] of added) if (value === made) return key;
    const wanted = `${operand instanceof Name ? operand.value : 'Cut'}_${added.size + 1}`;
    let key = wanted;
    while (this.category(category)?.has(key) || added.has(key)) key += 'x';
    added.set(key, made);
    return key;
  }

  /** The resources without what is no longer named. */
  resourcesInUse(): Dict {
    const left = new Dict(this.all);
    const isLent = this.isLent();
    for (const category of RESOURCE_CATEGORIES) {
      const held = this.category(category);
      if (!held && !this.added.has(category)) continue;
      const names = isLent ? [...(held?.keys() ?? [])] : [...this.usedNames(category), ...IMPLIED];
      const entries = new Dict(this.added.get(category) ?? []);
      for (const key of names) {
        const value = held?.get(key);
        if (value !== undefined) entries.set(key, value);
      }
      left.put(category, entries.size > 0 ? entries : undefined);
    }
    return left;
  }

  /** Fonts made of drawings, and patterns, without resources of their own draw with these. */
  private isLent(): boolean {
    const borrows = (category: ResourceCategory, isDrawing: (dict: Dict) => boolean): boolean =>
      this.usedNames(category).some((key) => {
        const dict = this.doc.dict(this.category(category)?.get(key));
        return dict !== undefined && isDrawing(dict) && !this.doc.dict(dict.get('Resources'));
      });
    return (
      borrows('Font', (font) => isName(this.doc.resolve(font.get('Subtype')), 'Type3')) ||
      borrows('Pattern', (pattern) => this.doc.number(pattern.get('PatternType')) === 1)
    );
  }
}
