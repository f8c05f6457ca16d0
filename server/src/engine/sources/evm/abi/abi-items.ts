import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { type AbiItem, readAbi } from './read-abi.ts'

/** A parameter with its canonical type. A tuple keeps its components, because the type does not contain their names. */
export type EvmParameter = { type: string; name?: string; indexed: boolean; components?: EvmParameter[] }

/** An event, function or error with everything that a codec needs. */
export type EvmItem = {
  type: string
  name: string
  signature: string
  inputs: EvmParameter[]
  outputs: EvmParameter[]
  anonymous: boolean
  /** An event whose ABI does not say which inputs are indexed. */
  isUnmarked: boolean
}
type Raw = Record<string, unknown>

/** `readAbi` checks and limits the input. Components, outputs and `anonymous` come from the same items. */
export async function abiItems(fragment: unknown, expected: 'event' | 'function'): Promise<EvmItem[]> {
  const abi = await readAbi(fragment, expected)
  if (!abi.ok) throw new UpstreamError('refused', `abiFragment ${abi.message}`)
  return abi.items.map(evmItemOf)
}

/** Finds an item by name or by any spelling of its signature: `Set`, `Set(address)`, `event Set(address indexed who)`. */
export async function namedItems(items: readonly EvmItem[], sought: string): Promise<EvmItem[]> {
  const name = sought.replace(/^\s*(?:event|function)\s+/, '').trim()
  if (!name.includes('(')) return items.filter((item) => item.name === name)
  const abi = await readAbi(sought, items[0]?.type === 'function' ? 'function' : 'event')
  const signature = abi.ok ? abi.items[0]?.signature : undefined
  return items.filter((item) => item.signature === signature)
}

/** The item with canonical types. */
export function evmItemOf({ type, name, signature, inputs: read, json, isUnmarked }: AbiItem): EvmItem {
  const inputs = parametersOf(json.inputs).map((input, index) => ({ ...input, indexed: read[index]?.indexed === true }))
  const outputs = parametersOf(json.outputs)
  return { type, name, signature, inputs, outputs, anonymous: json.anonymous === true, isUnmarked }
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
