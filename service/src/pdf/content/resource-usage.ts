// Which of the resources it lists a page really uses. Many producers give all pages one dictionary.

import type { PdfDocument } from '../document.ts';
import { MAX_CONTENT_BYTES } from '../filters/content-data.ts';
import { Dict, isName, type PdfValue, Ref, Stream } from '../objects.ts';
import { type ContentNames, namesInContent, noNames, RESOURCE_CATEGORIES } from '../syntax/content-names.ts';
import { MAX_NESTING } from './content-interpreter.ts';

/** What a page or a form uses of its resources. */
export interface Usage {
  /** Its content could not be read for certain: everything counts as used. */
  doubtful: boolean;
  names: ContentNames;
}

/** Colour spaces that replace the device ones without being named. */
const IMPLIED = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK'];

export class ResourceUsage {
  private readonly doc: PdfDocument;
  private readonly trimmedDrawings = new Set<string>();
  private nesting = 0;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** `known` is what the content names, where that was read before; it may be added to. */
  ofPage(page: Dict, known?: ContentNames): Usage {
    const contents = page.get('Contents');
    const parts = this.doc.array(contents) ?? (contents === undefined ? [] : [contents]);
    const usage = known ? { doubtful: false, names: known } : this.ofContent(parts);
    const resources = this.doc.dict(page.get('Resources'));
    if (resources && !usage.doubtful) this.followNames(usage, resources);
    return usage;
  }

  /** The resources without entries that are not used; the same value where nothing goes. */
  prune(held: PdfValue | undefined, usage: Usage): PdfValue | undefined {
    const resources = this.doc.dict(held);
    if (!resources || usage.doubtful) return held;
    let changed: Dict | undefined;
    for (const category of RESOURCE_CATEGORIES) {
      const entries = this.doc.dict(resources.get(category));
      if (!entries) continue;
      const used = new Dict();
      for (const key of [...usage.names[category], ...IMPLIED]) {
        const value = entries.get(key);
        if (value !== undefined) used.set(key, value);
      }
      if (used.size === entries.size) continue;
      changed ??= new Dict(resources);
      changed.put(category, used.size > 0 ? used : undefined);
    }
    return changed ?? held;
  }

  /** Leaves a form, a pattern or an appearance only what its own content uses. */
  trimForm(ref: PdfValue | undefined): void {
    this.formUsage(ref);
  }

  /** The same for a font made of drawings. */
  trimFont(ref: Ref): void {
    this.type3Usage(ref);
  }

  private ofContent(parts: readonly PdfValue[]): Usage {
    const pieces: Uint8Array[] = [];
    for (const part of parts) {
      if (!(part instanceof Ref) || !(this.doc.get(part) instanceof Stream)) continue;
      const { bytes, decoded } = this.doc.streamData(part);
      if (!decoded || bytes.length > MAX_CONTENT_BYTES) return { doubtful: true, names: noNames() };
      pieces.push(bytes, Buffer.from('\n'));
    }
    const names = namesInContent(
      pieces.length === 2 ? (pieces[0] ?? new Uint8Array()) : Buffer.concat(pieces),
    );
    return { doubtful: names === undefined, names: names ?? noNames() };
  }

  /** Things named may themselves draw: forms, patterns, soft masks, fonts made of drawings. */
  private followNames(usage: Usage, resources: Dict): void {
    const pending: [keyof ContentNames, string][] = [];
    const seen = new Set<string>();
    const queue = (names: ContentNames): void => {
      for (const category of RESOURCE_CATEGORIES) {
        for (const key of names[category]) {
          usage.names[category].add(key);
          const id = `${category} ${key}`;
          if (seen.has(id)) continue;
          seen.add(id);
          pending.push([category, key]);
        }
      }
    };
    queue(usage.names);
    for (let next = pending.pop(); next && !usage.doubtful; next = pending.pop()) {
      const [category, key] = next;
      const value = this.doc.dict(resources.get(category))?.get(key);
      // Without resources of its own a drawing uses those of the page.
      const borrowed = value === undefined ? undefined : this.borrowedBy(category, value);
      if (borrowed?.doubtful) usage.doubtful = true;
      else if (borrowed) queue(borrowed.names);
    }
  }

  private borrowedBy(category: keyof ContentNames, value: PdfValue): Usage | undefined {
    if (category === 'XObject' || category === 'Pattern') return this.formUsage(value);
    if (category === 'ExtGState')
      return this.formUsage(this.doc.dict(this.doc.dict(value)?.get('SMask'))?.get('G'));
    return category === 'Font' ? this.type3Usage(value) : undefined;
  }

  private formUsage(value: PdfValue | undefined): Usage | undefined {
    const form = this.doc.resolve(value);
    if (!(value instanceof Ref) || !(form instanceof Stream) || !drawsContent(form.dict)) return undefined;
    return this.drawing(value, form.dict, [value]);
  }

  private type3Usage(value: PdfValue): Usage | undefined {
    const font = this.doc.dict(value);
    if (!font || !isName(this.doc.resolve(font.get('Subtype')), 'Type3')) return undefined;
    const glyphs = [...(this.doc.dict(font.get('CharProcs'))?.values() ?? [])];
    // A font written inside the resources belongs to this page alone.
    if (!(value instanceof Ref))
      return this.doc.dict(font.get('Resources')) ? undefined : this.ofContent(glyphs);
    return this.drawing(value, font, glyphs);
  }

  /** Trims what has resources of its own; tells what it uses of those around it when it has none. */
  private drawing(ref: Ref, dict: Dict, contents: readonly PdfValue[]): Usage | undefined {
    if (this.trimmedDrawings.has(ref.key)) return undefined;
    const held = dict.get('Resources');
    const own = this.doc.dict(held);
    if (!own) return this.ofContent(contents);
    if (this.nesting >= MAX_NESTING) return undefined;
    this.trimmedDrawings.add(ref.key);
    this.nesting += 1;
    const usage = this.ofContent(contents);
    if (!usage.doubtful) this.followNames(usage, own);
    this.nesting -= 1;
    const trimmed = this.prune(held, usage);
    if (trimmed !== held && trimmed !== undefined) this.doc.edit(ref).set('Resources', trimmed);
    return undefined;
  }
}

/** Form XObjects and tiling patterns hold content; images and shadings do not. */
function drawsContent(dict: Dict): boolean {
  return isName(dict.get('Subtype'), 'Form') || dict.get('PatternType') === 1;
}
