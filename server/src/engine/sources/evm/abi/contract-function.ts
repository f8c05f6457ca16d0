import type { Provider } from '@tocsin/contract'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { coerceBoolean, coerceInteger, wrong } from '../../written-values.ts'
import { abiItems, type EvmItem, type EvmParameter, namedItems } from './abi-items.ts'
import { decoderOf, encodeValues } from './codec.ts'
import { hashSignature } from './keccak.ts'
import { elementOf, namesOf } from './plain-value.ts'

export type EvmReadProvider = Extract<Provider, { type: 'evm_read' }>

/** A contract function with its arguments: the data to send, and the decoder of the answer. */
export type FunctionCall = { signature: string; data: string; errors: EvmItem[]; decode(data: string): unknown }

export async function functionCall(provider: EvmReadProvider): Promise<FunctionCall> {
  const { method, args = [] } = provider
  const { items, overloads } = await overloadsOf(provider)
  const { item, values } = pickOverload(overloads, method, args)
  return {
    signature: item.signature,
    data: hashSignature(item.signature).slice(0, 10) + encodeValues(item.inputs, values).slice(2),
    errors: items.filter(({ type }) => type === 'error'),
    decode: outputsDecoder(item.outputs),
  }
}

/** The functions of the ABI that the name and the number of arguments fit. */
export async function overloadsOf({ abiFragment, method, args = [] }: EvmReadProvider) {
  const items = await abiItems(abiFragment, 'function')
  const functions = items.filter(({ type, inputs }) => type === 'function' && inputs.length === args.length)
  return { items, overloads: await namedItems(functions, method) }
}

/** The first overload that accepts the arguments. If none does, the error of the last one. */
function pickOverload(overloads: readonly EvmItem[], method: string, args: readonly unknown[]) {
  let refusal: unknown = new UpstreamError(
    'refused',
    `abiFragment has no function ${method} of ${args.length} arguments`,
  )
  for (const item of overloads) {
    try {
      return { item, values: item.inputs.map((input, index) => coerce(input, args[index], `args.${index}`)) }
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}

/** One output is the value itself. Several outputs are an object when all have names, else a list. */
function outputsDecoder(outputs: readonly EvmParameter[]): (data: string) => unknown {
  const decode = decoderOf(outputs)
  const names = namesOf(outputs)
  return (data) => {
    if (outputs.length === 0) return null
    const values = decode(data)
    if (outputs.length === 1) return values[0]
    return names ? Object.fromEntries(names.map((name, index) => [name, values[index]])) : values
  }
}

/** Converts a JSON value from a tenant or a placeholder to the value that the parameter's type needs. */
function coerce(parameter: EvmParameter, value: unknown, path: string): unknown {
  const inner = elementOf(parameter)
  if (inner) return requireItems(value, path, parameter).map((each, index) => coerce(inner, each, `${path}.${index}`))
  if (parameter.components) return coerceTuple(parameter.components, value, path)
  if (/^u?int/.test(parameter.type)) return coerceInteger(parameter.type, value, path)
  if (parameter.type === 'bool') return coerceBoolean(value, path)
  if (parameter.type === 'string') return coerceText(value, path)
  return coerceBytes(parameter.type, value, path)
}

function requireItems(value: unknown, path: string, { type }: EvmParameter): unknown[] {
  const fixed = /\[(\d+)\]$/.exec(type)?.[1]
  if (!Array.isArray(value) || (fixed !== undefined && value.length !== Number(fixed)))
    throw wrong(path, fixed === undefined ? 'a list' : `a list of ${fixed}`)
  return value
}

/** A list by position, or an object by the names of the components. */
function coerceTuple(components: readonly EvmParameter[], value: unknown, path: string): unknown[] {
  if (typeof value !== 'object' || value === null) throw wrong(path, 'a list or an object')
  const fields = new Map<string, unknown>(Object.entries(value))
  if (Array.isArray(value) && value.length !== components.length) throw wrong(path, `a list of ${components.length}`)
  return components.map((component, index) => {
    const key = Array.isArray(value) ? String(index) : (component.name ?? '')
    if (!fields.has(key)) throw wrong(path, `an object with ${component.name || 'named components'}`)
    return coerce(component, fields.get(key), `${path}.${key}`)
  })
}

function coerceText(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw wrong(path, 'a string')
}

/** Addresses, function pointers, `bytes` and `bytes1` to `bytes32`. */
function coerceBytes(type: string, value: unknown, path: string): string {
  const size = type === 'address' ? '20' : type === 'function' ? '24' : type.slice('bytes'.length)
  const isHex = typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value)
  if (!isHex || (size !== '' && value.length !== 2 + 2 * Number(size)))
    throw wrong(path, size === '' ? 'bytes as 0x hex' : `0x and ${2 * Number(size)} hex digits`)
  return value.toLowerCase()
}
