/**
 * Contains a completion script for each shell. The script passes the typed words to `legion
 * complete` and offers the lines that the command prints.
 */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof SHELLS)[number];

/** Printed instead of candidates if the shell should complete a path. */
export const FILES_LINE = ':files';

const BASH = `# Completion of legion for bash 4.4 or newer.
_legion() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == '${FILES_LINE}' ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(command legion complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
}
complete -F _legion legion
`;

const ZSH = `#compdef legion
# Completion of legion for zsh.
_legion() {
  local line
  local -a values descriptions
  while IFS= read -r line; do
    if [[ $line == '${FILES_LINE}' ]]; then
      compset -P '--*='
      _files
      return
    fi
    values+=("\${line%%$'\\t'*}")
    descriptions+=("\${line//$'\\t'/  }")
  done < <(command legion complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)
  (( $#values )) && compadd -l -d descriptions -a values
}
if [[ $funcstack[1] == _legion ]]; then
  _legion "$@"
else
  compdef _legion legion
fi
`;

const FISH = `# Completion of legion for fish.
function __legion_complete
    set -l before (commandline --cut-at-cursor --current-process --tokenize)
    set -l typed (commandline --cut-at-cursor --current-token)
    for line in (command legion complete fish -- $before[2..] "$typed" 2>/dev/null </dev/null)
        if test "$line" = '${FILES_LINE}'
            set -l lead (string match --regex -- '^--[^=]*=' "$typed")
            for path in (__fish_complete_path (string replace --regex -- '^--[^=]*=' '' "$typed"))
                printf '%s%s\\n' "$lead" "$path"
            end
        else
            printf '%s\\n' "$line"
        end
    end
end
complete --command legion --no-files --arguments '(__legion_complete)'
`;

export const SCRIPTS: Readonly<Record<CompletionShell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
