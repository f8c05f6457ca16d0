import { expandsTooFar } from '../../../base/type-expansion.ts'

/**
 * Reads human-readable ABI lines to JSON ABI items. The cost is linear in the text: each line is split into words once, each
 * word is read once, and a struct is resolved once. The line parser of ox is not used, because its cost is the parameters times
 * the text of all structs, and because it keeps every parameter that it ever read.
 */

const keywords = /^(?:event|function|error|struct|constructor|fallback|receive)\b/
const linesMax = 500
const lineMax = 4000
/** Of all lines together. */
const textMax = 200_000
const levelsMax = 16

type Parameter = { type: string; name?: string; indexed?: true; components?: readonly Parameter[] }
/** A parameter as its line has it: the base of its type may be the name of a struct. */
type Written = { base: string; arrays: string; name?: string; mark?: string; components?: readonly Written[] }
type Structs = ReadonlyMap<string, readonly Written[]>
type Resolve = (written: readonly Written[], marks: ReadonlySet<string>) => Parameter[]

const [eventMarks, callMarks, noMarks] = [
  new Set(['indexed']),
  new Set(['calldata', 'memory', 'storage']),
  new Set<string>(),
]
const allMarks = new Set([...eventMarks, ...callMarks])
const mutabilities = new Set(['pure', 'view', 'nonpayable', 'payable'])

/** A line without a keyword is read as `expected`. */
export function parseAbiLines(text: readonly string[], expected: string): readonly unknown[] {
  const lines = text.map((line) => completeLine(line, expected)).filter((line) => line !== '')
  const length = lines.reduce((sum, line) => sum + line.length, 0)
  if (lines.length > linesMax || length > textMax || lines.some((line) => line.length > lineMax))
    throw new Error(`more than ${linesMax} lines, ${lineMax} characters in a line or ${textMax} in all lines`)
  const structs = new Map(lines.filter(isStruct).map((line) => readStruct(wordsOf(line))))
  if (expandsTooFar(referencesOf(structs)))
    throw new Error('its structs contain themselves or are too large when expanded')
  const resolve = resolverOf(structs)
  return lines.filter((line) => !isStruct(line)).map((line) => readItem(wordsOf(line), resolve))
}

function completeLine(line: string, expected: string): string {
  const trimmed = line.trim()
  const bare = trimmed.endsWith(';') ? trimmed.slice(0, -1).trimEnd() : trimmed
  return bare === '' || keywords.test(bare) ? bare : `${expected} ${bare}`
}

function isStruct(line: string): boolean {
  return /^struct\b/.test(line)
}

/** The words and signs of a line, read from left to right. */
type Words = ReturnType<typeof wordsOf>

function wordsOf(line: string) {
  const words = line.match(/[A-Za-z_$][\w$]*|\d+|\S/g) ?? []
  let at = 0
  const fail = () => new Error(`"${words[at] ?? 'the end'}" is not expected in "${line.slice(0, 100)}"`)
  return {
    fail,
    accept: (word: string) => words[at] === word && ++at > 0,
    /** The next word if it is one of these. */
    acceptOf: (wanted: ReadonlySet<string>) => (wanted.has(words[at] ?? '') ? words[at++] : undefined),
    acceptName: () => (/^[A-Za-z_$]/.test(words[at] ?? '') ? words[at++] : undefined),
    acceptNumber: () => (/^\d/.test(words[at] ?? '') ? words[at++] : undefined),
    isAtEnd: () => at >= words.length,
  }
}

function requireWord(words: Words, word: string): void {
  if (!words.accept(word)) throw words.fail()
}

function requireName(words: Words): string {
  const name = words.acceptName()
  if (name === undefined) throw words.fail()
  return name
}

function readItem(words: Words, resolve: Resolve): object {
  const type = requireName(words)
  const item = readItemOf(type, words, resolve)
  if (!words.isAtEnd()) throw words.fail()
  return item
}

function readItemOf(type: string, words: Words, resolve: Resolve): object {
  if (type === 'event') return readEvent(words, resolve)
  if (type === 'function') return readFunction(words, resolve)
  if (type === 'error') return { name: requireName(words), type, inputs: resolve(readList(words), noMarks) }
  if (type === 'constructor') {
    const inputs = resolve(readList(words), callMarks)
    return { type, stateMutability: words.accept('payable') ? 'payable' : 'nonpayable', inputs }
  }
  requireWord(words, '(')
  requireWord(words, ')')
  requireWord(words, 'external')
  if (type === 'fallback') return { type, stateMutability: words.accept('payable') ? 'payable' : 'nonpayable' }
  requireWord(words, 'payable')
  return { type, stateMutability: 'payable' }
}

function readEvent(words: Words, resolve: Resolve): object {
  const event = { name: requireName(words), type: 'event', inputs: resolve(readList(words), eventMarks) }
  return words.accept('anonymous') ? { ...event, anonymous: true } : event
}

function readFunction(words: Words, resolve: Resolve): object {
  const name = requireName(words)
  const inputs = resolve(readList(words), callMarks)
  if (!words.accept('external')) words.accept('public')
  const stateMutability = words.acceptOf(mutabilities) ?? 'nonpayable'
  const outputs = words.accept('returns') ? resolve(readList(words), callMarks) : []
  return { name, type: 'function', stateMutability, inputs, outputs }
}

function readList(words: Words, level = 0): Written[] {
  if (level > levelsMax) throw new Error(`tuples have more than ${levelsMax} levels`)
  requireWord(words, '(')
  const list: Written[] = []
  while (!words.accept(')')) {
    list.push(readParameter(words, level))
    if (words.accept(')')) break
    requireWord(words, ',')
  }
  return list
}

function readParameter(words: Words, level: number): Written {
  const base = words.acceptName()
  const components = base === undefined ? readList(words, level + 1) : undefined
  if (base === 'address') words.accept('payable')
  const arrays = readArrays(words)
  const mark = words.acceptOf(allMarks)
  const name = words.acceptName()
  if (name !== undefined && isReserved(name)) throw new Error(`"${name}" is not a name`)
  return {
    base: base ?? 'tuple',
    arrays,
    ...(mark && { mark }),
    ...(name && { name }),
    ...(components && { components }),
  }
}

function readArrays(words: Words): string {
  let arrays = ''
  while (words.accept('[')) {
    arrays += `[${words.acceptNumber() ?? ''}]`
    requireWord(words, ']')
  }
  return arrays
}

function readStruct(words: Words): [string, Written[]] {
  requireWord(words, 'struct')
  const name = requireName(words)
  const members: Written[] = []
  requireWord(words, '{')
  while (!words.accept('}')) {
    members.push(readParameter(words, 0))
    if (words.accept('}')) break
    requireWord(words, ';')
  }
  if (members.length === 0 || !words.isAtEnd()) throw words.fail()
  return [name, members]
}

function referencesOf(structs: Structs): Map<string, string[]> {
  const namesIn = (members: readonly Written[]): string[] =>
    members.flatMap(({ base, components }) => (components ? namesIn(components) : [base]))
  return new Map([...structs].map(([name, members]) => [name, namesIn(members)]))
}

/** Each struct is resolved once; its uses share the result. */
function resolverOf(structs: Structs): Resolve {
  const resolved = new Map<string, readonly Parameter[]>()
  const membersOf = (name: string): readonly Parameter[] | undefined => {
    const members = structs.get(name)
    const known = resolved.get(name) ?? (members && resolve(members, noMarks))
    if (known) resolved.set(name, known)
    return known
  }
  const resolveOne = ({ base, arrays, name, mark, components }: Written, marks: ReadonlySet<string>): Parameter => {
    const inner = components ? resolve(components, noMarks) : membersOf(base)
    const type = inner ? 'tuple' : base === 'int' || base === 'uint' ? `${base}256` : base
    if (mark !== undefined && !marks.has(mark)) throw new Error(`"${mark}" is not allowed at ${name ?? type}`)
    return {
      type: type + arrays,
      ...(name !== undefined && { name }),
      ...(mark === 'indexed' && { indexed: true as const }),
      ...(inner && { components: inner }),
    }
  }
  const resolve: Resolve = (written, marks) => written.map((each) => resolveOne(each, marks))
  return resolve
}

/** Words of Solidity that name no parameter. */
const reserved = new Set(
  [
    'address after alias anonymous apply auto bool byte calldata case catch constant copyof default defined error',
    'event external false final function immutable implements in indexed inline internal let mapping match memory',
    'mutable null of override partial payable private promise public pure reference relocatable return returns sizeof static',
    'storage string struct super supports switch this true try tuple typedef typeof var view virtual',
  ].flatMap((line) => line.split(' ')),
)

function isReserved(name: string): boolean {
  return reserved.has(name) || /^(?:bytes|u?int)\d*$/.test(name)
}
