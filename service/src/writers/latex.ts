// Formulas as LaTeX, as Markdown has them between dollars.
import { lookup } from '../contract/lookup.ts';
import type { Face, MathNode } from '../layout/formulas/formula.ts';
import { isFunction } from '../layout/formulas/names.ts';

/** Signs that LaTeX knows by a word. */
const WORDS: Readonly<Record<string, string>> = lookup(
  Object.fromEntries(
    (
      'α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa ' +
      'λ lambda μ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ' +
      'ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ' +
      '∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⋀ bigwedge ⋁ bigvee ⨀ bigodot ⨁ bigoplus ' +
      '⨂ bigotimes ⨄ biguplus ⨆ bigsqcup ± pm ∓ mp × times ÷ div · cdot ∗ ast ⋆ star ∘ circ • bullet ⋄ diamond ' +
      '⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot ◯ bigcirc ∪ cup ∩ cap ⊎ uplus ⊔ sqcup ⊓ sqcap ∧ wedge ∨ vee ' +
      '∖ setminus ≀ wr ⨿ amalg † dagger ‡ ddagger ≤ le ≥ ge ⩽ leqslant ⩾ geqslant ≦ leqq ≧ geqq ≪ ll ≫ gg ≠ ne ' +
      '≺ prec ≻ succ ≼ preceq ≽ succeq ∼ sim ≃ simeq ≈ approx ≅ cong ≡ equiv ∝ propto ≐ doteq ≜ triangleq ≍ asymp ' +
      '⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊑ sqsubseteq ⊒ sqsupseteq ∈ in ∋ ni ∉ notin ⊢ vdash ⊣ dashv ⊨ models ' +
      '⊥ perp ⊤ top ∥ Vert ≲ lesssim ≳ gtrsim ⪅ lessapprox ⪆ gtrapprox ≶ lessgtr ≷ gtrless ' +
      '← leftarrow → to ↑ uparrow ↓ downarrow ↔ leftrightarrow ⇐ Leftarrow ⇒ Rightarrow ⇑ Uparrow ⇓ Downarrow ' +
      '⇔ Leftrightarrow ↦ mapsto ⟼ longmapsto ⟶ longrightarrow ⟵ longleftarrow ⟹ Longrightarrow ⟸ Longleftarrow ' +
      '⟺ iff ⟷ longleftrightarrow ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow ⇀ rightharpoonup ⇁ rightharpoondown ' +
      '↼ leftharpoonup ↽ leftharpoondown ⇌ rightleftharpoons ↪ hookrightarrow ↩ hookleftarrow ↠ twoheadrightarrow ' +
      '∞ infty ∂ partial ∇ nabla ∀ forall ∃ exists ∄ nexists ¬ neg ∅ emptyset ℜ Re ℑ Im ℵ aleph ℘ wp ℓ ell ℏ hbar ' +
      '△ triangle ▽ bigtriangledown □ square ■ blacksquare ◇ Diamond ∴ therefore ∵ because ∠ angle ' +
      '♭ flat ♮ natural ♯ sharp ⌣ smile ⌢ frown ♣ clubsuit ♦ diamondsuit ♥ heartsuit ♠ spadesuit √ surd ' +
      '… ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ı imath ȷ jmath § S ¶ P ' +
      '∤ nmid ∦ nparallel ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ⊈ nsubseteq ≁ nsim ↛ nrightarrow ◃ triangleleft ▹ triangleright'
    )
      .split(' ')
      .flatMap((word, i, all) => (i % 2 === 0 ? [[word, `\\${all[i + 1]}`]] : [])),
  ),
);

const OTHER: Readonly<Record<string, string>> = lookup({
  '−': '-',
  '′': "'",
  '{': '\\{',
  '}': '\\}',
  '%': '\\%',
  '#': '\\#',
  '&': '\\&',
  $: '\\$',
  _: '\\_',
  '\\': '\\backslash',
  '~': '\\sim',
  '^': '\\wedge',
  '≢': '\\not\\equiv',
  '⊄': '\\not\\subset',
  '≉': '\\not\\approx',
  '≄': '\\not\\simeq',
  '∌': '\\not\\ni',
  '<': '\\lt',
  '>': '\\gt',
});

const FACES: Readonly<Record<Face, string | undefined>> = {
  italic: undefined,
  upright: 'mathrm',
  bold: 'mathbf',
  'bold italic': 'boldsymbol',
  blackboard: 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
  sans: 'mathsf',
  monospace: 'mathtt',
};

const ACCENTS: Readonly<Record<string, readonly [string, string]>> = lookup({
  ˆ: ['hat', 'widehat'],
  '˜': ['tilde', 'widetilde'],
  '¯': ['bar', 'overline'],
  '˙': ['dot', 'dot'],
  '¨': ['ddot', 'ddot'],
  ˇ: ['check', 'widecheck'],
  '˘': ['breve', 'breve'],
  '´': ['acute', 'acute'],
  '`': ['grave', 'grave'],
  '˚': ['mathring', 'mathring'],
  '\u20d7': ['vec', 'overrightarrow'],
  '\u20d6': ['overleftarrow', 'overleftarrow'],
});

export const latexOf = (node: MathNode): string => write(node).trim();

function write(node: MathNode): string {
  switch (node.kind) {
    case 'row':
      return joined(node.items.map(write));
    case 'space':
      return node.wide ? '\\quad ' : '\\ ';
    case 'sign':
      return signLatex(node.text, node.face);
    case 'name':
      return nameLatex(node.text, node.face);
    case 'fraction':
      return `\\frac{${latexOf(node.over)}}{${latexOf(node.under)}}`;
    case 'root':
      return node.index
        ? `\\sqrt[${latexOf(node.index)}]{${latexOf(node.of)}}`
        : `\\sqrt{${latexOf(node.of)}}`;
    case 'scripts':
      return scriptsLatex(node);
    case 'accent': {
      const [narrow, wide] = ACCENTS[node.mark] ?? ['hat', 'widehat'];
      return `\\${node.wide ? wide : narrow}{${latexOf(node.base)}}`;
    }
    case 'line':
      return `\\${node.where}line{${latexOf(node.base)}}`;
    case 'fence':
      return fenceLatex(node.open, node.close, node.inside);
    case 'matrix':
      return matrixLatex(node.rows, 'matrix');
  }
}

/** A word ends before a letter. */
function joined(parts: readonly string[]): string {
  let text = '';
  for (const part of parts) {
    const needsSpace = /\\[A-Za-z]+$/.test(text) && /^[A-Za-z]/.test(part);
    text += needsSpace ? ` ${part}` : part;
  }
  return text;
}

function signLatex(text: string, face: Face): string {
  const plain = WORDS[text] ?? OTHER[text] ?? text;
  const isLetter = /^[\p{Lu}\p{Ll}\p{Lo}]$/u.test(text);
  if (!isLetter && !/^\d$/.test(text)) return plain;
  if (!isLetter) return face === 'bold' ? `\\mathbf{${text}}` : text;
  // Capital Greek letters are upright of themselves, small ones italic; LaTeX has no other face but bold for them.
  if (WORDS[text]) return face === 'bold' || face === 'bold italic' ? `\\boldsymbol{${plain}}` : plain;
  const command = FACES[face];
  return command ? `\\${command}{${plain}}` : plain;
}

function nameLatex(text: string, face: Face): string {
  if (face === 'upright') {
    const solid = text.replace(' ', '');
    if (isFunction(solid)) return `\\${solid}`;
    if (/^arg (?:max|min)$/.test(text)) return `\\operatorname*{arg\\,${text.slice(4)}}`;
    if (/\s/.test(text)) return `\\text{ ${text} }`;
    return `\\mathrm{${text}}`;
  }
  return `\\${FACES[face] ?? 'mathrm'}{${text.replaceAll(' ', '\\ ')}}`;
}

function scriptsLatex(node: Extract<MathNode, { kind: 'scripts' }>): string {
  const { base, sub, sup, limits } = node;
  const above = sup && latexOf(sup);
  if (limits && base.kind === 'sign' && /^[=→⟶←∼≡]$/.test(base.text))
    return overSign(base, above, sub && latexOf(sub));
  let text = write(base);
  const isSimple =
    base.kind === 'sign' ||
    base.kind === 'name' ||
    base.kind === 'accent' ||
    base.kind === 'line' ||
    base.kind === 'fence' ||
    base.kind === 'root' ||
    (base.kind === 'row' && base.items.length === 0);
  if (text === '') text = '{}';
  else if (!isSimple) text = `{${text}}`;
  if (limits && base.kind === 'sign' && /[∫∮∬∭]/.test(base.text)) text += '\\limits';
  if (sub) text += `_{${latexOf(sub)}}`;
  if (above !== undefined) text += /^'+$/.test(above) ? above : `^{${above}}`;
  return text;
}

function overSign(base: MathNode, above: string | undefined, below: string | undefined): string {
  const upper = above === undefined ? write(base) : `\\overset{${above}}{${write(base)}}`;
  return below === undefined ? upper : `\\underset{${below}}{${upper}}`;
}

const delimiter = (text: string): string => (text === '' ? '.' : (WORDS[text] ?? OTHER[text] ?? text));

const MATRICES: Readonly<Record<string, string>> = lookup({
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '{}': 'Bmatrix',
  '||': 'vmatrix',
  '∥∥': 'Vmatrix',
  '{': 'cases',
});

function fenceLatex(open: string, close: string, inside: MathNode): string {
  if (inside.kind === 'matrix') {
    const [first, second] = inside.rows;
    if (open + close === '()' && inside.rows.length === 2 && first?.length === 1 && second?.length === 1)
      return `\\binom{${latexOf(first[0] as MathNode)}}{${latexOf(second[0] as MathNode)}}`;
    const name = MATRICES[open + close];
    if (name) return matrixLatex(inside.rows, name);
  }
  const [left, right] = [delimiter(open), delimiter(close)];
  return `\\left${left}${/[A-Za-z]$/.test(left) ? ' ' : ''}${latexOf(inside)}\\right${right}`;
}

const matrixLatex = (rows: readonly MathNode[][], name: string): string =>
  `\\begin{${name}}${rows.map((cells) => cells.map(latexOf).join(' & ')).join(' \\\\ ')}\\end{${name}}`;
