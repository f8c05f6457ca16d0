/**
 * Counts what a backtracking engine does with a regular expression, as that of JavaScript does. Time would depend on the
 * machine. Regular expressions have no interface that shows their parts, so this reads and runs them itself.
 */

/** A `one` matches a character; `isOne` asks the real engine. */
type Node =
  | { kind: 'one'; isOne(character: string): boolean }
  | { kind: 'edge'; source: string }
  | { kind: 'sequence'; parts: Node[] }
  | { kind: 'choice'; branches: Node[] }
  | { kind: 'repeat'; inner: Node; min: number; max: number; isLazy: boolean }
  | { kind: 'group'; inner: Node; index: number }
  | { kind: 'look'; inner: Node; isAhead: boolean; isNegative: boolean }
  | { kind: 'same'; index: number }
type Reader = { source: string; flags: string; at: number; groups: number }

const one = /\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|./suy
const counts = /\{(\d+)(?:(,)(\d*))?\}/y
const simple: Record<string, [number, number]> = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }

export function readExpression(source: string, flags: string): Node {
  const reader = { source, flags, at: 0, groups: 0 }
  const read = readChoice(reader)
  if (reader.at < source.length) throw new Error(`cannot read ${source} from ${reader.at}`)
  return read
}

function readChoice(reader: Reader): Node {
  const branches = [readSequence(reader)]
  while (take(reader, '|')) branches.push(readSequence(reader))
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'choice', branches }
}

function readSequence(reader: Reader): Node {
  const parts: Node[] = []
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at)))
    parts.push(readRepeats(reader, readAtom(reader)))
  return { kind: 'sequence', parts }
}

function readAtom(reader: Reader): Node {
  if (take(reader, '(')) return readGroup(reader)
  for (const source of ['^', '$', '\\b', '\\B']) if (take(reader, source)) return { kind: 'edge', source }
  const back = match(reader, /\\([1-9])/y)
  if (back) return { kind: 'same', index: Number(back[1]) }
  const source = match(reader, one)?.[0] ?? ''
  const expression = new RegExp(`^(?:${source})$`, reader.flags.replace(/[gymd]/g, ''))
  const known = new Map<string, boolean>()
  const isOne = (character: string) => {
    const found = known.get(character) ?? expression.test(character)
    known.set(character, found)
    return found
  }
  return { kind: 'one', isOne }
}

function readGroup(reader: Reader): Node {
  const opening = match(reader, /\?(?::|<?[=!]|<\w+>)/y)?.[0] ?? ''
  const isCapture = opening === '' || opening.endsWith('>')
  if (isCapture) reader.groups++
  const index = isCapture ? reader.groups : 0
  const inner = readChoice(reader)
  if (!take(reader, ')')) throw new Error(`no end of a group in ${reader.source}`)
  if (!/[=!]$/.test(opening)) return { kind: 'group', inner, index }
  return { kind: 'look', inner, isAhead: !opening.includes('<'), isNegative: opening.endsWith('!') }
}

function readRepeats(reader: Reader, inner: Node): Node {
  const range = readRange(reader)
  if (!range) return inner
  return { kind: 'repeat', inner, min: range[0], max: range[1], isLazy: take(reader, '?') }
}

function readRange(reader: Reader): [number, number] | undefined {
  const known = simple[reader.source.charAt(reader.at)]
  if (known) reader.at++
  if (known) return known
  const [whole, min = '', comma, max] = match(reader, counts) ?? []
  if (whole === undefined) return undefined
  return [Number(min), max ? Number(max) : comma ? Infinity : Number(min)]
}

function take(reader: Reader, text: string): boolean {
  const isHere = reader.source.startsWith(text, reader.at)
  if (isHere) reader.at += text.length
  return isHere
}

function match(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.source)
  if (found) reader.at += found[0].length
  return found
}

export class TooManySteps extends Error {}

/** All matches in a text, one after the other, and their steps. Throws TooManySteps beyond the limit. */
export function findAll(node: Node, flags: string, text: string, stepsMax: number): { found: string[]; steps: number } {
  let steps = 0
  const found: string[] = []
  const captures = new Map<number, string>()
  const isWord = (at: number) => /\w/.test(text.charAt(at))
  const isEdge = (source: string, at: number) => {
    if (source === '^') return at === 0 || (flags.includes('m') && text[at - 1] === '\n')
    if (source === '$') return at === text.length || (flags.includes('m') && text[at] === '\n')
    return (isWord(at - 1) !== isWord(at)) === (source === '\\b')
  }
  type Next = (at: number) => number | undefined
  const run = (each: Node, at: number, next: Next): number | undefined => {
    if (++steps > stepsMax) throw new TooManySteps()
    switch (each.kind) {
      case 'one':
        return at < text.length && each.isOne(text.charAt(at)) ? next(at + 1) : undefined
      case 'edge':
        return isEdge(each.source, at) ? next(at) : undefined
      case 'sequence':
        return runAll(each.parts, 0, at, next)
      case 'choice':
        return first(each.branches, (branch) => run(branch, at, next))
      case 'group':
        return run(each.inner, at, (end) => {
          captures.set(each.index, text.slice(at, end))
          return next(end)
        })
      case 'look': {
        // What looks behind has one character in our expressions.
        const from = each.isAhead ? at : at - 1
        const isFound =
          from >= 0 && run(each.inner, from, (end) => (each.isAhead || end === at ? end : undefined)) !== undefined
        return isFound === each.isNegative ? undefined : next(at)
      }
      case 'same': {
        const same = captures.get(each.index) ?? ''
        return text.startsWith(same, at) ? next(at + same.length) : undefined
      }
      case 'repeat':
        return runRepeat(each, 0, at, next)
    }
  }
  const runAll = (parts: Node[], index: number, at: number, next: Next): number | undefined => {
    const part = parts[index]
    return part ? run(part, at, (end) => runAll(parts, index + 1, end, next)) : next(at)
  }
  const runRepeat = (each: Extract<Node, { kind: 'repeat' }>, count: number, at: number, next: Next) => {
    const more = (): number | undefined =>
      count < each.max
        ? run(each.inner, at, (end) =>
            end === at && count >= each.min ? undefined : runRepeat(each, count + 1, end, next),
          )
        : undefined
    const enough = () => (count >= each.min ? next(at) : undefined)
    return each.isLazy ? (enough() ?? more()) : (more() ?? enough())
  }
  for (let at = 0; at <= text.length && (at === 0 || !flags.includes('y')); ) {
    const end = run(node, at, (last) => last)
    if (end !== undefined) found.push(text.slice(at, end))
    at = end === undefined || end === at ? at + 1 : end
  }
  return { found, steps }
}

function first<T, R>(all: readonly T[], get: (each: T) => R | undefined): R | undefined {
  for (const each of all) {
    const found = get(each)
    if (found !== undefined) return found
  }
  return undefined
}

/** Beside ASCII, one of each kind that our classes name. */
const alphabet = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'é\u0301\u0085\u00ad\u2028\u202a\u2060’\ufffd',
]

/** Texts that grow with `size` and that an expression reads badly, if it can: its own characters repeated, then a mismatch. */
export function hostileTexts(node: Node): ((size: number) => string)[] {
  const ones: Extract<Node, { kind: 'one' }>[] = []
  const starts = new Set<string>([''])
  if (!hasRepeats(node)) return []
  collect(node, '', ones, starts)
  const kinds = new Map<string, string>()
  for (const character of alphabet) {
    const kind = ones.map(({ isOne }) => Number(isOne(character))).join('')
    if (!kinds.has(kind)) kinds.set(kind, character)
  }
  const none = kinds.get('0'.repeat(ones.length))
  const signs = [...kinds.values()].filter((sign) => sign !== none)
  const pairs = signs.length > 12 ? [] : signs.flatMap((a) => signs.map((b) => a + b))
  const words = [...signs, ...pairs, ...starts].filter((word) => word !== '')
  const ends = ['', none ?? '\0', '\n']
  // A run that begins after something else is not reached by what is tied to the start.
  if (none) starts.add(none)
  return [...starts].flatMap((start) =>
    words.flatMap((word) =>
      ends.map((end) => (size: number) => start + word.repeat(Math.ceil(size / word.length)) + end),
    ),
  )
}

/** Without long repeats a match has a length of its own, whatever the text. */
function hasRepeats(node: Node): boolean {
  if (node.kind === 'repeat') return node.max > 20 || hasRepeats(node.inner)
  if (node.kind === 'group' || node.kind === 'look') return hasRepeats(node.inner)
  if (node.kind === 'sequence') return node.parts.some(hasRepeats)
  return node.kind === 'choice' && node.branches.some(hasRepeats)
}

/** Collects the characters and, for each repeat, the shortest text that leads to it. Returns the text with that of the node. */
function collect(node: Node, before: string, ones: Extract<Node, { kind: 'one' }>[], starts: Set<string>): string {
  switch (node.kind) {
    case 'one':
      ones.push(node)
      return (
        before +
        (alphabet.find((character) => /[ -~]/.test(character) && node.isOne(character)) ??
          alphabet.find(node.isOne) ??
          '')
      )
    case 'sequence':
      return node.parts.reduce((text, part) => collect(part, text, ones, starts), before)
    case 'choice':
      return node.branches.map((branch) => collect(branch, before, ones, starts))[0] ?? before
    case 'group':
      return collect(node.inner, before, ones, starts)
    case 'look':
      collect(node.inner, before, ones, starts)
      return before
    case 'repeat': {
      if (node.max > 1) starts.add(before)
      const inner = collect(node.inner, before, ones, starts).slice(before.length)
      if (node.max > 1) starts.add(before + inner)
      return before + inner.repeat(node.min)
    }
    default:
      return before
  }
}
