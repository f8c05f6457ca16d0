import { parseJson } from '../../../base/json.ts'
import { parseAbiLines } from './parse-abi-lines.ts'

/** One checked event, function or other item of an ABI. `json` is the item as the ABI has it. */
export type AbiItem = {
  type: string
  name: string
  inputs: AbiParameter[]
  signature: string
  json: Record<string, unknown>
  /** A human-readable event without `indexed` marks. JSON has a mark for each input, and an anonymous event has no signature hash. */
  isUnmarked: boolean
}
export type Abi = { ok: true; items: AbiItem[] } | { ok: false; message: string }

const itemsMax = 5000
const itemTypes = new Set(['event', 'function', 'error', 'constructor', 'fallback', 'receive'])

/** Reads JSON text, an item, a list, or human-readable lines. A line without a keyword is read as `expected`. */
export async function readAbi(fragment: unknown, expected: 'event' | 'function'): Promise<Abi> {
  try {
    const items = typeof fragment === 'string' ? readText(fragment) : fragment
    const list = Array.isArray(items) ? items : [items]
    const lines = list.filter((item) => typeof item === 'string')
    const objects = list.filter((item) => typeof item !== 'string')
    if (objects.length > itemsMax) throw new Error(`it has more than ${itemsMax} items`)
    const readParameters = parameterReader()
    const read = (item: unknown) => readItem(item, readParameters)
    return { ok: true, items: [...objects.map(read), ...readLines(lines, expected, readParameters)] }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ok: false, message: `is not an ABI: ${error.message.split('\n')[0]?.slice(0, 200)}` }
  }
}

/** Human-readable lines that are known to be right, such as the bundled ones. Throws for others. */
export function readAbiLines(lines: readonly string[]): AbiItem[] {
  return readLines(lines, 'function', parameterReader())
}

function readLines(lines: readonly string[], expected: string, readParameters: ParameterReader): AbiItem[] {
  return parseAbiLines(lines, expected).map((item) => withoutMarks(readItem(item, readParameters)))
}

function readText(text: string): unknown {
  if (/^\s*[[{"]/.test(text)) return parseJson(text)
  return text.split('\n').filter((line) => line.trim() !== '')
}

function readItem(item: unknown, readParameters: ParameterReader): AbiItem {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new Error('an item must be an object')
  const json: Record<string, unknown> = { ...item }
  const { type = 'function', name = '', inputs = [], anonymous } = json
  if (typeof type !== 'string' || !itemTypes.has(type)) throw new Error('an item has an unknown type')
  const needsName = type === 'event' || type === 'function' || type === 'error'
  if (typeof name !== 'string' || (needsName && !/^[A-Za-z_$][\w$]*$/.test(name)))
    throw new Error(`an ${type} has no name`)
  const parameters = readParameters(inputs, name.slice(0, 80))
  const indexed = parameters.filter((parameter) => parameter.indexed).length
  if (type === 'event' && indexed > (anonymous === true ? 4 : 3))
    throw new Error(`${name.slice(0, 80)} has too many indexed parameters`)
  const signature = `${name}(${parameters.map((each) => each.type).join(',')})`
  return { type, name, inputs: parameters, signature, json, isUnmarked: false }
}

function withoutMarks(item: AbiItem): AbiItem {
  const { type, inputs, json } = item
  return { ...item, isUnmarked: type === 'event' && json.anonymous !== true && !inputs.some(({ indexed }) => indexed) }
}

/** A parameter with its canonical type: a tuple is written as `(address,uint256)`. */
type AbiParameter = { type: string; name?: string; indexed: boolean }

const typePattern = /^(address|bool|string|function|tuple|bytes\d*|u?int\d*|u?fixed\w*)((?:\[\d*\])*)$/
const typeLengthMax = 100
const levelsMax = 16
const parametersMax = 20_000

/** One reader counts the parameters of a whole ABI, because a struct of some lines is expanded at each use. */
type ParameterReader = (inputs: unknown, owner: string) => AbiParameter[]

function parameterReader(): ParameterReader {
  let left = parametersMax
  const readAll = (inputs: unknown, owner: string, level: number): AbiParameter[] => {
    if (!Array.isArray(inputs)) throw new Error(`${owner} has no list of parameters`)
    if (level > levelsMax) throw new Error(`tuples have more than ${levelsMax} levels`)
    left -= inputs.length
    if (left < 0) throw new Error(`it has more than ${parametersMax} parameters`)
    return inputs.map((input, index) => readOne(input, `parameter ${index} of ${owner}`, level))
  }
  const readOne = (input: unknown, where: string, level: number): AbiParameter => {
    if (typeof input !== 'object' || input === null) throw new Error(`${where} is not an object`)
    const { type, name, indexed, components } = input as Record<string, unknown>
    const parts = typeof type === 'string' && type.length <= typeLengthMax ? typePattern.exec(type) : null
    if (!parts) throw new Error(`${where} has an unknown type`)
    const [, base = '', arrays = ''] = parts
    const inner = base === 'tuple' ? readAll(components, where, level + 1) : undefined
    return {
      type: (inner ? `(${inner.map((each) => each.type).join(',')})` : canonicalBase(base, where)) + arrays,
      ...(typeof name === 'string' && { name }),
      indexed: indexed === true,
    }
  }
  return (inputs, owner) => readAll(inputs, owner, 0)
}

function canonicalBase(base: string, where: string): string {
  if (base === 'int' || base === 'uint') return `${base}256`
  if (!isSized(base)) throw new Error(`${where} has an unknown type`)
  return base
}

/** Integers have whole bytes up to 256 bits, fixed bytes up to 32. */
function isSized(base: string): boolean {
  const integer = /^u?int(\d+)$/.exec(base)
  if (integer) return Number(integer[1]) >= 8 && Number(integer[1]) <= 256 && Number(integer[1]) % 8 === 0
  const bytes = /^bytes(\d+)$/.exec(base)
  if (bytes) return Number(bytes[1]) >= 1 && Number(bytes[1]) <= 32
  return !base.startsWith('fixed') && !base.startsWith('ufixed')
}
