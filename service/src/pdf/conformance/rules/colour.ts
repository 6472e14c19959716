// Rules of colour: output intents, profiles, device colours, separations.
import { createHash } from 'node:crypto';
import { contentOf } from '../../filters/content-data.ts';
import { Dict, Name, type PdfValue, Ref, Stream } from '../../objects.ts';
import { sameValue } from '../../same-value.ts';
import type { Device, DeviceUse } from '../content/drawn.ts';
import { ICC_COMPONENTS, type IccProfile, readIccProfile } from '../content/icc-profile.ts';
import type { Part } from '../standards.ts';
import type { OutputIntent, Subject } from '../validation-context.ts';
import type { Rule } from './rule.ts';

const OUTPUT_CLASSES = ['prtr', 'mntr'];
const INPUT_CLASSES = ['prtr', 'mntr', 'scnr', 'spac'];
const newest = (part: Part): number => (part === 1 ? 3 : 5);

export const COLOUR_RULES: readonly Rule[] = [
  {
    at: { 1: '6.2.2-1', 2: '6.2.3-1', 4: '6.2.3-1' },
    message:
      'The profile of an output intent is one for output or display, in RGB, CMYK or gray, of a version the part knows.',
    *find(subject, { part }) {
      for (const { profileRef, profile, where } of everyIntent(subject)) {
        if (!profileRef) continue;
        const fits =
          profile &&
          OUTPUT_CLASSES.includes(profile.deviceClass) &&
          ['RGB ', 'CMYK', 'GRAY'].includes(profile.colourSpace) &&
          profile.version < newest(part);
        if (!fits) yield where;
      }
    },
  },
  {
    at: { 1: '6.2.2-2', 2: '6.2.3-2', 4: '6.2.3-2' },
    message: 'Output intents with a profile all have the same one.',
    *find({ outputIntents }) {
      const profiles = new Set(outputIntents.flatMap(({ profileRef }) => profileRef?.key ?? []));
      if (profiles.size > 1) yield 'catalog, OutputIntents';
    },
  },
  {
    at: { 2: '6.2.3-3', 4: '6.2.3-3' },
    message: 'Output intents do not refer to a profile outside the file.',
    *find(subject, { part }) {
      for (const { dict, kind, where } of everyIntent(subject))
        if (dict.has('DestOutputProfileRef') && (part === 4 || kind === 'GTS_PDFX')) yield where;
    },
  },
  {
    at: { 1: '6.2.3.2-1', 2: '6.2.4.2-1', 4: '6.2.4.2-1' },
    message: 'ICC profiles are valid, of a kind and version the part knows.',
    *find(subject, { part }) {
      for (const { bytes, where } of profiles(subject)) {
        if (!isKnownProfile(readIccProfile(bytes), part)) yield where;
      }
    },
  },
  {
    at: { 1: '6.2.3.2-2' },
    message: 'N tells how many components the colours of an ICC profile have.',
    *find(subject) {
      const { doc } = subject;
      for (const { profile, profileRef, where } of subject.outputIntents)
        if (
          profile &&
          profileRef &&
          ICC_COMPONENTS[profile.colourSpace] !== doc.number(doc.dict(profileRef)?.get('N'))
        )
          yield where;
      for (const { bytes, components, where } of profiles(subject)) {
        const profile = readIccProfile(bytes);
        if (!profile || ICC_COMPONENTS[profile.colourSpace] !== components) yield where;
      }
    },
  },
  {
    at: { 2: '6.2.4.2-2', 4: '6.2.4.2-2' },
    message: 'Overprint mode 1 is not used with ICCBased CMYK colours while overprint is on.',
    *find({ drawn }) {
      for (const { where } of drawn.overprinted) yield where;
    },
  },
  {
    at: { 4: '6.2.4.2-3' },
    message:
      'An ICCBased CMYK space does not repeat the profile of the output intent, or of the group it is drawn in.',
    *find(subject) {
      for (const { ref, components, where, page, space } of profiles(subject))
        if (components === 4 && profilesInForce(subject, page, space).has(digest(subject, ref))) yield where;
    },
  },
  device('RGB', { 1: '6.2.3.3-1', 2: '6.2.4.3-2', 4: '6.2.4.3-2' }, 'RGB '),
  device('CMYK', { 1: '6.2.3.3-2', 2: '6.2.4.3-3', 4: '6.2.4.3-3' }, 'CMYK'),
  device('Gray', { 1: '6.2.3.3-3', 2: '6.2.4.3-4', 4: '6.2.4.3-4' }, undefined),
  {
    at: { 1: '6.1.12-9', 2: '6.1.13-9' },
    message: 'DeviceN spaces have at most 8 (part 1) or 32 colorants.',
    *find({ doc, drawn }, { part }) {
      for (const { family, space, where } of drawn.spaces.values())
        if (family === 'DeviceN' && (doc.array(space[1])?.length ?? 0) > (part === 1 ? 8 : 32)) yield where;
    },
  },
  {
    at: { 2: '6.2.4.4-1', 4: '6.2.4.4-1' },
    message: 'Every spot colour of a DeviceN space is described in Colorants.',
    *find({ doc, drawn }) {
      for (const { family, space, where } of drawn.spaces.values()) {
        if (family !== 'DeviceN') continue;
        const attributes = doc.dict(space[4]);
        const described = doc.dict(attributes?.get('Colorants'));
        const process = doc.array(doc.dict(attributes?.get('Process'))?.get('Components')) ?? [];
        const known = new Set([...PROCESS, ...process.map((each) => doc.name(each) ?? '')]);
        const spots = (doc.array(space[1]) ?? []).flatMap((each) => doc.name(each) ?? []);
        if (spots.some((spot) => !known.has(spot) && !described?.has(spot))) yield where;
      }
    },
  },
  {
    at: { 2: '6.2.4.4-2', 4: '6.2.4.4-2' },
    message: 'Separations of one name have the same alternate space and tint transform.',
    *find({ doc, drawn }) {
      const first = new Map<string, PdfValue[]>();
      for (const { family, space, where } of drawn.spaces.values())
        for (const separation of family === 'Separation'
          ? [space]
          : family === 'DeviceN'
            ? colorants(doc, space)
            : []) {
          const name = doc.name(separation[1]) ?? '';
          const known = first.get(name);
          if (!known) first.set(name, separation);
          else if (!alike(known[2], separation[2], doc) || !alike(known[3], separation[3], doc)) yield where;
        }
    },
  },
];

/** Separations that a DeviceN space describes its colorants by. */
const colorants = (doc: Doc, space: readonly PdfValue[]): PdfValue[][] =>
  [...(doc.dict(doc.dict(space[4])?.get('Colorants'))?.values() ?? [])].flatMap((each) => {
    const held = doc.array(each);
    return held && doc.name(held[0]) === 'Separation' ? [held] : [];
  });

const PROCESS = ['Cyan', 'Magenta', 'Yellow', 'Black', 'None'];

type Doc = Subject['doc'];

/** Whether colours may be told by a profile like this. */
export const isKnownProfile = (profile: IccProfile | undefined, part: Part): boolean =>
  profile !== undefined &&
  INPUT_CLASSES.includes(profile.deviceClass) &&
  ['RGB ', 'CMYK', 'GRAY', 'Lab '].includes(profile.colourSpace) &&
  profile.version < newest(part);

/** What a stream says of itself, however it is packed. */
const withoutFilters = ({ dict }: Stream): Dict =>
  new Dict([...dict].filter(([key]) => !['Length', 'Filter', 'DecodeParms'].includes(key)));

function alike(a: PdfValue | undefined, b: PdfValue | undefined, doc: Doc): boolean {
  if (a instanceof Ref && b instanceof Ref && a.key === b.key) return true;
  const [left, right] = [doc.resolve(a), doc.resolve(b)];
  if (left instanceof Stream && right instanceof Stream && a instanceof Ref && b instanceof Ref)
    return (
      Buffer.from(contentOf(doc, a)).equals(contentOf(doc, b)) &&
      alike(withoutFilters(left), withoutFilters(right), doc)
    );
  if (left instanceof Name && right instanceof Name) return left.value === right.value;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((each, index) => alike(each, right[index], doc));
  return sameValue(doc, a ?? null, b ?? null);
}

function* everyIntent(subject: Subject): Iterable<OutputIntent> {
  yield* subject.outputIntents;
  for (const { dict, where } of subject.pages) yield* subject.intentsOf(dict, where);
}

export function* profiles(subject: Subject): Iterable<{
  bytes: Uint8Array;
  ref: Ref;
  components: number;
  where: string;
  page: number;
  space: PdfValue[];
}> {
  const { doc, drawn } = subject;
  for (const { family, space, where, page } of drawn.spaces.values()) {
    const ref = space[1];
    if (family !== 'ICCBased' || !(ref instanceof Ref) || !(doc.get(ref) instanceof Stream)) continue;
    yield {
      bytes: contentOf(doc, ref),
      ref,
      components: doc.number(doc.dict(ref)?.get('N')) ?? 0,
      where,
      page,
      space,
    };
  }
}

const digest = ({ doc }: Subject, ref: Ref): string =>
  createHash('sha256').update(contentOf(doc, ref)).digest('hex');

/** The profile of the output intent, a page's own before the document's, and of the group that the page is. */
function profilesInForce(subject: Subject, page: number, space: PdfValue[]): Set<string> {
  const { doc, pages } = subject;
  const dict = pages[page]?.dict ?? new Dict();
  const own = subject.intentsOf(dict, '').filter(({ kind }) => kind === 'GTS_PDFA1');
  const intents = own.length > 0 ? own : subject.outputIntents;
  const group = doc.array(doc.dict(dict.get('Group'))?.get('CS')) ?? [];
  // The space of the group itself repeats nothing.
  const [family, blended] = group === space ? [] : group;
  const held = [
    ...intents.map(({ profileRef }) => profileRef),
    ...(doc.name(family) === 'ICCBased' && blended instanceof Ref ? [blended] : []),
  ];
  return new Set(held.flatMap((ref) => (ref && doc.get(ref) instanceof Stream ? digest(subject, ref) : [])));
}

/** Device colours need an output intent that gives them a meaning. */
function device(device: Device, at: Rule['at'], space: string | undefined): Rule {
  return {
    at,
    message:
      space === undefined
        ? 'DeviceGray is used only where an output intent gives device colours a meaning.'
        : `Device${device} is used only where the output intent has a profile of that kind.`,
    *find(subject, { part }) {
      for (const use of subject.drawn.devices) {
        if (use.device !== device) continue;
        const colours = part === 4 ? coloursOfPage(subject, use) : subject.outputColours;
        if (colours === undefined || (space !== undefined && colours !== space)) yield use.where;
      }
    },
  };
}

/** Part 4: a page may have output intents of its own, and a transparency group may name a space. */
function coloursOfPage(subject: Subject, { page, device: used }: DeviceUse): string | undefined {
  const { doc } = subject;
  const dict = subject.pages[page]?.dict ?? new Dict();
  const group = groupSpace(doc, dict);
  if (group !== undefined && used !== 'Gray' && group.startsWith(used)) return group;
  const own = subject.intentsOf(dict, 'page').find(({ kind, profile }) => kind === 'GTS_PDFA1' && profile);
  return own?.profile?.colourSpace ?? subject.outputColours;
}

function groupSpace(doc: Doc, page: Dict): string | undefined {
  const held = doc.resolve(doc.dict(page.get('Group'))?.get('CS'));
  const array = Array.isArray(held) ? held : undefined;
  if (doc.name(array?.[0]) === 'CalRGB') return 'RGB ';
  const profile = array?.[1];
  if (doc.name(array?.[0]) !== 'ICCBased' || !(profile instanceof Ref)) return undefined;
  return readIccProfile(contentOf(doc, profile))?.colourSpace;
}
