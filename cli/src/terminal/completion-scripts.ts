/** Scripts that complete `tocsin` in a shell. They hold all words themselves, so that completing starts no process. */
export type Words = { path: string[]; about: string; options: { name: string; about: string }[] }[]

export function bashScript(words: Words): string {
  const cases = words.map(
    ({ path, options }) =>
      `    '${path.join(' ')}') words='${[...namesBelow(words, path), ...options.map(({ name }) => name)].join(' ')}' ;;`,
  )
  return `_tocsin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
    '') words='${[...namesBelow(words, []), '--help', '--version'].join(' ')}' ;;
${cases.join('\n')}
    *) words='--json --folder --help' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tocsin tocsin
`
}

export function zshScript(words: Words): string {
  const cases = words.map(({ path, options }) => {
    const below = words
      .filter((each) => isBelow(each.path, path))
      .map(({ path, about }) => entry(path.at(-1) ?? '', about))
    return `    '${path.join(' ')}') candidates=(${[...below, ...options.map(({ name, about }) => entry(name, about))].join(' ')}) ;;`
  })
  const top = words.filter(({ path }) => path.length === 1).map(({ path, about }) => entry(path.join(), about))
  return `#compdef tocsin
_tocsin() {
  local -a words_before candidates
  local path_text
  words_before=(\${\${words[2,CURRENT-1]}:#-*})
  path_text="\${(j: :)words_before}"
  case "$path_text" in
    '') candidates=(${top.join(' ')}) ;;
${cases.join('\n')}
    *) _files; return ;;
  esac
  _describe 'tocsin' candidates
}
compdef _tocsin tocsin
`
}

export function fishScript(words: Words): string {
  const lines = words.flatMap(({ path, about, options }) => {
    const parent = path.slice(0, -1)
    const after = parent.length === 0 ? '__fish_use_subcommand' : fishSeen(words, parent)
    return [
      `complete -c tocsin -f -n '${after}' -a '${path.at(-1)}' -d '${quoted(about)}'`,
      ...options.map(
        ({ name, about }) =>
          `complete -c tocsin -n '${fishSeen(words, path)}' -l '${name.slice(2)}' -d '${quoted(about)}'`,
      ),
    ]
  })
  return `${lines.join('\n')}\n`
}

/** True in fish after the command. `test` is a command and also one of `trigger`, so others that end with it are excluded. */
function fishSeen(words: Words, path: readonly string[]): string {
  const seen = (name: string) => `__fish_seen_subcommand_from ${name}`
  const others = words.filter((each) => each.path.length > path.length && each.path.at(-1) === path.at(-1))
  const foreign = others.flatMap((each) => each.path.slice(0, -1))
  return [...path.map(seen), ...foreign.map((name) => `not ${seen(name)}`)].join('; and ')
}

function namesBelow(words: Words, path: readonly string[]): string[] {
  return words.filter((each) => isBelow(each.path, path)).map((each) => each.path.at(-1) ?? '')
}

function isBelow(path: readonly string[], parent: readonly string[]): boolean {
  return path.length === parent.length + 1 && parent.every((name, index) => path[index] === name)
}

/** `'name:what it does'`, as zsh wants it. */
function entry(name: string, about: string): string {
  return `'${name}:${quoted(about).replaceAll(':', '\\:')}'`
}

/** A text inside single quotes of a shell. The typographic quote means the same and ends nothing. */
function quoted(text: string): string {
  return text.replaceAll("'", '’')
}
