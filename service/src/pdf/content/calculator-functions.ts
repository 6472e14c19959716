// Calculator functions (ISO 32000-1, 7.10.5): a small part of PostScript, without loops.
import { lookup } from '../../contract/lookup.ts';

type Program = (number | string | Program)[];
type Stack = (number | boolean)[];

const MAX_STEPS = 20_000;
const MAX_STACK = 100;
const MAX_NESTING = 32;

/** Undefined where the text is no such program. What goes wrong as it runs ends it with what there is. */
export function readCalculator(source: string): ((inputs: readonly number[]) => number[]) | undefined {
  const tokens = source.replace(/%.*/g, ' ').match(/[{}]|[^\s{}]+/g) ?? [];
  if (tokens[0] !== '{') return undefined;
  const program = parse(tokens, { at: 1 }, 0);
  if (!program) return undefined;
  return (inputs) => {
    const stack: Stack = [...inputs];
    run(program, stack, { steps: 0 });
    return stack.map(Number);
  };
}

function parse(tokens: readonly string[], place: { at: number }, depth: number): Program | undefined {
  const program: Program = [];
  for (; place.at < tokens.length && depth < MAX_NESTING; ) {
    const token = tokens[place.at] as string;
    place.at += 1;
    if (token === '}') return program;
    if (token === '{') {
      const inner = parse(tokens, place, depth + 1);
      if (!inner) return undefined;
      program.push(inner);
    } else {
      const value = Number(token);
      program.push(Number.isFinite(value) ? value : token);
    }
  }
  return undefined;
}

const degrees = (radians: number): number => ((radians * 180) / Math.PI + 360) % 360;
const radians = (angle: number): number => (angle * Math.PI) / 180;

const UNARY: Record<string, (a: number) => number> = lookup({
  abs: Math.abs,
  neg: (a) => -a,
  ceiling: Math.ceil,
  floor: Math.floor,
  round: Math.round,
  truncate: Math.trunc,
  cvi: Math.trunc,
  cvr: (a) => a,
  sqrt: Math.sqrt,
  sin: (a) => Math.sin(radians(a)),
  cos: (a) => Math.cos(radians(a)),
  ln: Math.log,
  log: Math.log10,
});

const BINARY: Record<string, (a: number, b: number) => number> = lookup({
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  idiv: (a, b) => Math.trunc(a / b),
  mod: (a, b) => a % b,
  exp: (a, b) => a ** b,
  atan: (a, b) => degrees(Math.atan2(a, b)),
  bitshift: (a, b) => (b >= 0 ? a << b : a >> -b),
});

const COMPARING: Record<string, (a: number, b: number) => boolean> = lookup({
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
});

const LOGIC: Record<string, (a: number, b: number) => number> = lookup({
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
});

function run(program: Program, stack: Stack, count: { steps: number }): void {
  for (const [index, item] of program.entries()) {
    count.steps += 1;
    if (count.steps > MAX_STEPS || stack.length > MAX_STACK) return;
    if (typeof item === 'number') stack.push(item);
    else if (item === 'if' || item === 'ifelse') choose(program, index, stack, count);
    else if (typeof item === 'string') step(item, stack);
  }
}

/** The branches stand before the word. */
function choose(program: Program, index: number, stack: Stack, count: { steps: number }): void {
  const both = program[index] === 'ifelse';
  const isTrue = Boolean(stack.pop());
  const branch = both ? program[index - (isTrue ? 2 : 1)] : isTrue ? program[index - 1] : undefined;
  if (Array.isArray(branch)) run(branch, stack, count);
}

function step(word: string, stack: Stack): void {
  const pop = (): number => Number(stack.pop() ?? 0);
  const unary = UNARY[word];
  const binary = BINARY[word];
  const comparing = COMPARING[word];
  const logic = LOGIC[word];
  if (unary) stack.push(unary(pop()));
  else if (binary || comparing || logic) {
    const isBoolean = typeof stack.at(-1) === 'boolean';
    const b = pop();
    const a = pop();
    if (binary) stack.push(binary(a, b));
    else if (comparing) stack.push(comparing(a, b));
    else if (logic) stack.push(isBoolean ? Boolean(logic(a, b)) : logic(a, b));
  } else arrange(word, stack, pop);
}

function arrange(word: string, stack: Stack, pop: () => number): void {
  if (word === 'true' || word === 'false') stack.push(word === 'true');
  else if (word === 'not') {
    const top = stack.pop();
    stack.push(typeof top === 'boolean' ? !top : ~Number(top ?? 0));
  } else if (word === 'pop') stack.pop();
  else if (word === 'dup') stack.push(stack.at(-1) ?? 0);
  else if (word === 'exch') stack.push(...[stack.pop() ?? 0, stack.pop() ?? 0]);
  else if (word === 'copy') copyTop(stack, pop());
  else if (word === 'index') stack.push(stack.at(-1 - Math.max(0, pop())) ?? 0);
  else if (word === 'roll') roll(stack, pop);
}

function copyTop(stack: Stack, count: number): void {
  if (count > 0) stack.push(...stack.slice(-count));
}

function roll(stack: Stack, pop: () => number): void {
  const by = pop();
  const count = pop();
  if (count <= 0 || count > stack.length) return;
  const part = stack.splice(stack.length - count);
  const shift = ((by % count) + count) % count;
  stack.push(...part.slice(count - shift), ...part.slice(0, count - shift));
}
