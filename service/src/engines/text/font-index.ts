// The fonts of this machine. Folders are read directly: that needs no program, works inside the isolation, and is
// quick, since a font is opened only when its file's name or a rare character asks for it.
import { basename } from 'node:path';
import { computeOnce } from '../../contract/maps.ts';
import { readFacts } from './face-facts.ts';
import { Font } from './font.ts';
import { FontFile } from './font-file.ts';
import { type FontFolders, fontFiles } from './font-folders.ts';
import type { Subsetter } from './subsetter.ts';

export class FontIndex {
  private readonly folders: FontFolders;
  private readonly subsetter: () => Subsetter;
  private readonly opened = new Map<string, Font[]>();
  private readonly byFamily = new Map<string, Font | undefined>();
  private systemFiles: { path: string; stem: string }[] | undefined;
  private ownFonts: Font[] | undefined;
  private every: Font[] | undefined;

  constructor(folders: FontFolders, subsetter: () => Subsetter) {
    this.folders = folders;
    this.subsetter = subsetter;
  }

  /** The operator's fonts, one per family. */
  own(): readonly Font[] {
    const { own } = this.folders;
    this.ownFonts ??= own === null ? [] : plainest(fontFiles(own).flatMap((path) => this.open(path, true)));
    return this.ownFonts;
  }

  /** The plainest font of a family, found by the names of files: `NotoSansThai-Regular.ttf` is Noto Sans Thai. */
  family(name: string): Font | undefined {
    if (this.byFamily.has(name)) return this.byFamily.get(name);
    const wanted = squeeze(name);
    const isIt = (font: Font): boolean => squeeze(font.facts.family) === wanted;
    const inFiles = () =>
      this.files()
        .filter(({ stem }) => stem.length > 3 && wanted.startsWith(stem))
        .flatMap(({ path }) => this.open(path, false))
        .filter(isIt);
    const found = this.own().find(isIt) ?? plainest(inFiles())[0];
    this.byFamily.set(name, found);
    return found;
  }

  /** The font of a family that comes nearest to a style; undefined where the family is not there. */
  styled(name: string, style: { bold: boolean; italic: boolean }): Font | undefined {
    const wanted = squeeze(name);
    const distance = ({ facts }: Font): number =>
      Math.abs(facts.weight - (style.bold ? 700 : 400)) +
      (facts.italic === style.italic ? 0 : 1000) +
      100 * Math.abs(facts.width - 5);
    return this.files()
      .filter(({ stem }) => stem.length > 3 && wanted.startsWith(stem))
      .flatMap(({ path }) => this.open(path, false))
      .filter((font) => squeeze(font.facts.family) === wanted)
      .sort((a, b) => distance(a) - distance(b) || (a.key < b.key ? -1 : 1))[0];
  }

  /** One font of every family: those for text first, and among them the ones made to fill gaps. */
  all(): readonly Font[] {
    this.every ??= plainest(this.files().flatMap(({ path }) => this.open(path, false))).sort(
      (a, b) => rank(a) - rank(b) || (a.facts.family < b.facts.family ? -1 : 1),
    );
    return this.every;
  }

  private files(): { path: string; stem: string }[] {
    this.systemFiles ??= this.folders.system
      .flatMap(fontFiles)
      .map((path) => ({ path, stem: squeeze(basename(path).replace(/[-_[.].*$/, '')) }));
    return this.systemFiles;
  }

  private open(path: string, preferred: boolean): Font[] {
    return computeOnce(this.opened, path, () => fontsIn(path, preferred, this.subsetter));
  }
}

function fontsIn(path: string, preferred: boolean, subsetter: () => Subsetter): Font[] {
  try {
    return FontFile.with(path, (file) =>
      file.faceOffsets().flatMap((offset) => {
        const facts = readFacts(file, file.face(offset));
        return facts ? [new Font({ path, offset, facts, preferred, subsetter })] : [];
      }),
    );
  } catch {
    // Not a font, whatever its name says.
    return [];
  }
}

/** The plainest font of each family. */
function plainest(fonts: readonly Font[]): Font[] {
  const families = new Map<string, Font>();
  for (const font of fonts) {
    const before = families.get(font.facts.family);
    if (!before || comparePlainness(font, before) < 0) families.set(font.facts.family, font);
  }
  return [...families.values()];
}

/** Upright, regular, of normal width; the newer one first. */
const comparePlainness = (a: Font, b: Font): number =>
  oddity(a) - oddity(b) || b.facts.revision - a.facts.revision || (a.key < b.key ? -1 : 1);

const oddity = ({ facts }: Font): number =>
  Math.abs(facts.weight - 400) + (facts.italic ? 1000 : 0) + 100 * Math.abs(facts.width - 5);

function rank({ facts }: Font): number {
  if (facts.colour) return 3;
  if (facts.family.startsWith('Noto Sans')) return 0;
  return facts.family.startsWith('Noto') || facts.family.startsWith('DejaVu') ? 1 : 2;
}

const squeeze = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
