// Scripts that teach a shell the words of this command. They ask `bindery complete`, so they never grow stale: a word
// with what it means in each line, and `:files` where a path belongs.
import type { Command, Group } from './command.ts';

const BASH = `_bindery() {
  local line files= current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = :files ]; then files=yes; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(bindery complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
  fi
}
complete -F _bindery bindery
`;
const ZSH = `#compdef bindery
_bindery() {
  local line files
  local -a found
  for line in "\${(@f)$(bindery complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then files=yes
    elif [[ $line == *$'\\t'* ]]; then found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    elif [[ -n $line ]]; then found+=("\${line//:/\\\\:}")
    fi
  done
  local failed=1
  (( \${#found} )) && _describe -t words 'words of bindery' found && failed=0
  [[ -n $files ]] && _files && failed=0
  return failed
}
if [[ \${funcstack[1]} == _bindery ]]; then _bindery "$@"; else compdef _bindery bindery; fi
`;
const FISH = `function __bindery_words
    for line in (bindery complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            printf '%s\\n' $line
        end
    end
end
complete -c bindery -f -a '(__bindery_words)'
`;

const script = (shell: string, text: string, place: string): Command => ({
  summary: `For ${shell}: ${place}`,
  positionals: [],
  options: {},
  examples: [`bindery completion ${shell}`],
  run: async (_words, print) => print(text),
});

export const COMPLETION: Group = {
  summary: 'Completion scripts for shells',
  example: 'eval "$(bindery completion bash)"',
  commands: {
    bash: script('bash', BASH, 'eval "$(bindery completion bash)" in ~/.bashrc'),
    zsh: script('zsh', ZSH, 'eval "$(bindery completion zsh)" in ~/.zshrc, after compinit'),
    fish: script('fish', FISH, 'bindery completion fish > ~/.config/fish/completions/bindery.fish'),
  },
};
