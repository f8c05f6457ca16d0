/** A regular expression as a tree. A `one` takes one character, by its own source: a literal, an escape, a class or a dot. */
export type RegexNode =
  | { kind: 'one'; source: string }
  | { kind: 'edge'; edge: 'start' | 'end' | 'word' | 'notWord' }
  | { kind: 'sequence'; parts: RegexNode[] }
  | { kind: 'choice'; branches: RegexNode[] }
  | { kind: 'repeat'; inner: RegexNode; min: number; max: number }

type Reader = { source: string; at: number }

const lengthMax = 1000
/** An escape or a class: inside one, a parenthesis is a character like any other. */
const escapeOrClass = /\\.|\[(?:\\.|[^\]\\])*\]/gsu

/**
 * Reads any expression of the `u` flag but those that need backtracking (look-around, back-references) and those that
 * change the flags for a part. An `{{inputs.x}}` brings expressions that no contract has seen, so all is checked here.
 */
export function readRegex(source: string): RegexNode | undefined {
  if (source.length > lengthMax || !isWellFormed(source)) return undefined
  const escapes = source.match(escapeOrClass) ?? []
  if (escapes.some((piece) => /^\\[1-9k]/.test(piece))) return undefined
  if (/\(\?(?!:|<[^=!])/.test(source.replaceAll(escapeOrClass, ' '))) return undefined
  return readChoice({ source, at: 0 })
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
  if (source === undefined) throw new Error(`Nothing to read at ${reader.at} of ${reader.source}`)
  return { kind: 'one', source }
}

const counts = /\{(\d+)(,?)(\d*)\}/y
const quantifiers: Record<string, [number, number]> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
}

/** Greedy or lazy makes no difference to whether a text matches. */
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
  const found = counts.exec(reader.source)
  if (!found) return undefined
  reader.at = counts.lastIndex
  const [, min = '', comma, max] = found
  return [Number(min), max ? Number(max) : comma ? Number.POSITIVE_INFINITY : Number(min)]
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.source)?.[0]
  if (found !== undefined) reader.at = pattern.lastIndex
  return found
}
