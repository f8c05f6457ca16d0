import { parseJson } from '../../compile/parse-json.ts'
import { type AbiItem, readAbi } from '../../compile/read-abi.ts'
import { UpstreamError } from '../../world.ts'

/** A parameter with its canonical type; a tuple keeps its components, whose names the type does not show. */
export type EvmParameter = { type: string; name?: string; indexed: boolean; components?: EvmParameter[] }

/** An event, function or error with all that a codec needs to know of it. */
export type EvmItem = {
  type: string
  name: string
  signature: string
  inputs: EvmParameter[]
  outputs: EvmParameter[]
  anonymous: boolean
}
type Raw = Record<string, unknown>

/**
 * `readAbi` says what is sound and how it is called, and bounds what it reads; components, outputs and `anonymous` are
 * taken from the same items. JSON is parsed once, here, and handed on.
 */
export async function abiItems(fragment: unknown, expected: 'event' | 'function'): Promise<EvmItem[]> {
  const parsed = typeof fragment === 'string' && /^\s*[[{"]/.test(fragment) ? tryJson(fragment) : fragment
  const abi = await readAbi(parsed, expected)
  if (!abi.ok) throw new UpstreamError('refused', `abiFragment ${abi.message}`)
  const list = Array.isArray(parsed) ? parsed : [parsed]
  const lines = typeof parsed === 'string' ? parsed.split('\n') : list.filter((each) => typeof each === 'string')
  const raws = [...list.filter(isRaw), ...(await parseLines(lines, expected))]
  return abi.items.map((item, index) => detail(item, raws[index] ?? {}))
}

/** By name, or by any way of writing its signature: `Set`, `Set(address)`, `event Set(address indexed who)`. */
export async function namedItems(items: readonly EvmItem[], sought: string): Promise<EvmItem[]> {
  const name = sought.replace(/^\s*(?:event|function)\s+/, '').trim()
  if (!name.includes('(')) return items.filter((item) => item.name === name)
  const abi = await readAbi(sought, items[0]?.type === 'function' ? 'function' : 'event')
  const signature = abi.ok ? abi.items[0]?.signature : undefined
  return items.filter((item) => item.signature === signature)
}

/** What is not JSON is left as it is, for `readAbi` to refuse in its own words. */
function tryJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** Only after `readAbi` has found them sound and not explosive. */
async function parseLines(text: string[], expected: string): Promise<Raw[]> {
  const lines = text.map((line) => line.trim()).filter((line) => line !== '')
  if (lines.length === 0) return []
  const Abi = await import('ox/Abi')
  const keyword = /^(?:event|function|error|struct|constructor|fallback|receive)\b/
  const complete = lines
    .map((line) => line.replace(/;$/, ''))
    .map((line) => (keyword.test(line) ? line : `${expected} ${line}`))
  const items: readonly unknown[] = Abi.from(complete)
  return items.filter(isRaw)
}

function detail(item: AbiItem, raw: Raw): EvmItem {
  const { type, name, signature } = item
  const inputs = parametersOf(raw.inputs).map((input, index) => ({
    ...input,
    indexed: item.inputs[index]?.indexed === true,
  }))
  return { type, name, signature, inputs, outputs: parametersOf(raw.outputs), anonymous: raw.anonymous === true }
}

function parametersOf(raw: unknown): EvmParameter[] {
  return Array.isArray(raw) ? raw.filter(isRaw).map(parameterOf) : []
}

function parameterOf({ type, name, components }: Raw): EvmParameter {
  const [, base = '', arrays = ''] = /^(\w+)((?:\[\d*\])*)$/.exec(String(type)) ?? []
  const inner = base === 'tuple' ? parametersOf(components) : undefined
  const canonical = inner ? `(${inner.map((each) => each.type).join(',')})` : base.replace(/^(u?int)$/, '$1256')
  return {
    type: canonical + arrays,
    indexed: false,
    ...(typeof name === 'string' && { name }),
    ...(inner && { components: inner }),
  }
}

function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
