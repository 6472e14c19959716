// The post table of TrueType fonts: the names of their glyphs.
import { charactersOfName } from '../glyph-names.ts';

const HEAD_BYTES = 32;
const FORMAT = { standardOrder: 0x00010000, ownNames: 0x00020000 } as const;

/** Glyphs that every Macintosh font had, in their order: such names are not written out (OpenType, post). */
const STANDARD_GLYPHS: readonly string[] = `
.notdef .null nonmarkingreturn space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft
parenright asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon
less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright
asciicircum underscore grave a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde
Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex adieresis atilde aring ccedilla
eacute egrave ecircumflex edieresis iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex odieresis
otilde uacute ugrave ucircumflex udieresis dagger degree cent sterling section bullet paragraph germandbls registered
copyright trademark acute dieresis notequal AE Oslash infinity plusminus lessequal greaterequal yen mu partialdiff
summation product pi integral ordfeminine ordmasculine Omega ae oslash questiondown exclamdown logicalnot radical
florin approxequal Delta guillemotleft guillemotright ellipsis nonbreakingspace Agrave Atilde Otilde OE oe endash
emdash quotedblleft quotedblright quoteleft quoteright divide lozenge ydieresis Ydieresis fraction currency
guilsinglleft guilsinglright fi fl daggerdbl periodcentered quotesinglbase quotedblbase perthousand Acircumflex
Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex Idieresis Igrave Oacute Ocircumflex apple Ograve Uacute
Ucircumflex Ugrave dotlessi circumflex tilde macron breve dotaccent ring cedilla hungarumlaut ogonek caron Lslash
lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute yacute Thorn thorn minus multiply onesuperior twosuperior
threesuperior onehalf onequarter threequarters franc Gbreve gbreve Idotaccent Scedilla scedilla Cacute cacute Ccaron
ccaron dcroat`
  .trim()
  .split(/\s+/);

export interface GlyphNames {
  byName: ReadonlyMap<string, number>;
  /** By the character that a name stands for. */
  byCharacter: ReadonlyMap<string, readonly number[]>;
}

/** None where the font does not tell them. */
export function readGlyphNames(post: Buffer | undefined): GlyphNames {
  const byName = new Map<string, number>();
  const byCharacter = new Map<string, number[]>();
  for (const [glyph, name] of post ? namesIn(post).entries() : []) {
    if (name === undefined) continue;
    if (!byName.has(name)) byName.set(name, glyph);
    const character = charactersOfName(name);
    if (character === undefined) continue;
    const held = byCharacter.get(character);
    if (held) held.push(glyph);
    else byCharacter.set(character, [glyph]);
  }
  return { byName, byCharacter };
}

/** By glyph. */
function namesIn(post: Buffer): readonly (string | undefined)[] {
  const format = post.length >= HEAD_BYTES ? post.readUInt32BE(0) : 0;
  if (format === FORMAT.standardOrder) return STANDARD_GLYPHS;
  if (format !== FORMAT.ownNames || post.length < HEAD_BYTES + 2) return [];
  const count = post.readUInt16BE(HEAD_BYTES);
  const indexes = HEAD_BYTES + 2;
  const starts = ownNameStarts(post, indexes + 2 * count);
  const there = Math.min(count, (post.length - indexes) >> 1);
  return Array.from({ length: there }, (_, glyph) => {
    const index = post.readUInt16BE(indexes + 2 * glyph);
    const start = starts[index - STANDARD_GLYPHS.length];
    return start === undefined
      ? STANDARD_GLYPHS[index]
      : post.toString('latin1', start + 1, start + 1 + post.readUInt8(start));
  });
}

/** Where the names begin that are written out, each with its length. */
function ownNameStarts(post: Buffer, from: number): number[] {
  const starts: number[] = [];
  for (let at = from; at < post.length; at += 1 + post.readUInt8(at)) starts.push(at);
  return starts;
}

/** The table with the names of these glyphs only, where the font has its own. */
export function subsetNames(post: Buffer, glyphs: ReadonlySet<number>): Buffer {
  if (post.length < HEAD_BYTES + 2 || post.readUInt32BE(0) !== FORMAT.ownNames) return post;
  const count = post.readUInt16BE(HEAD_BYTES);
  const starts = ownNameStarts(post, HEAD_BYTES + 2 + 2 * count);
  const indexes = Buffer.alloc(2 * count);
  const names: Buffer[] = [];
  for (const glyph of glyphs) {
    if (glyph >= count) continue;
    const index = post.readUInt16BE(HEAD_BYTES + 2 + 2 * glyph);
    const start = starts[index - STANDARD_GLYPHS.length];
    if (start === undefined) {
      if (index < STANDARD_GLYPHS.length) indexes.writeUInt16BE(index, 2 * glyph);
      continue;
    }
    indexes.writeUInt16BE(STANDARD_GLYPHS.length + names.length, 2 * glyph);
    names.push(post.subarray(start, start + 1 + post.readUInt8(start)));
  }
  return Buffer.concat([post.subarray(0, HEAD_BYTES + 2), indexes, ...names]);
}
