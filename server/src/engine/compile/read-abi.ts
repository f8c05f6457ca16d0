import { isExplosive } from './expansion.ts'
import { parseJson } from './parse-json.ts'
import { type AbiParameter, readParameters } from './read-abi-parameters.ts'

/** One event, function or other item of an ABI, read and known to be sound. */
export type AbiItem = { type: string; name: string; inputs: AbiParameter[]; signature: string }
export type Abi = { ok: true; items: AbiItem[] } | { ok: false; message: string }

const keywords = /^\s*(?:event|function|error|struct|constructor|fallback|receive)\b/
const itemTypes = new Set(['event', 'function', 'error', 'constructor', 'fallback', 'receive'])
const linesMax = 500
const lineMax = 4000

/** JSON text, an item, a list, or human-readable lines; a line without its keyword is taken for what is `expected`. */
export async function readAbi(fragment: unknown, expected: 'event' | 'function'): Promise<Abi> {
  try {
    const items = typeof fragment === 'string' ? readText(fragment) : fragment
    const list = Array.isArray(items) ? items : [items]
    const lines = list.filter((item) => typeof item === 'string')
    const objects = list.filter((item) => typeof item !== 'string')
    return { ok: true, items: [...objects, ...(await parseLines(lines, expected))].map(readItem) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ok: false, message: `is not an ABI: ${error.message.split('\n')[0]?.slice(0, 200)}` }
  }
}

function readText(text: string): unknown {
  if (/^\s*[[{"]/.test(text)) return parseJson(text)
  return text.split('\n').filter((line) => line.trim() !== '')
}

/** ox is loaded by the first human-readable ABI, so that a server without any does not carry it. */
async function parseLines(lines: string[], expected: string): Promise<readonly unknown[]> {
  if (lines.length === 0) return []
  if (lines.length > linesMax || lines.some((line) => line.length > lineMax))
    throw new Error('too many or too long lines')
  if (isExplosive(structReferences(lines))) throw new Error('its structs hold themselves or grow without measure')
  const Abi = await import('ox/Abi')
  return Abi.from(lines.map((line) => completeLine(line.trim(), expected)))
}

function completeLine(line: string, expected: string): string {
  const bare = line.endsWith(';') ? line.slice(0, -1) : line
  return keywords.test(bare) ? bare : `${expected} ${bare}`
}

function structReferences(lines: string[]): Map<string, string[]> {
  const structs = lines
    .map((line) => /^\s*struct\s+([\w$]+)\s*\{(.*)\}/s.exec(line))
    .filter((struct) => struct !== null)
  return new Map(structs.map(([, name = '', body = '']) => [name, memberTypes(body)]))
}

function memberTypes(body: string): string[] {
  return body.split(';').flatMap((member) => /[\w$]+/.exec(member)?.[0] ?? [])
}

function readItem(item: unknown): AbiItem {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new Error('an item must be an object')
  const { type = 'function', name = '', inputs = [], anonymous } = item as Record<string, unknown>
  if (typeof type !== 'string' || !itemTypes.has(type)) throw new Error('an item has an unknown type')
  const needsName = type === 'event' || type === 'function' || type === 'error'
  if (typeof name !== 'string' || (needsName && !/^[A-Za-z_$][\w$]*$/.test(name)))
    throw new Error(`an ${type} has no name`)
  const parameters = readParameters(inputs, name)
  const indexed = parameters.filter((parameter) => parameter.indexed).length
  if (type === 'event' && indexed > (anonymous === true ? 4 : 3))
    throw new Error(`${name} has too many indexed parameters`)
  return { type, name, inputs: parameters, signature: `${name}(${parameters.map((each) => each.type).join(',')})` }
}
