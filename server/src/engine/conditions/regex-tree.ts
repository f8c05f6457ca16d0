/** A regular expression as a tree. A `one` matches one character; `source` is a literal, an escape, a class or a dot. */
export type RegexNode =
  | { kind: 'one'; source: string }
  | { kind: 'edge'; edge: 'start' | 'end' | 'word' | 'notWord' }
  | { kind: 'sequence'; parts: RegexNode[] }
  | { kind: 'choice'; branches: RegexNode[] }
  | { kind: 'repeat'; inner: RegexNode; min: number; max: number }

type Reader = { source: string; at: number }

const lengthMax = 1000
const levelsMax = 50
/** An escape or a class. A parenthesis inside is an ordinary character. */
const escapeOrClass = /\\.|\[(?:\\.|[^\]\\])*\]?/gsu

/**
 * Parses an expression with the `u` flag, except those that need backtracking (look-around, back-references) or change the
 * flags for a part. An expression may come from `{{inputs.x}}`, which no save has checked, so all checks are here.
 */
export function readRegex(source: string): RegexNode | undefined {
  if (source.length > lengthMax || !isWellFormed(source)) return undefined
  const escapes = source.match(escapeOrClass) ?? []
  if (escapes.some((piece) => /^\\[1-9k]/.test(piece))) return undefined
  const groups = source.replaceAll(escapeOrClass, ' ')
  if (/\(\?(?!:|<[^=!])/.test(groups) || levelsOf(groups) > levelsMax) return undefined
  return readChoice({ source, at: 0 })
}

function levelsOf(groups: string): number {
  let [level, deepest] = [0, 0]
  for (const sign of groups) {
    if (sign === '(') deepest = Math.max(deepest, ++level)
    if (sign === ')') level--
  }
  return deepest
}

function isWellFormed(source: string): boolean {
  try {
    return new RegExp(source, 'u').source.length >= 0
  } catch {
    return false
  }
}

function readChoice(reader: Reader): RegexNode {
  const branches = [readSequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at++
    branches.push(readSequence(reader))
  }
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'choice', branches }
}

function readSequence(reader: Reader): RegexNode {
  const parts: RegexNode[] = []
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at)))
    parts.push(readRepeated(reader, readAtom(reader)))
  return { kind: 'sequence', parts }
}

const groupOpening = /\((?:\?:|\?<[^>]*>)?/y
const edges: [RegExp, 'start' | 'end' | 'word' | 'notWord'][] = [
  [/\^/y, 'start'],
  [/\$/y, 'end'],
  [/\\b/y, 'word'],
  [/\\B/y, 'notWord'],
]
const character =
  /\\u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2}|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\[pP]\{[^}]*\}|\\c[A-Za-z]|\\.|\[(?:\\.|[^\]\\])*\]|./suy

function readAtom(reader: Reader): RegexNode {
  if (take(reader, groupOpening) !== undefined) {
    const inner = readChoice(reader)
    reader.at++
    return inner
  }
  const edge = edges.find(([pattern]) => take(reader, pattern) !== undefined)?.[1]
  if (edge) return { kind: 'edge', edge }
  const source = take(reader, character)
  if (source === undefined) throw new Error(`No character to read at ${reader.at} of ${reader.source}`)
  return { kind: 'one', source }
}

const counts = /\{(\d+)(?:(,)(\d*))?\}/y
const quantifiers: Record<string, [number, number]> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
}

/** Greedy and lazy repetition accept the same texts. */
function readRepeated(reader: Reader, inner: RegexNode): RegexNode {
  const range = readRange(reader)
  if (!range) return inner
  if (reader.source[reader.at] === '?') reader.at++
  return { kind: 'repeat', inner, min: range[0], max: range[1] }
}

function readRange(reader: Reader): [number, number] | undefined {
  const simple = quantifiers[reader.source.charAt(reader.at)]
  if (simple) reader.at++
  if (simple) return simple
  counts.lastIndex = reader.at
  const match = counts.exec(reader.source)
  if (!match) return undefined
  reader.at = counts.lastIndex
  const [, min = '', comma, max] = match
  return [Number(min), max ? Number(max) : comma ? Number.POSITIVE_INFINITY : Number(min)]
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at
  const text = pattern.exec(reader.source)?.[0]
  if (text !== undefined) reader.at = pattern.lastIndex
  return text
}
