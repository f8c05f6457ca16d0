import type { Provider } from '@tocsin/contract'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { abiItems, type EvmItem, type EvmParameter, namedItems } from './abi-items.ts'
import { decoderOf, encodeValues } from './codec.ts'
import { coerce } from './coerce.ts'
import { hashSignature } from './keccak.ts'
import { namesOf } from './plain-value.ts'

export type EvmReadProvider = Extract<Provider, { type: 'evm_read' }>

/** A contract function with its arguments: the data to send, and the decoder of the answer. */
export type FunctionCall = { signature: string; data: string; errors: EvmItem[]; decode(data: string): unknown }

export async function functionCall(provider: EvmReadProvider): Promise<FunctionCall> {
  const { abiFragment, method, args = [] } = provider
  const items = await abiItems(abiFragment, 'function')
  const functions = items.filter(({ type, inputs }) => type === 'function' && inputs.length === args.length)
  const overloads = await namedItems(functions, method)
  const { item, values } = pickOverload(overloads, method, args)
  return {
    signature: item.signature,
    data: hashSignature(item.signature).slice(0, 10) + encodeValues(item.inputs, values).slice(2),
    errors: items.filter(({ type }) => type === 'error'),
    decode: outputsDecoder(item.outputs),
  }
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
