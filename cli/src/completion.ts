// Scripts that teach a shell the words of this command. They ask `bindery complete`, so they never grow stale.
import { CATALOGUE } from '@bindery/sdk/catalogue';
import type { Group } from './command.ts';
import { COMMON_OPTIONS, optionName } from './operation-words.ts';
import { chooseOperation, isGroup, operationsOf } from './operations.ts';
import { VERBS } from './verbs.ts';

const BASH = `_bindery() {
  local IFS=$'\\n'
  COMPREPLY=( $(compgen -W "$(bindery complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}") )
}
complete -o default -o bashdefault -F _bindery bindery
`;
const ZSH = `#compdef bindery
_bindery() {
  local -a found
  found=("\${(@f)$(bindery complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  found=("\${(@)found:#}")
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _bindery bindery
`;
const FISH = `complete -c bindery -f -a '(bindery complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c bindery -F -n 'test (count (commandline -opc)) -gt 2'
`;

const script = (shell: string, text: string, place: string) => ({
  summary: `For ${shell}: ${place}`,
  positionals: [],
  options: {},
  run: async (_words: unknown, print: (text: string) => void) => print(text),
});

export const COMPLETION: Group = {
  summary: 'Completion scripts for shells',
  commands: {
    bash: script('bash', BASH, 'eval "$(bindery completion bash)" in ~/.bashrc'),
    zsh: script('zsh', ZSH, 'eval "$(bindery completion zsh)" in ~/.zshrc, after compinit'),
    fish: script('fish', FISH, 'bindery completion fish > ~/.config/fish/completions/bindery.fish'),
  },
};

/** What the last of these words may become, one on a line. */
export function completions(words: readonly string[], commands: Record<string, readonly string[]>): string[] {
  const [first = '', second = '', ...rest] = words;
  const last = words.at(-1) ?? '';
  const beginning = (names: readonly string[]) => names.filter((name) => name.startsWith(last));
  if (words.length <= 1) return beginning([...Object.keys(commands), ...groups(), ...VERBS.keys()]);
  // What follows is an operation, as it would be by itself.
  if (first === 'batch' && words.length > 2) return completions(words.slice(1), commands);
  const verb = isGroup(first) || Object.hasOwn(commands, first) ? undefined : VERBS.get(first);
  if (verb !== undefined) {
    const [group = '', ...name] = verb.split('/');
    return words.length === 2 && !last.startsWith('-')
      ? []
      : completions([group, name.join('/'), ...words.slice(1)], commands);
  }
  if (words.length === 2) {
    return beginning(isGroup(first) ? Object.keys(operationsOf(first)) : (commands[first] ?? []));
  }
  if (!isGroup(first) || !last.startsWith('-'))
    return choicesAfter(first, second, rest).filter((value) => value.startsWith(last));
  return beginning(optionsOf(first, second));
}

const groups = (): string[] => [...new Set(Object.keys(CATALOGUE).map((path) => path.split('/')[0] ?? ''))];

function optionsOf(group: string, name: string): string[] {
  const { entry } = chooseOperation(group, name);
  const own = [...entry.params, ...entry.files.filter((file) => file.name !== 'fileInput')];
  return [...own.map((field) => optionName(field.name)), ...Object.keys(COMMON_OPTIONS)].map(
    (option) => `--${option}`,
  );
}

/** The values of the option before the last word, where they can be counted. */
function choicesAfter(group: string, name: string, rest: readonly string[]): string[] {
  const option = rest.at(-2);
  if (!isGroup(group) || option === undefined || !option.startsWith('--')) return [];
  const { entry } = chooseOperation(group, name);
  const param = entry.params.find((each) =>
    [`--${optionName(each.name)}`, `--${each.name}`].includes(option),
  );
  return (param?.values ?? []).map(String);
}
