import type { TriggerSpec } from '@tocsin/contract'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { abiItems, type EvmItem, namedItems } from '../abi/abi-items.ts'
import { isSelector, selectorOf } from '../abi/selector.ts'

export type EvmCallSpec = Extract<TriggerSpec, { type: 'evm_call' }>

/** One function that a spec matches. Without `item` only its selector is known, so its arguments stay undecoded. */
export type SpecFunction = { selector: string; item?: EvmItem }

/** Undefined when the spec matches any call. A name may have several overloads. */
export async function specFunctions({ abiFragment, method }: EvmCallSpec): Promise<SpecFunction[] | undefined> {
  if (abiFragment !== undefined) return abiFunctions(abiFragment, method)
  if (method === undefined) return undefined
  if (isSelector(method)) return [{ selector: method.toLowerCase() }]
  if (method.includes('(')) return abiFunctions(method, undefined)
  throw new UpstreamError(
    'refused',
    `method ${method} is only a name: give its signature or its selector, or an abiFragment that holds it`,
  )
}

async function abiFunctions(fragment: unknown, method: string | undefined): Promise<SpecFunction[]> {
  const all = (await abiItems(fragment, 'function')).filter(({ type }) => type === 'function')
  const wanted = method === undefined ? all : await methodsOf(all, method)
  if (wanted.length === 0) throw new UpstreamError('refused', `abiFragment has no function ${method ?? ''}`.trimEnd())
  return wanted.map((item) => ({ selector: selectorOf(item.signature), item }))
}

async function methodsOf(all: EvmItem[], method: string): Promise<EvmItem[]> {
  if (!isSelector(method)) return namedItems(all, method)
  return all.filter(({ signature }) => selectorOf(signature) === method.toLowerCase())
}
