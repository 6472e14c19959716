// What looks like a label, or like its value, and is none: captions, notes, page counters, sentences, remarks of forms.

/** "Table 7.4: ...", "Figure 3", "Annex II": the name of what follows. */
const CAPTION =
  /^(?:(?:table|figure|fig|tabelle|abbildung|abb|tableau|tabla|cuadro|tabella|tabela|figura)\.?(?:\s*[-\d.ivxlc]+[a-z]?)?|(?:tab|title|titre|titel|article|artikel|clause|rule|lesson|chart|graph|exhibit|annex|appendix|chapter|section|step|example|listing|box|map|plate|anhang|kapitel|abschnitt|annexe|chapitre|quadro|allegato|anexo|bijlage|tabel)\.?\s*[-\d.ivxlc]+[a-z]?)$/iu;
const NOTE =
  /^(?:notes?|nb|n\.b\.|caution|warning|important|attention|notice|disclaimer|tip|hint|example|e\.g\.|i\.e\.|hinweis|achtung|wichtig|anmerkung|beispiel|remarque|exemple|nota|avviso|aviso|ejemplo|esempio|opmerking|let op)$/iu;
const PAGE_COUNTER = /^\d{1,5}\s*(?:of|von|sur|de|di|van|\/)\s*\d{1,5}$/iu;
/** A label that goes on: what follows belongs to its sentence. */
const UNFINISHED =
  /(?<!\p{L})(?:from|of|if|to|for|and|or|as|the|an|by|with|on|in|at|that|is|are|was|follows|following|including|von|für|und|oder|aus|bei|mit|der|die|das|de|du|des|et|ou|pour|con|per)$/iu;

/** Whether a text that has the shape of a label names something else. */
export const isNoLabel = (key: string): boolean =>
  CAPTION.test(key) ||
  NOTE.test(key) ||
  PAGE_COUNTER.test(key) ||
  UNFINISHED.test(key) ||
  /^\p{L}$/u.test(key);

/** "(see page 9)", the letter of the next line of a form, or the first point of a list. */
export const isNoValue = (value: string): boolean =>
  /^\((?:see|siehe|voir|vedi|véase|zie)\b[^)]*\)\.?$/iu.test(value) ||
  /^\p{Ll}[.)]?$|^[•●○▪■◦‣–—*]\s/u.test(value);

/** A year beside a name is what the page is of, not what the name names. */
export const isBareYear = (value: string, key: string): boolean =>
  /^(?:19|20)\d\d$/.test(value) &&
  !/year|date|jahr|datum|ann[ée]e|año|anno|fecha|data|period|issued|no\b|nr\b|number|code|id\b/iu.test(key);

/** The number of a form's line is no sum: "Add lines 44 through 50. These are your total credits   51". */
export const isLineOfForm = (label: string, amount: string): boolean =>
  /^\d{1,3}$/.test(amount) && /\.\s|\b(?:lines?|page|item|zeilen?|lignes?|column)\b/iu.test(label);

/** "Organotin compounds (as total Sn)" is measured, not added up. */
export const isMeasured = (label: string): boolean => /\b(?:as|of the|in) total\b/iu.test(label);
