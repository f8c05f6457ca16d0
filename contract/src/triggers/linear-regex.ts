const lengthMax = 1000
const levelsMax = 50

/**
 * Look-around and back-references need a backtracking engine. Flags inside the expression and repeats of a thousand or
 * more could run in linear time, but the engine's automaton has no room for them.
 */
const unusable: [RegExp, string][] = [
  [/^\(\?<?[=!]/, 'look-around'],
  [/^\\[1-9]/, 'back-references'],
  [/^\\k</, 'back-references'],
  [/^\(\?[a-z-]+[:)]/, 'inline flags'],
  [/^\{(\d*,)?\d{4}/, 'repeats of a thousand or more'],
]

/** Why an expression of the op `matches` cannot be used; undefined if it can. */
export function whyNotLinear(source: string): string | undefined {
  if (source.length > lengthMax) return `must be at most ${lengthMax} characters`
  const feature = unusableFeature(source)
  if (feature) return `must be a linear-time regular expression; ${feature} are not allowed`
  try {
    new RegExp(source, 'u')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'is not a regular expression'
  }
}

/** Reads the expression as tokens, so that an escaped `\\` or a `(?=` inside a class is not misread. */
function unusableFeature(source: string): string | undefined {
  let [isClass, level] = [false, 0]
  for (let at = 0; at < source.length; at += source[at] === '\\' ? 2 : 1) {
    const rest = source.slice(at, at + 12)
    const found = isClass ? undefined : unusable.find(([pattern]) => pattern.test(rest))
    if (found) return found[1]
    if (!isClass && rest[0] === '(' && ++level > levelsMax) return `more than ${levelsMax} levels of groups`
    if (!isClass && rest[0] === ')') level--
    if (rest[0] === '[') isClass = true
    if (rest[0] === ']') isClass = false
  }
  return undefined
}
