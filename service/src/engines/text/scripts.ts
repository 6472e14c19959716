// Scripts of characters (Unicode property Script), and what follows from them.
import { computeOnce } from '../../contract/maps.ts';

/** The scripts that fonts are chosen by; their names are those of Noto's families, bar blanks. */
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  ...['Adlam', 'Ahom', 'Anatolian_Hieroglyphs', 'Armenian', 'Avestan', 'Balinese', 'Bamum', 'Bassa_Vah'],
  ...['Batak', 'Bengali', 'Bhaiksuki', 'Brahmi', 'Braille', 'Buginese', 'Buhid', 'Canadian_Aboriginal'],
  ...['Carian', 'Caucasian_Albanian', 'Chakma', 'Cham', 'Cherokee', 'Chorasmian', 'Coptic', 'Cuneiform'],
  ...['Cypriot', 'Cypro_Minoan', 'Deseret', 'Dives_Akuru', 'Dogra', 'Duployan', 'Egyptian_Hieroglyphs'],
  ...['Elbasan', 'Elymaic', 'Ethiopic', 'Georgian', 'Glagolitic', 'Gothic', 'Grantha', 'Gujarati'],
  ...['Gunjala_Gondi', 'Gurmukhi', 'Hanifi_Rohingya', 'Hanunoo', 'Hatran', 'Imperial_Aramaic'],
  ...['Inscriptional_Pahlavi', 'Inscriptional_Parthian', 'Javanese', 'Kaithi', 'Kannada', 'Kawi', 'Kayah_Li'],
  ...['Kharoshthi', 'Khitan_Small_Script', 'Khmer', 'Khojki', 'Khudawadi', 'Lao', 'Lepcha', 'Limbu'],
  ...['Linear_A', 'Linear_B', 'Lisu', 'Lycian', 'Lydian', 'Mahajani', 'Makasar', 'Malayalam', 'Mandaic'],
  ...['Manichaean', 'Marchen', 'Masaram_Gondi', 'Medefaidrin', 'Meetei_Mayek', 'Mende_Kikakui'],
  ...['Meroitic_Cursive', 'Meroitic_Hieroglyphs', 'Miao', 'Modi', 'Mongolian', 'Mro', 'Multani', 'Myanmar'],
  ...['Nabataean', 'Nag_Mundari', 'Nandinagari', 'New_Tai_Lue', 'Newa', 'Nko', 'Nushu'],
  ...['Nyiakeng_Puachue_Hmong', 'Ogham', 'Ol_Chiki', 'Old_Hungarian', 'Old_Italic', 'Old_North_Arabian'],
  ...['Old_Permic', 'Old_Persian', 'Old_Sogdian', 'Old_South_Arabian', 'Old_Turkic', 'Old_Uyghur', 'Oriya'],
  ...['Osage', 'Osmanya', 'Pahawh_Hmong', 'Palmyrene', 'Pau_Cin_Hau', 'Phags_Pa', 'Phoenician'],
  ...['Psalter_Pahlavi', 'Rejang', 'Runic', 'Samaritan', 'Saurashtra', 'Sharada', 'Shavian', 'Siddham'],
  ...['SignWriting', 'Sinhala', 'Sogdian', 'Sora_Sompeng', 'Soyombo', 'Sundanese', 'Syloti_Nagri', 'Syriac'],
  ...[
    'Tagalog',
    'Tagbanwa',
    'Tai_Le',
    'Tai_Tham',
    'Tai_Viet',
    'Takri',
    'Tamil',
    'Tangsa',
    'Tangut',
    'Telugu',
  ],
  ...['Thaana', 'Tibetan', 'Tifinagh', 'Tirhuta', 'Toto', 'Ugaritic', 'Vai', 'Vithkuqi', 'Wancho'],
  ...['Warang_Citi', 'Yezidi', 'Yi', 'Zanabazar_Square'],
];

/** A script's name; `Common` for what every script uses: digits, punctuation, symbols, marks. */
export type Script = string;

const COMMON = /^[\p{Script=Common}\p{Script=Inherited}]/u;
const tests = new Map<string, RegExp>();
const known = new Map<number, Script>();
const MAX_KNOWN = 20_000;

export function scriptOf(codePoint: number): Script {
  let script = known.get(codePoint);
  if (script === undefined) {
    const character = String.fromCodePoint(codePoint);
    script = COMMON.test(character) ? 'Common' : (SCRIPTS.find((each) => isIn(each, character)) ?? 'Common');
    if (known.size > MAX_KNOWN) known.clear();
    known.set(codePoint, script);
  }
  return script;
}

function isIn(script: string, character: string): boolean {
  const test = computeOnce(tests, script, () => new RegExp(`^\\p{Script=${script}}`, 'u'));
  return test.test(character);
}

/** Written with Chinese characters, or together with them. */
export const EAST_ASIAN: ReadonlySet<Script> = new Set(['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo']);

/** What the fonts of each look are made for. */
export const EUROPEAN: ReadonlySet<Script> = new Set(['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Common']);

/** Signs of East Asian text that belong to no one script: ideographic stops, brackets, full-width forms. */
export const isEastAsianCharacter = (character: string): boolean =>
  /^[\u2e80-\u303f\u30a0\u30fb\u30fc\u31c0-\u33ff\ufe30-\ufe4f\uff00-\uffef]/.test(character);

/** Written without blanks between words. */
export const UNSPACED: ReadonlySet<Script> = new Set(['Thai', 'Lao', 'Khmer', 'Myanmar']);

/** Shown as an image unless told otherwise, or told to be. */
export const isEmoji = (cluster: string): boolean =>
  /^\p{Emoji_Presentation}|^\p{Emoji}\u{fe0f}/u.test(cluster);

/** Characters that show nothing themselves: a font need not have them. */
export const isIgnorable = (codePoint: number): boolean =>
  /^\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(codePoint));
