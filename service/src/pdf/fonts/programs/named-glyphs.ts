// Fonts whose glyphs have names (Type 1, and CFF without CIDs): which of them a code may draw.
import { charactersOfName } from '../glyph-names.ts';
import type { Shown } from './subset.ts';

export class NamedGlyphs {
  private readonly byName = new Map<string, number>();
  private readonly byCharacter = new Map<string, number[]>();
  private readonly builtIn: (code: number) => number | undefined;

  /** `builtIn` is the encoding that the font program brings along. */
  constructor(names: readonly string[], builtIn: (code: number) => number | undefined) {
    this.builtIn = builtIn;
    names.forEach((name, glyph) => {
      if (!this.byName.has(name)) this.byName.set(name, glyph);
      const character = charactersOfName(name);
      if (character === undefined) return;
      const held = this.byCharacter.get(character);
      if (held) held.push(glyph);
      else this.byCharacter.set(character, [glyph]);
    });
  }

  get(name: string): number | undefined {
    return this.byName.get(name);
  }

  /** By its name, or as a glyph of the same meaning; by the font's own encoding only where no name is known. */
  meant(shown: Shown): readonly number[] {
    if (shown.kind !== 'simple') return [];
    const { name, code, characters } = shown;
    const own = name === undefined ? this.builtIn(code) : this.byName.get(name);
    const alike = characters.flatMap((character) => this.byCharacter.get(character) ?? []);
    return [own, ...alike].filter((glyph) => glyph !== undefined);
  }

  of(shown: Shown): readonly number[] | undefined {
    if (shown.kind !== 'simple') return undefined;
    const byName = shown.name === undefined ? undefined : this.byName.get(shown.name);
    const alike = shown.characters.flatMap((character) => this.byCharacter.get(character) ?? []);
    const builtIn = this.builtIn(shown.code);
    // The name decides where there is one; what else the code might be read as comes along.
    const isFound =
      byName !== undefined || alike.length > 0 || (shown.name === undefined && builtIn !== undefined);
    if (!isFound) return shown.characters.some((character) => character.trim() === '') ? [] : undefined;
    return [byName, builtIn, ...alike].filter((glyph) => glyph !== undefined);
  }
}
