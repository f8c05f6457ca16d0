import { parseJson } from '../../../base/parse-json.ts'
import { parseAbiLines } from './parse-abi-lines.ts'
import { type AbiParameter, type ParameterReader, parameterReader } from './read-abi-parameters.ts'

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
    return { ok: true, items: [...objects.map(read), ...parseAbiLines(lines, expected).map(read).map(withoutMarks)] }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ok: false, message: `is not an ABI: ${error.message.split('\n')[0]?.slice(0, 200)}` }
  }
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
