// A document under examination: its objects, its bytes, and what was found out so far, each thing once.
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { Dict, type PdfObject, type PdfValue, Ref, Stream } from '../objects.ts';
import { Drawing } from './content/content-walker.ts';
import type { Drawn } from './content/drawn.ts';
import { type IccProfile, readIccProfile } from './content/icc-profile.ts';
import { isTransparentState } from './content/transparent-state.ts';
import { type RawFile, readRawFile } from './file/raw-file.ts';
import { FontFacts } from './fonts/font-under-test.ts';
import { type RdfPacket, readRdfPacket } from './xmp/rdf.ts';

export interface OutputIntent {
  dict: Dict;
  kind: string | undefined;
  profileRef: Ref | undefined;
  profile: IccProfile | undefined;
  where: string;
}

export interface NamedObject {
  ref: Ref;
  object: PdfObject;
  where: string;
}

export interface MetadataStream {
  ref: Ref;
  dict: Dict;
  isDocument: boolean;
  where: string;
  packet: RdfPacket;
}

export interface Annotation {
  dict: Dict;
  page: Dict;
  subtype: string;
  where: string;
}

/** Opens an embedded file and tells whether it conforms to what it declares, where that fits. */
export type Embedded = (bytes: Uint8Array, allowed: RegExp) => boolean;

export interface SubjectOptions {
  isEncrypted: boolean;
  conformsTo?: Embedded;
  /** Hears of each page whose content was looked at. */
  onPage?: () => void;
}

/** Objects beyond this number are not examined. */
const MAX_OBJECTS = 2_000_000;

export class Subject {
  readonly doc: PdfDocument;
  readonly bytes: Uint8Array;
  readonly isEncrypted: boolean;
  private readonly conformsTo: Embedded;
  private readonly onPage: () => void;
  private readonly kept = new Map<string, unknown>();

  constructor(doc: PdfDocument, bytes: Uint8Array, options: SubjectOptions) {
    this.doc = doc;
    this.bytes = bytes;
    this.isEncrypted = options.isEncrypted;
    this.conformsTo = options.conformsTo ?? (() => false);
    this.onPage = options.onPage ?? (() => {});
  }

  /** Whether an embedded file conforms to a standard whose id fits. */
  conforms(bytes: Uint8Array, allowed: RegExp): boolean {
    return this.conformsTo(bytes, allowed);
  }

  private once<T>(key: string, make: () => T): T {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key) as T;
  }

  get raw(): RawFile {
    return this.once('raw', () => readRawFile(this.doc, this.bytes));
  }

  /** Every object of the file, whether anything leads to it or not. */
  get objects(): NamedObject[] {
    return this.once('objects', () =>
      this.raw.refs
        .slice(0, MAX_OBJECTS)
        .map((ref) => ({ ref, object: this.doc.get(ref), where: `object ${ref.number} ${ref.generation}` })),
    );
  }

  /** Every dictionary, inner ones included. */
  get dicts(): { dict: Dict; where: string }[] {
    return this.once('dicts', () =>
      this.objects.flatMap(({ object, where }) => dictsIn(object).map((dict) => ({ dict, where }))),
    );
  }

  get drawn(): Drawn {
    return this.once('drawn', () => new Drawing(this.doc).all(this.onPage));
  }

  /** Something shows through what lies above it; groups alone do not make it so. */
  get hasRealTransparency(): boolean {
    const { doc, drawn } = this;
    const isMasked = (dict: Dict): boolean =>
      dict.has('SMask') &&
      doc.name(dict.get('SMask')) !== 'None' &&
      doc.dict(dict.get('SMask')) !== undefined;
    return (
      [...drawn.states.values()].some(({ dict }) => isTransparentState(doc, dict)) ||
      [...drawn.images.values()].some(
        ({ dict }) => isMasked(dict) || (doc.number(dict.get('SMaskInData')) ?? 0) > 0,
      )
    );
  }

  get fonts(): FontFacts[] {
    return this.once('fonts', () =>
      [...this.drawn.fonts.values()].map((use) => new FontFacts(this.doc, use)),
    );
  }

  get annotations(): Annotation[] {
    return this.once('annotations', () =>
      this.doc.pages().flatMap((ref, index) => {
        const page = this.doc.dict(ref) ?? new Dict();
        return (this.doc.array(page.get('Annots')) ?? []).flatMap((value) => {
          const dict = this.doc.dict(value);
          if (!dict) return [];
          const subtype = this.doc.name(dict.get('Subtype')) ?? '';
          const number = value instanceof Ref ? ` (object ${value.number} ${value.generation})` : '';
          return [
            { dict, page, subtype, where: `page ${index + 1}, ${subtype || 'unnamed'} annotation${number}` },
          ];
        });
      }),
    );
  }

  get pages(): { dict: Dict; ref: Ref; where: string }[] {
    return this.once('pages', () =>
      this.doc.pages().map((ref, index) => ({
        dict: this.doc.dict(ref) ?? new Dict(),
        ref,
        where: `page ${index + 1}`,
      })),
    );
  }

  get outputIntents(): OutputIntent[] {
    return this.once('intents', () => this.intentsOf(this.doc.catalog, 'document'));
  }

  intentsOf(holder: Dict, where: string): OutputIntent[] {
    const { doc } = this;
    return (doc.array(holder.get('OutputIntents')) ?? []).flatMap((value, index) => {
      const dict = doc.dict(value);
      if (!dict) return [];
      const held = dict.get('DestOutputProfile');
      const profileRef = held instanceof Ref && doc.get(held) instanceof Stream ? held : undefined;
      return [
        {
          dict,
          kind: doc.name(dict.get('S')),
          profileRef,
          profile: profileRef && readIccProfile(contentOf(doc, profileRef)),
          where: `output intent ${index + 1} of ${where}`,
        },
      ];
    });
  }

  /** "RGB ", "CMYK" or "GRAY": what device colours mean here; undefined where nothing tells. */
  get outputColours(): string | undefined {
    return this.outputIntents.find(({ kind, profile }) => kind === 'GTS_PDFA1' && profile)?.profile
      ?.colourSpace;
  }

  get metadata(): MetadataStream[] {
    return this.once('metadata', () => this.readMetadata());
  }

  get documentMetadata(): MetadataStream | undefined {
    return this.metadata.find(({ isDocument }) => isDocument);
  }

  private readMetadata(): MetadataStream[] {
    const { doc } = this;
    const main = doc.catalog.get('Metadata');
    const held = new Map<string, Ref>();
    for (const value of [main, ...this.dicts.map(({ dict }) => dict.get('Metadata'))])
      if (value instanceof Ref && !held.has(value.key)) held.set(value.key, value);
    return [...held.values()].flatMap((ref) => {
      const stream = doc.get(ref);
      if (!(stream instanceof Stream)) return [];
      if (doc.name(stream.dict.get('Subtype')) !== 'XML' && ref !== main) return [];
      const isDocument = main instanceof Ref && ref.key === main.key;
      const where = isDocument ? 'document metadata' : `metadata (object ${ref.number} ${ref.generation})`;
      return [{ ref, dict: stream.dict, isDocument, where, packet: readRdfPacket(contentOf(doc, ref)) }];
    });
  }
}

function dictsIn(object: PdfObject): Dict[] {
  const found: Dict[] = [];
  const waiting: PdfObject[] = [object];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const item of value as PdfValue[])
        if (item instanceof Dict || Array.isArray(item)) waiting.push(item);
      continue;
    }
    const dict = value instanceof Stream ? value.dict : value;
    if (!(dict instanceof Dict)) continue;
    found.push(dict);
    for (const item of dict.values()) if (item instanceof Dict || Array.isArray(item)) waiting.push(item);
  }
  return found;
}
