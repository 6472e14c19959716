// Texts on which a regular expression takes longest, made from its own source: what leads to a repetition, then what is
// repeated many times over, then something that does not belong there.

type Node =
  | { kind: 'characters'; source: string }
  | { kind: 'sequence'; items: Node[] }
  | { kind: 'choice'; options: Node[] }
  | { kind: 'repeat'; inner: Node; min: number; max: number }
  | { kind: 'nothing' };

/** How often what is repeated is repeated: an exponential search shows here, in small steps, before it lasts for ever. */
const TIMES = [8, 12, 16, 20, 24, 28, 32, 40];
/** Characters of texts on which a quadratic search shows. */
const LENGTHS = [500, 10_000];
const TRIES = 8;
const MOST_PUMPS = 40;
const ENDINGS = ['\u0001', '! x'];
const FURTHER_CHARACTERS = 'aA0 1fz_-.,:;/\\"\'()[]{}<>=+*?!#%&@~^$|`\n\r\t\u0000\u00e9\u0370\u4e00';

/** The longest of one try in milliseconds, and on what; undefined where none took `limitMs`. */
export function slowText(expression: RegExp, limitMs: number): { text: string; ms: number } | undefined {
  const search = new RegExp(expression.source, expression.flags.replace(/[gy]/g, ''));
  for (const { lead, pump } of pumpsOf(expression)) {
    for (const ending of ENDINGS) {
      for (const times of [
        ...TIMES,
        ...LENGTHS.map((length) => Math.max(50, Math.ceil(length / pump.length))),
      ]) {
        const text = lead + pump.repeat(times) + ending;
        const ms = costOf(limitMs, () => search.test(text));
        if (ms > limitMs) return { text: `${lead}(${pump}){${times}}${ending}`, ms };
      }
    }
  }
  return undefined;
}

/** A busy machine is slow at times; a slow search is slow always. */
function costOf(limitMs: number, work: () => void): number {
  const begun = performance.now();
  work();
  if (performance.now() - begun < limitMs) return 0;
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Texts of a length that almost match: for whoever holds them against more than the expression. */
export function nearMisses({ source, flags }: RegExp, length: number): string[] {
  const pumps = pumpsOf(new RegExp(source, flags));
  return pumps.map(({ lead, pump }) => `${lead}${pump.repeat(Math.ceil(length / pump.length))}\u0001`);
}

function pumpsOf(expression: RegExp): { lead: string; pump: string }[] {
  const sampler = new Sampler(expression);
  const found = new Map<string, { lead: string; pump: string }>();
  const add = (lead: string, pump: string): void => {
    if (pump !== '') found.set(JSON.stringify([lead, pump]), { lead, pump });
  };
  const walk = (node: Node, lead: string): void => {
    if (node.kind === 'sequence') {
      let before = lead;
      for (const item of node.items) {
        walk(item, before);
        before += sampler.sample(item);
      }
    } else if (node.kind === 'choice') for (const option of node.options) walk(option, lead);
    else if (node.kind === 'repeat') {
      if (node.max > 1) {
        for (const pump of sampler.samples(node.inner)) {
          add(lead, pump);
          add('', pump);
        }
      }
      walk(node.inner, lead);
    }
  };
  walk(sampler.root, '');
  return [...found.values()].slice(0, MOST_PUMPS);
}

class Sampler {
  readonly root: Node;
  readonly #flags: string;
  readonly #known = new Map<string, string[]>();
  readonly #alphabet = new Set<string>();
  #seed = 1;

  constructor({ source, flags }: RegExp) {
    this.#flags = flags.replace(/[gy]/g, '');
    this.root = parsed(source);
    for (const own of source) this.#alphabet.add(own);
    for (const further of FURTHER_CHARACTERS) this.#alphabet.add(further);
  }

  samples(node: Node): Set<string> {
    if (node.kind === 'characters') return new Set(this.#matching(node.source).slice(0, TRIES));
    const made = new Set<string>();
    for (let i = 0; i < TRIES; i += 1) made.add(this.sample(node));
    return made;
  }

  sample(node: Node): string {
    switch (node.kind) {
      case 'nothing':
        return '';
      case 'characters': {
        const all = this.#matching(node.source);
        return all[this.#next(Math.min(3, all.length))] ?? '';
      }
      case 'sequence':
        return node.items.map((item) => this.sample(item)).join('');
      case 'choice':
        return this.sample(node.options[this.#next(node.options.length)] ?? { kind: 'nothing' });
      case 'repeat': {
        const times = Math.min(node.max, node.min + this.#next(3));
        let made = '';
        for (let i = 0; i < Math.min(times, 50); i += 1) made += this.sample(node.inner);
        return made;
      }
    }
  }

  /** Characters of the expression and some more that this part of it takes. */
  #matching(source: string): string[] {
    const known = this.#known.get(source);
    if (known) return known;
    const one = new RegExp(`^(?:${source})$`, this.#flags.replace('m', ''));
    const found = [...this.#alphabet].filter((character) => one.test(character));
    this.#known.set(source, found);
    return found;
  }

  /** The same at every run. */
  #next(below: number): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.#seed / 2_147_483_648) * below);
  }
}

const ESCAPE = /^\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)/s;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/;

function parsed(source: string): Node {
  let at = 0;
  const choice = (): Node => {
    const options: Node[] = [sequence()];
    while (source[at] === '|') {
      at += 1;
      options.push(sequence());
    }
    return options.length === 1 ? (options[0] as Node) : { kind: 'choice', options };
  };
  const sequence = (): Node => {
    const items: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(quantified(atom()));
    return { kind: 'sequence', items };
  };
  const quantified = (inner: Node): Node => {
    const [whole, least, several, most] = QUANTIFIER.exec(source.slice(at)) ?? [];
    if (whole === undefined) return inner;
    at += whole.length;
    if (least === undefined)
      return { kind: 'repeat', inner, min: whole[0] === '+' ? 1 : 0, max: whole[0] === '?' ? 1 : Infinity };
    const min = Number(least);
    return { kind: 'repeat', inner, min, max: several === undefined ? min : most ? Number(most) : Infinity };
  };
  const atom = (): Node => {
    const rest = source.slice(at);
    if (rest.startsWith('(')) return group(rest);
    if (rest.startsWith('[')) {
      const [whole = '['] = /^\[(?:\\.|[^\]\\])*\]/s.exec(rest) ?? [];
      at += whole.length;
      return { kind: 'characters', source: whole };
    }
    const [escaped] = ESCAPE.exec(rest) ?? [];
    if (escaped !== undefined) {
      at += escaped.length;
      return /^\\[bB1-9k]/.test(escaped) ? { kind: 'nothing' } : { kind: 'characters', source: escaped };
    }
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    at += character.length;
    return character === '^' || character === '$'
      ? { kind: 'nothing' }
      : { kind: 'characters', source: character };
  };
  const group = (rest: string): Node => {
    const [opening = '('] = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(rest) ?? [];
    at += opening.length;
    const inner = choice();
    at += 1;
    return opening.endsWith('!') ? { kind: 'nothing' } : inner;
  };
  return choice();
}
