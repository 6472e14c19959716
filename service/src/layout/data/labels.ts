// Words that name what stands beside or under them, in the languages invoices and forms are mostly written in.

const WORDS = [
  // English
  'invoice|bill|receipt|order|purchase order|p\\.?o\\.?|quote|quotation|account|customer|client|contract|reference|ref\\.?|due date|issued?|policy|serial|passport|licen[cs]e|registration|member|patient|student|employee',
  'number|no\\.?|nr\\.?|#|id|code|date|period|terms|method|name|address|phone|telephone|tel\\.?|fax|mobile|e-?mail|website|web|city|town|country|zip|zip code|postcode|postal code|street|company|organi[sz]ation|department|subject|status|gender|nationality|occupation|language|born|birth|date of birth|place of birth|first name|last name|surname|given name|full name|attn|bill to|ship to|sold to|currency|quantity|qty|weight|model|version|author',
  'iban|bic|swift|sort code|account holder|bank|vat id|tax id',
  // German
  'rechnung|rechnungs-?(nr\\.?|nummer|datum|betrag)|kunden-?(nr\\.?|nummer)|auftrags?-?(nr\\.?|nummer)|bestell-?(nr\\.?|nummer|datum)|liefer-?(schein|datum|termin)|leistungs(datum|zeitraum)|datum|steuer-?(nr\\.?|nummer)|ust-?\\.?-?id(-?nr\\.?)?|f[äa]llig(keit)?|zahlbar|zahlungsziel|ansprechpartner|telefon|name|vorname|nachname|stra[sß]+e|ort|plz|geburts(datum|ort)|betreff|seite|konto|bankverbindung|nummer|vertrags?-?(nr\\.?|nummer)',
  // French, Spanish, Italian, Portuguese, Dutch
  'facture|num[ée]ro|n[°º]|date|client|r[ée]f[ée]rence|adresse|t[ée]l[ée]phone|nom|pr[ée]nom|ville|code postal|[ée]ch[ée]ance|commande|siret|tva',
  'factura|n[úu]mero|fecha|cliente|direcci[óo]n|tel[ée]fono|nombre|apellidos?|ciudad|c[óo]digo postal|vencimiento|pedido|nif|cif',
  'fattura|numero|data|indirizzo|telefono|nome|cognome|citt[àa]|scadenza|partita iva|p\\.? ?iva|codice fiscale',
  'fatura|n[úu]mero|endere[çc]o|telefone|nome|cidade|vencimento|cnpj|cpf',
  'factuur|factuurnummer|factuurdatum|datum|klant|klantnummer|adres|telefoon|naam|plaats|vervaldatum|btw',
].join('|');

const WORD = new RegExp(`(^|[\\s(/-])(${WORDS})($|[\\s.:)/-])`, 'iu');

/** A label has few words, and is no sentence. */
export const MAX_LABEL_WORDS = 7;
const MAX_LABEL_LENGTH = 60;

export const isLabelShaped = (text: string): boolean =>
  text.length <= MAX_LABEL_LENGTH &&
  text.split(' ').length <= MAX_LABEL_WORDS &&
  /\p{L}/u.test(text) &&
  /^[\p{L}\p{Nd}(#*№@"'“]/u.test(text) &&
  !/[.!?;]\s|[=<>{}|\\]|https?$|^www\./u.test(text);

/** Forms number their lines: "1. Name", "12a Wages", "(b) Date of birth". */
const LINE_NUMBER = /^(?:\(?\d{1,3}[a-z]?[.)]\s?|\d{1,2}[a-z]?\s|\([a-z]\)\s?)(?=\p{L})/u;

/** Whether a form gave the text a number. */
export const isNumbered = (text: string): boolean => isLabelShaped(text) && LINE_NUMBER.test(text);

/** Whether a text without a colon names a value. */
export const isKnownLabel = (numbered: string): boolean => {
  const text = numbered.replace(LINE_NUMBER, '');
  return isNamedLabel(text);
};

const isNamedLabel = (text: string): boolean =>
  isLabelShaped(text) &&
  !/\((see|siehe|voir)\b/i.test(text) &&
  text.split(' ').length <= 5 &&
  !/[.,]\d|\d{3}/.test(text) &&
  WORD.test(text);

const WHOLE = new RegExp(`^(?:(?:${WORDS})[.:]?(?:\\s+|$)){1,3}$`, 'iu');

/** Whether each word of a text is of those that name values. */
export const isWhollyLabel = (text: string): boolean => text.length <= 40 && WHOLE.test(text);

export const withoutColon = (text: string): string => text.replace(/\s*[:：]\s*$/u, '').trim();
