// Results keep what their documents claim to conform to, or the claim is taken back, and callers are told which.
import type { Content, InputFile } from '../contract/files.ts';
import { MIB } from '../contract/limits.ts';
import { Problem } from '../contract/problems.ts';
import type { ClaimedContent } from '../engines/qpdf/claimed-content.ts';
import type { Verdict } from '../pdf/conformance/check.ts';
import {
  isStandardId,
  type Level,
  type PdfaPart,
  type StandardId,
  standardOf,
} from '../pdf/conformance/standards.ts';
import type { Subject } from '../pdf/conformance/validation-context.ts';
import { type Claim, claimLevel, removeClaims } from '../pdf/metadata/claims.ts';
import { explainColours } from '../pdf/pdfa-conversion/default-colours.ts';
import { PRESS } from '../pdf/pdfx/pdfx.ts';
import { checkForPress } from '../pdf/pdfx/pdfx-checks.ts';
import { examine, type Validators, validate } from './validation.ts';

/** Validation holds the whole file: of larger ones nothing is said. */
const LARGEST_BYTES = 256 * MIB;
/** Rules that a header names. */
const MOST_RULES = 3;

interface ClaimVerdict {
  /** `violated`: it is not true, and the file is signed or attested, so that it cannot be taken back. */
  outcome: 'kept' | 'removed' | 'violated' | 'unverified';
  claim: Claim;
  rules: readonly string[];
}

export interface Settled {
  content: Content;
  /** What `X-Conformance` says of it, one item for each claim. */
  words: string[];
}

/** The result with claims that are true of it, and no others. */
export async function settleClaims(
  engine: Validators,
  file: InputFile,
  claimed: ClaimedContent,
): Promise<Settled> {
  const { claims, encrypted, isSealed, options } = claimed;
  const ended = encrypted.map((claim) => `removed ${claim.name} (encrypted)`);
  if (claims.length === 0) return { content: file.content, words: ended };
  const isHidden = options.encryption !== undefined || options.keepEncryption === true;
  const found = isHidden || file.size > LARGEST_BYTES ? undefined : await verdictsOn(engine, file, claims);
  if (!found)
    return { content: file.content, words: [...ended, ...claims.map(({ name }) => `unverified ${name}`)] };
  if (isSealed) return { content: file.content, words: [...ended, ...found.map(sealedWords)] };
  const { file: made, verdicts } = (await withColours(engine, file, claims, found)) ?? {
    file,
    verdicts: found,
  };
  const isTrue = verdicts.every(({ outcome }) => outcome !== 'removed');
  return {
    content: isTrue ? made.content : engine.qpdf.rewrite(made, (doc) => takeBack(doc, verdicts)),
    words: [...ended, ...verdicts.map(wordsOf)],
  };
}

interface Judged {
  file: InputFile;
  verdicts: ClaimVerdict[];
}

/** Rules of device colours that the output intent does not speak of. */
const DEVICE_COLOURS = /^6\.2\.(?:3\.3|4\.3)-/;

/** Marks are drawn in colours of the device. Where that is in the way of a claim, they are given a meaning. */
async function withColours(
  engine: Validators,
  file: InputFile,
  claims: readonly Claim[],
  verdicts: readonly ClaimVerdict[],
): Promise<Judged | undefined> {
  const missed = verdicts.find(({ outcome, claim }) => outcome === 'removed' && claim.family === 'PDF/A');
  const part = /^PDF\/A-([1-4])/.exec(missed?.claim.name ?? '')?.[1];
  if (part === undefined || !missed?.rules.some((rule) => DEVICE_COLOURS.test(rule))) return undefined;
  const content = engine.qpdf.rewrite(file, (doc) => explainColours(doc, Number(part) as PdfaPart));
  const made = file.with(content);
  const again = await verdictsOn(engine, made, claims);
  return again?.some(isKeptPdfa) ? { file: made, verdicts: again } : undefined;
}

const isKeptPdfa = ({ outcome, claim }: ClaimVerdict): boolean =>
  outcome === 'kept' && claim.family === 'PDF/A';

function takeBack(doc: Parameters<typeof removeClaims>[0], verdicts: readonly ClaimVerdict[]): void {
  const kept = verdicts.filter(({ outcome }) => outcome !== 'removed').map(({ claim }) => claim);
  const lower = kept.find(({ family }) => family === 'PDF/A');
  const gone = verdicts
    .map(({ claim }) => claim.family)
    .filter((family) => !kept.some((each) => each.family === family));
  removeClaims(doc, gone);
  if (lower) claimLevel(doc, /[abuef]$/.exec(lower.name)?.[0] ?? '');
}

const wordsOf = ({ outcome, claim, rules }: ClaimVerdict): string =>
  `${outcome} ${claim.name}${rules.length > 0 ? ` (${rules.slice(0, MOST_RULES).join(' ')})` : ''}`;

const sealedWords = (verdict: ClaimVerdict): string =>
  wordsOf(verdict.outcome === 'removed' ? { ...verdict, outcome: 'violated' } : verdict);

async function verdictsOn(
  engine: Validators,
  file: InputFile,
  claims: readonly Claim[],
): Promise<ClaimVerdict[] | undefined> {
  const doc = readable(engine, file);
  if (!doc) return undefined;
  const subject = examine(engine, doc, file);
  const verdicts: ClaimVerdict[] = [];
  for (const claim of claims) {
    const id = idOf(claim);
    if (id) verdicts.push(...(await standardVerdicts(engine, { subject, file }, claim, id)));
    else if (claim.name === PRESS.version) verdicts.push(pressVerdict(claim, subject));
    else verdicts.push({ outcome: 'unverified', claim, rules: [] });
  }
  engine.qpdf.close(doc);
  return verdicts;
}

/** A signed file may still be encrypted as it was. */
function readable({ qpdf }: Validators, file: InputFile): ReturnType<Validators['qpdf']['open']> | undefined {
  try {
    return qpdf.open(file);
  } catch (error) {
    if (error instanceof Problem && error.reason === 'password_required') return undefined;
    throw error;
  }
}

/** Where the level claimed is missed, a lower one of the same part may still be true. */
async function standardVerdicts(
  engine: Validators,
  { subject, file }: { subject: Subject; file: InputFile },
  claim: Claim,
  id: StandardId,
): Promise<ClaimVerdict[]> {
  const { part, level } = standardOf(id);
  const first = await validate(engine, subject, file, standardOf(id));
  const verdicts = [verdictOf(claim, first)];
  if (first.compliant) return verdicts;
  for (const lower of LOWER[level]) {
    const lowered = `${part}${lower}`;
    if (!isStandardId(lowered) || (part === 1 && lower === 'u')) continue;
    const standard = standardOf(lowered);
    const { compliant } = await validate(engine, subject, file, standard);
    if (compliant)
      return [...verdicts, { outcome: 'kept', claim: { family: 'PDF/A', name: standard.name }, rules: [] }];
  }
  return verdicts;
}

const LOWER: Readonly<Record<Level, readonly Level[]>> = {
  a: ['u', 'b'],
  u: ['b'],
  e: [''],
  f: [''],
  b: [],
  '': [],
};

function pressVerdict(claim: Claim, subject: Subject): ClaimVerdict {
  const failures = checkForPress(subject);
  return verdictOf(claim, { compliant: failures.length === 0, failures });
}

function verdictOf(
  claim: Claim,
  { compliant, failures }: Pick<Verdict, 'compliant' | 'failures'>,
): ClaimVerdict {
  const rules = [...new Set(failures.map(({ ruleId }) => ruleId))];
  return { outcome: compliant ? 'kept' : 'removed', claim, rules: compliant ? [] : rules };
}

function idOf({ family, name }: Claim): StandardId | undefined {
  const id = family === 'PDF/UA' ? `ua${name.at(-1)}` : name.slice('PDF/A-'.length);
  return family !== 'PDF/X' && isStandardId(id) ? id : undefined;
}
